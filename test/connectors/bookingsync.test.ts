import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { BookingSystemFailure, type QuoteOutcome } from '../../src/quotes/booking-system.ts';
import { formatDay } from '../../src/stay/day.ts';
import { startBookingsync } from '../emulators/bookingsync.ts';
import type { Emulator } from '../emulators/emulator.ts';
import { aHome } from '../emulators/homes.ts';
import { connectVendor, NO_LIMITS } from './connected-vendor.ts';
import { TODAY } from './vendor-clock.ts';
import type { EmulatedVendorSystem } from './vendors.ts';

const patient = new AbortController().signal;
const STAY = { checkIn: TODAY + 5, checkOut: TODAY + 9, guests: 2, currency: 'EUR' };

/** The vendor, with some of its credentials only. */
function bookingsync(
  names: readonly string[],
  changes: Readonly<Record<string, string>> = {},
): EmulatedVendorSystem {
  return {
    kind: 'bookingsync',
    name: 'BookingSync',
    takenReason: 'not_offered',
    hasTokens: true,
    hasLines: true,
    async start(options): Promise<Emulator> {
      const emulator = await startBookingsync(options);
      const credentials = Object.fromEntries(names.map((name) => [name, emulator.credentials[name] ?? '']));
      // A copy would lose the getters of an emulator.
      return new Proxy(emulator, {
        get: (target, name) =>
          name === 'credentials' ? { ...credentials, ...changes } : Reflect.get(target, name),
      });
    },
  };
}
const APPLICATION = bookingsync(['client_id', 'client_secret']);
const AUTHORISED = bookingsync(['client_id', 'client_secret', 'refresh_token']);

async function connected(
  t: TestContext,
  vendor: EmulatedVendorSystem,
  options: Parameters<typeof connectVendor>[1],
) {
  const connection = await connectVendor(vendor, options);
  t.after(() => connection.close());
  return connection;
}
const kindsOf = (outcomes: readonly QuoteOutcome[]) =>
  outcomes.map((one) =>
    one.kind === 'failed' ? one.failure : one.kind === 'unavailable' ? one.reason : one.kind,
  );

describe('the connector to BookingSync', () => {
  it('reads minimum stays and prices with the application’s token, and with that of an account', async (t) => {
    const homes = [aHome({ id: 1, minimumStay: (day) => (day < formatDay(TODAY + 10) ? 3 : 5) })];
    const calendars = [];
    for (const vendor of [APPLICATION, AUTHORISED]) {
      const { system, emulator } = await connected(t, vendor, { homes });
      await system.catalogue(patient);
      const reference = emulator.referenceOf(1);
      const horizon = { from: TODAY, nights: 30 };
      const reading = (await system.calendars([reference], horizon, patient)).get(reference);
      assert.ok(reading?.kind === 'valid');
      assert.deepEqual([reading.value.minimumStay[0], reading.value.minimumStay[20]], [3, 5]);
      assert.equal(reading.value.price[0], 12_000);
      calendars.push(reading.value);
      const paths = emulator.requests.map(({ path }) => path.split('?')[0]?.split('/')[3]);
      assert.equal(paths.includes('nightly_rate_maps'), vendor === AUTHORISED);
    }
    assert.deepEqual(calendars[0], calendars[1]);
  });

  it('reads the catalogue in three calls, and the calendars of fifty rentals in three', async (t) => {
    const homes = Array.from({ length: 50 }, (_, index) => aHome({ id: index + 1 }));
    const { system, emulator } = await connected(t, APPLICATION, { homes });
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
    const { system, emulator } = await connected(t, APPLICATION, { homes, pageSize: 1 });
    await system.catalogue(patient);
    const references = homes.map(({ id }) => emulator.referenceOf(id));
    assert.deepEqual(kindsOf(await system.quote({ references, ...STAY }, patient)), [
      'quoted',
      'quoted',
      'quoted',
    ]);
  });

  it('says why a stay was refused once the calendar is read', async (t) => {
    const { system, emulator } = await connected(t, APPLICATION, { homes: [aHome({ id: 1 })] });
    const reference = emulator.referenceOf(1);
    emulator.book(1, formatDay(TODAY + 6), formatDay(TODAY + 7));
    await system.catalogue(patient);
    assert.deepEqual(kindsOf(await system.quote({ references: [reference], ...STAY }, patient)), [
      'not_offered',
    ]);
    await system.calendars([reference], { from: TODAY - 1, nights: 60 }, patient);
    assert.deepEqual(kindsOf(await system.quote({ references: [reference], ...STAY }, patient)), ['booked']);
    const oneNight = { ...STAY, checkIn: TODAY + 20, checkOut: TODAY + 21 };
    assert.deepEqual(kindsOf(await system.quote({ references: [reference], ...oneNight }, patient)), [
      'minimum_stay',
    ]);
  });

  it('tells which calendars have changed', async (t) => {
    const homes = [aHome({ id: 1 }), aHome({ id: 2 })];
    const { system, emulator, clock } = await connected(t, APPLICATION, { homes });
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
    const { system, emulator } = await connected(t, APPLICATION, { homes, pageSize: 2 });
    const { properties, heldBack } = await system.catalogue(patient);
    assert.deepEqual(heldBack, []);
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
    const homes = [aHome({ id: 1 })];
    for (const [account_id, count] of [
      [7, 1],
      [8, 0],
    ]) {
      const { system } = await connected(t, APPLICATION, {
        homes,
        entry: { rate_limits: NO_LIMITS, account_id },
      });
      assert.equal((await system.catalogue(patient)).properties.length, count);
    }
  });

  it('names the credentials that are not accepted, and shows none of them', async (t) => {
    for (const [vendor, names] of [
      [
        bookingsync(['client_id', 'client_secret'], { client_secret: 'wrong-secret' }),
        'client_id and client_secret',
      ],
      [
        bookingsync(['client_id', 'client_secret', 'refresh_token'], { refresh_token: 'wrong-secret' }),
        'client_id, client_secret and refresh_token',
      ],
    ] as const) {
      const { system } = await connected(t, vendor, { homes: [aHome()] });
      await assert.rejects(system.catalogue(patient), (error) => {
        assert.ok(error instanceof BookingSystemFailure && error.kind === 'rejected');
        assert.equal(error.message, `BookingSync does not accept the ${names} of the account test`);
        return true;
      });
      const outcomes = await system.quote({ references: ['1'], ...STAY }, patient);
      assert.deepEqual(kindsOf(outcomes), ['rejected']);
    }
  });

  it('keeps the refresh token that came last across a restart', async (t) => {
    const { system, emulator, clock, reconnect } = await connected(t, AUTHORISED, {
      homes: [aHome({ id: 1 })],
    });
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
