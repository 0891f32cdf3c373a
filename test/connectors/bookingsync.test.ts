import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatDay } from '../../src/stay/day.ts';
import { BOOKINGSYNC_CREDENTIALS } from '../emulators/bookingsync/authorization.ts';
import { aHome } from '../emulators/homes.ts';
import { connectVendorFor } from './connected-vendor.ts';
import { patient, STAY } from './usual-request.ts';
import { TODAY } from './vendor-clock.ts';
import { vendorOf } from './vendors.ts';
import { verdictOf } from './verdict.ts';

const bookingsync = vendorOf('bookingsync');
/** Of the application, to which an account has given its refresh token or has not. */
const AUTHORISED = BOOKINGSYNC_CREDENTIALS;
const { refresh_token: _, ...APPLICATION } = AUTHORISED;

describe('the connector to BookingSync', () => {
  it('reads minimum stays and prices with the application’s token, and with that of an account', async (t) => {
    const homes = [aHome({ id: 1, minimumStay: (day) => (day < formatDay(TODAY + 10) ? 3 : 5) })];
    const calendars = [];
    for (const credentials of [APPLICATION, AUTHORISED]) {
      const { system, emulator } = await connectVendorFor(t, bookingsync, { homes, credentials });
      await system.catalogue(patient);
      const reference = emulator.referenceOf(1);
      const horizon = { from: TODAY, nights: 30 };
      const reading = (await system.calendars([reference], horizon, patient)).get(reference);
      assert.ok(reading?.kind === 'valid');
      assert.deepEqual([reading.value.minimumStay[0], reading.value.minimumStay[20]], [3, 5]);
      assert.equal(reading.value.price[0], 12_000);
      calendars.push(reading.value);
      const paths = emulator.requests.map(({ path }) => path.split('?')[0]?.split('/')[3]);
      assert.equal(paths.includes('nightly_rate_maps'), credentials === AUTHORISED);
    }
    assert.deepEqual(calendars[0], calendars[1]);
  });

  it('reads the catalogue in three calls, and the calendars of fifty rentals in three', async (t) => {
    const homes = Array.from({ length: 50 }, (_, index) => aHome({ id: index + 1 }));
    const { system, emulator } = await connectVendorFor(t, bookingsync, { homes, credentials: APPLICATION });
    await system.catalogue(patient);
    const inCatalogue = emulator.requests.filter(({ kind }) => kind === 'catalogue').length;
    assert.equal(inCatalogue, 3);
    await system.calendars(
      homes.map(({ id }) => emulator.referenceOf(id)),
      { from: TODAY, nights: 60 },
      patient,
    );
    assert.equal(emulator.requests.filter(({ kind }) => kind === 'calendar').length, 3);
    await system.quote({ references: homes.map(({ id }) => emulator.referenceOf(id)), ...STAY }, patient);
    assert.equal(emulator.requests.filter(({ kind }) => kind === 'quote').length, 1);
  });

  it('follows the pages of a search: a rental on the second is not refused', async (t) => {
    const homes = [1, 2, 3].map((id) => aHome({ id }));
    const { system, emulator } = await connectVendorFor(t, bookingsync, {
      homes,
      pageSize: 1,
      credentials: APPLICATION,
    });
    await system.catalogue(patient);
    const references = homes.map(({ id }) => emulator.referenceOf(id));
    assert.deepEqual((await system.quote({ references, ...STAY }, patient)).map(verdictOf), [
      'quoted',
      'quoted',
      'quoted',
    ]);
  });

  it('says why a stay was refused once the calendar is read', async (t) => {
    const { system, emulator } = await connectVendorFor(t, bookingsync, { credentials: APPLICATION });
    const reference = emulator.referenceOf(1);
    emulator.book(1, formatDay(TODAY + 6), formatDay(TODAY + 7));
    await system.catalogue(patient);
    assert.deepEqual((await system.quote({ references: [reference], ...STAY }, patient)).map(verdictOf), [
      'not_offered',
    ]);
    await system.calendars([reference], { from: TODAY - 1, nights: 60 }, patient);
    assert.deepEqual((await system.quote({ references: [reference], ...STAY }, patient)).map(verdictOf), [
      'booked',
    ]);
    const oneNight = { ...STAY, checkIn: TODAY + 20, checkOut: TODAY + 21 };
    assert.deepEqual((await system.quote({ references: [reference], ...oneNight }, patient)).map(verdictOf), [
      'minimum_stay',
    ]);
  });

  it('tells which calendars have changed', async (t) => {
    const homes = [aHome({ id: 1 }), aHome({ id: 2 })];
    const { system, emulator, clock } = await connectVendorFor(t, bookingsync, {
      homes,
      credentials: APPLICATION,
    });
    await system.catalogue(patient);
    clock.skip(60_000);
    const readAt = clock.now();
    assert.deepEqual(await system.changedSince?.(readAt, patient), []);
    clock.skip(60_000);
    emulator.book(2, formatDay(TODAY + 6), formatDay(TODAY + 7));
    assert.deepEqual(await system.changedSince?.(readAt, patient), [emulator.referenceOf(2)]);
  });

  it('gives a rental without a policy of its own that of the account, read once', async (t) => {
    const homes = [1, 2, 3].map((id) => aHome({ id, ...(id === 2 ? {} : { cancellation: '' }) }));
    const { system, emulator } = await connectVendorFor(t, bookingsync, {
      homes,
      pageSize: 2,
      credentials: APPLICATION,
    });
    const { properties, rejections } = await system.catalogue(patient);
    assert.deepEqual(rejections, []);
    const moderate = [{ daysBefore: 5, time: '16:00' }, true];
    assert.deepEqual(
      properties.map(({ cancellation: { free, refundable } }) => [free, refundable ?? null]),
      // The words of the second may keep more than its steps say.
      [moderate, [null, null], moderate],
    );
    assert.match(properties[0]?.cancellation.summary ?? '', /^Moderate: full refund until 5 days/);
    const lists = emulator.requests.filter(({ path }) => path.includes('/rental_cancelation_policies?'));
    assert.equal(lists.length, 1, 'although rentals of two pages need it');
  });

  it('shows the rentals of one account only, when it is named', async (t) => {
    for (const [account_id, count] of [
      [7, 1],
      [8, 0],
    ]) {
      const { system } = await connectVendorFor(t, bookingsync, {
        entry: { account_id },
        credentials: APPLICATION,
      });
      assert.equal((await system.catalogue(patient)).properties.length, count);
    }
  });

  it('names the credentials that are not accepted, and shows none of them', async (t) => {
    for (const [credentials, names] of [
      [{ ...APPLICATION, client_secret: 'wrong-secret' }, 'client_id and client_secret'],
      [{ ...AUTHORISED, refresh_token: 'wrong-secret' }, 'client_id, client_secret and refresh_token'],
    ] as const) {
      const { system } = await connectVendorFor(t, bookingsync, { credentials });
      await assert.rejects(system.catalogue(patient), {
        kind: 'rejected',
        message: `BookingSync does not accept the ${names} of the account test`,
      });
    }
  });

  it('keeps the refresh token that came last across a restart', async (t) => {
    const { system, emulator, clock, reconnect } = await connectVendorFor(t, bookingsync);
    await system.catalogue(patient);
    const again = reconnect();
    await again.catalogue(patient);
    assert.equal(emulator.tokensIssued(), 1);
    // The one in the environment is worth nothing by now.
    clock.skip(8 * 3_600_000);
    await reconnect().catalogue(patient);
    assert.equal(emulator.tokensIssued(), 2);
  });
});
