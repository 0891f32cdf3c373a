import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatDay } from '../../src/stay/day.ts';
import { aHome } from '../emulators/homes.ts';
import { LODGIFY_CODES, type LodgifyCode } from '../emulators/lodgify/errors.ts';
import { type LodgifyOptions, startLodgify } from '../emulators/lodgify.ts';
import { connectVendorFor } from './connected-vendor.ts';
import { assertExactPrice } from './exact-price.ts';
import { HORIZON, patient, STAY } from './usual-request.ts';
import { type EmulatedVendorSystem, vendorOf } from './vendors.ts';
import { verdictOf } from './verdict.ts';

const lodgify: EmulatedVendorSystem<LodgifyOptions> = { ...vendorOf('lodgify'), start: startLodgify };
const HOUR_MS = 3_600_000;

describe('the connector to Lodgify', () => {
  it('takes the policy of a price from its quote, and prices no stay to learn it', async (t) => {
    const homes = [aHome({ id: 1, cancellation: 'Half is kept.' })];
    const { system, emulator, reconnect } = await connectVendorFor(t, lodgify, { homes });
    await system.catalogue(patient);
    assert.ok(emulator.requests.every(({ kind }) => kind !== 'quote'));
    const request = { references: [emulator.referenceOf(1)], ...STAY };
    // After a restart the room of the home is still known.
    for (const one of [system, reconnect()]) {
      const [outcome] = await one.quote(request, patient);
      assert.equal(outcome?.kind === 'quoted' && outcome.quote.cancellation?.summary, 'Half is kept.');
    }
  });

  it('says how many guests there are also where the deprecated parameter is gone', async (t) => {
    const { system, emulator } = await connectVendorFor(t, lodgify, { deprecated: 'gone' });
    await system.catalogue(patient);
    const [outcome] = await system.quote({ references: [emulator.referenceOf(1)], ...STAY }, patient);
    assert.equal(outcome?.kind, 'quoted');
  });

  for (const [call, path] of [
    ['room', /^\/v1\/properties\/430002\/rooms/],
    ['settings', /^\/v2\/rates\/settings\?houseId=430002/],
  ] as const) {
    it(`holds back a home whose ${call} cannot be read, with the reason, and reads the others`, async (t) => {
      const homes = [1, 2, 3].map((id) => aHome({ id }));
      for (const [changes, reason] of [
        [{ failing: { path, code: LODGIFY_CODES.notFound } }, 'Lodgify answered with its code 997'],
        [
          { failing: { path, code: LODGIFY_CODES.notFound }, statuses: 'by_kind' },
          'Lodgify answered with its code 997',
        ],
        [{}, 'the operator answered with 500'],
      ] as const) {
        const { system, emulator } = await connectVendorFor(t, lodgify, { homes, ...changes });
        if (!('failing' in changes)) emulator.setFault('error_500', 'catalogue', path);
        const { properties, rejections } = await system.catalogue(patient);
        assert.deepEqual(
          properties.map(({ reference }) => reference),
          [1, 3].map(emulator.referenceOf),
        );
        assert.deepEqual(rejections, [
          {
            reference: emulator.referenceOf(2),
            field: 'rooms',
            rule: 'missing_member',
            reason: `could not be read: ${reason}`,
          },
        ]);
      }
    });
  }

  it('goes on showing a home as it was read before while it cannot be read again, unless none can', async (t) => {
    const homes = [1, 2].map((id) => aHome({ id }));
    const { system, emulator, clock } = await connectVendorFor(t, lodgify, { homes });
    await system.catalogue(patient);
    clock.skip(7 * HOUR_MS);
    emulator.setFault('error_500', 'catalogue', /^\/v1\/properties\/430002\/rooms/);
    const { properties, rejections } = await system.catalogue(patient);
    assert.equal(properties.length, 2);
    assert.deepEqual(
      rejections.map(({ reference, reason, repaired }) => [
        reference,
        /as it was read before/.test(reason),
        repaired,
      ]),
      [[emulator.referenceOf(2), true, true]],
    );
    clock.skip(7 * HOUR_MS);
    emulator.setFault('error_500', 'catalogue', /^\/v1\/properties\/.*\/rooms/);
    await assert.rejects(system.catalogue(patient), { kind: 'server_error' });
  });

  it('fails as a whole when no home can be read, many in a row without a code, or the key is refused', async (t) => {
    const homes = Array.from({ length: 14 }, (_, index) => aHome({ id: index + 1 }));
    const rooms = (which: string) => new RegExp(`^/v1/properties/${which}/rooms`);
    const isServerError = { kind: 'server_error' };
    const coded = await connectVendorFor(t, lodgify, {
      homes,
      failing: { path: rooms('.*'), code: LODGIFY_CODES.notFound },
    });
    await assert.rejects(coded.system.catalogue(patient), isServerError);
    const bare = await connectVendorFor(t, lodgify, { homes });
    bare.emulator.setFault('error_500', 'catalogue', rooms('4300(?:0[2-9]|1)\\d*'));
    await assert.rejects(bare.system.catalogue(patient), isServerError);
    const path = rooms('4300(?:0[2-9]|1)\\d*');
    const most = await connectVendorFor(t, lodgify, {
      homes,
      failing: { path, code: LODGIFY_CODES.notFound },
    });
    assert.equal((await most.system.catalogue(patient)).properties.length, 1);
    const failing = { path: rooms('430003'), code: LODGIFY_CODES.notAuthorized };
    const keyless = await connectVendorFor(t, lodgify, { homes, failing });
    await assert.rejects(keyless.system.catalogue(patient), { kind: 'rejected' });
  });

  it('holds back the calendar of one home, and fails as a whole when the key is refused', async (t) => {
    const homes = [1, 2].map((id) => aHome({ id }));
    for (const statuses of ['documented', 'by_kind'] as const) {
      for (const path of [/^\/v2\/availability\/430001/, /^\/v2\/rates\/calendar\?.*HouseId=430001/]) {
        const read = async (code: LodgifyCode) => {
          const failing = { path, code };
          const { system, emulator } = await connectVendorFor(t, lodgify, { homes, failing, statuses });
          await system.catalogue(patient);
          return system.calendars([1, 2].map(emulator.referenceOf), HORIZON, patient);
        };
        const readings = [...(await read(LODGIFY_CODES.notFound)).values()];
        assert.deepEqual(
          readings.map((reading) => (reading.kind === 'invalid' ? reading.faults[0]?.reason : 'valid')),
          ['could not be read: Lodgify answered with its code 997', 'valid'],
        );
        await assert.rejects(read(LODGIFY_CODES.notAuthorized), {
          kind: 'rejected',
          message: 'Lodgify does not accept the api_key of the account test',
        });
      }
    }
  });

  it('has no price for a stay that is refused with any code, and fails when the key is refused', async (t) => {
    const homes = [1, 2].map((id) => aHome({ id }));
    const path = /^\/v2\/quote\/430001\?/;
    for (const [code, expected] of [
      [LODGIFY_CODES.paymentError, 'not_offered'],
      [LODGIFY_CODES.notAuthorized, 'rejected'],
    ] as const) {
      for (const statuses of ['documented', 'by_kind'] as const) {
        const { system, emulator } = await connectVendorFor(t, lodgify, {
          homes,
          failing: { path, code },
          statuses,
        });
        await system.catalogue(patient);
        const references = [1, 2].map(emulator.referenceOf);
        assert.deepEqual((await system.quote({ references, ...STAY }, patient)).map(verdictOf), [
          expected,
          'quoted',
        ]);
      }
    }
  });

  it('reads the details of a home that has not changed once', async (t) => {
    const { system, emulator } = await connectVendorFor(t, lodgify);
    await system.catalogue(patient);
    const before = emulator.requests.length;
    await system.catalogue(patient);
    assert.equal(emulator.requests.length, before + 1);
  });

  it('reads refusals whatever their status, and one without a code of its own', async (t) => {
    const homes = [aHome({ id: 1 })];
    const early = { ...STAY, checkOut: STAY.checkIn + 1 };
    for (const [changes, reason] of [
      [{}, 'minimum_stay'],
      [{ statuses: 'by_kind' }, 'minimum_stay'],
      [{ refusals: 'unknown' }, 'not_offered'],
    ] as const) {
      const { system, emulator } = await connectVendorFor(t, lodgify, { homes, ...changes });
      await system.catalogue(patient);
      assert.deepEqual(
        (await system.quote({ references: [emulator.referenceOf(1)], ...early }, patient)).map(verdictOf),
        [reason],
      );
    }
  });

  it('quotes the same total where VAT is shown apart', async (t) => {
    const { system, emulator } = await connectVendorFor(t, lodgify, { vatExclusivePercent: 23 });
    await system.catalogue(patient);
    const [outcome] = await system.quote({ references: [emulator.referenceOf(1)], ...STAY }, patient);
    const truth = emulator.priceOf(1, formatDay(STAY.checkIn), formatDay(STAY.checkOut), STAY.guests);
    assertExactPrice(outcome, truth, lodgify);
  });

  it('says that a key is not accepted, whatever the status of the refusal', async (t) => {
    for (const statuses of ['documented', 'by_kind'] as const) {
      const credentials = { api_key: 'wrong-key' };
      const { system } = await connectVendorFor(t, lodgify, { statuses, credentials });
      await assert.rejects(system.catalogue(patient), {
        kind: 'rejected',
        message: 'Lodgify does not accept the api_key of the account test',
      });
    }
  });
});
