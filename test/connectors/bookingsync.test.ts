import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
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
  it('reads the catalogue in two calls, and the calendars of fifty rentals in three', async (t) => {
    const homes = Array.from({ length: 50 }, (_, index) => aHome({ id: index + 1 }));
    const { system, emulator } = await connectVendorFor(t, bookingsync, { homes, credentials: APPLICATION });
    await system.catalogue(patient);
    const inCatalogue = emulator.requests.filter(({ kind }) => kind === 'catalogue').length;
    assert.equal(inCatalogue, 2);
    const readings = await system.calendars(
      homes.map(({ id }) => emulator.referenceOf(id)),
      { from: TODAY, nights: 60 },
      patient,
    );
    const reading = readings.get(emulator.referenceOf(1));
    assert.ok(reading?.kind === 'valid');
    assert.deepEqual([reading.value.minimumStay[0], reading.value.price[0]], [2, 12_000]);
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
