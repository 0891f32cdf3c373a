import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { BookingSystemFailure, type QuoteOutcome } from '../../src/quotes/booking-system.ts';
import { formatDay } from '../../src/stay/day.ts';
import { aHome } from '../emulators/homes.ts';
import { LODGIFY_CODES, type LodgifyCode } from '../emulators/lodgify/errors.ts';
import { type LodgifyOptions, startLodgify } from '../emulators/lodgify.ts';
import { connectVendor, NO_LIMITS } from './connected-vendor.ts';
import { TODAY } from './vendor-clock.ts';
import type { EmulatedVendorSystem } from './vendors.ts';

const patient = new AbortController().signal;
const HOUR_MS = 3_600_000;
const STAY = { checkIn: TODAY + 5, checkOut: TODAY + 9, guests: 2, currency: 'EUR' };

const lodgify = (changes: Partial<LodgifyOptions> = {}): EmulatedVendorSystem => ({
  kind: 'lodgify',
  name: 'Lodgify',
  start: (options) => startLodgify({ ...options, ...changes }),
  takenReason: 'booked',
  hasTokens: false,
  hasLines: true,
});

async function connected(
  t: TestContext,
  options: Parameters<typeof connectVendor>[1],
  changes: Partial<LodgifyOptions> = {},
) {
  const connection = await connectVendor(lodgify(changes), options);
  t.after(() => connection.close());
  return connection;
}
const kindsOf = (outcomes: readonly QuoteOutcome[]) =>
  outcomes.map((one) =>
    one.kind === 'failed' ? one.failure : one.kind === 'unavailable' ? one.reason : one.kind,
  );

describe('the connector to Lodgify', () => {
  it('takes the policy from a quote, and asks for none again while it is young', async (t) => {
    const homes = [aHome({ id: 1, cancellation: 'Half is kept.' })];
    const { system, emulator, reconnect } = await connected(t, { homes });
    const [home] = (await system.catalogue(patient)).properties;
    assert.equal(home?.cancellation.summary, 'Half is kept.');
    await system.catalogue(patient);
    await reconnect().catalogue(patient);
    assert.equal(emulator.requests.filter(({ kind }) => kind === 'quote').length, 1);
  });

  it('samples a longer stay where a week is too short', async (t) => {
    const { system } = await connected(t, { homes: [aHome({ id: 1, minimumStay: () => 14 })] });
    assert.equal((await system.catalogue(patient)).properties.length, 1);
  });

  it('falls back to the operator’s own words, or says that a price came without a policy', async (t) => {
    const homes = [aHome({ id: 1, cancellation: '' })];
    const bare = await connected(t, { homes });
    const { properties, heldBack } = await bare.system.catalogue(patient);
    assert.match(properties[0]?.cancellation.summary ?? '', /states no cancellation policy/);
    assert.deepEqual(heldBack, [
      {
        reference: bare.emulator.referenceOf(1),
        field: 'cancellation/summary',
        rule: 'missing_member',
        reason: 'is not published by the booking system, and the listing says so',
        repaired: true,
      },
    ]);
    await bare.reconnect().catalogue(patient);
    assert.equal(
      bare.emulator.requests.filter(({ kind }) => kind === 'quote').length,
      1,
      'asked once a week',
    );
    const entry = { rate_limits: NO_LIMITS, cancellation_text: 'No refunds at all.' };
    const told = await connected(t, { homes, entry });
    const [home] = (await told.system.catalogue(patient)).properties;
    assert.equal(home?.cancellation.summary, 'No refunds at all.');
  });

  it('does not say that there is no policy where no stay could be priced', async (t) => {
    const homes = [aHome({ id: 1, minimumStay: () => 100, cancellation: 'Half is kept.' })];
    const { system, emulator } = await connected(t, { homes });
    const { properties, heldBack } = await system.catalogue(patient);
    assert.match(properties[0]?.cancellation.summary ?? '', /could not be read from the operator’s booking/);
    assert.deepEqual(heldBack, [
      {
        reference: emulator.referenceOf(1),
        field: 'cancellation/summary',
        rule: 'missing_member',
        reason:
          'is told with a price only, and no sample stay could be priced; the listing says that it is not known',
        repaired: true,
      },
    ]);
    const entry = { rate_limits: NO_LIMITS, cancellation_text: 'No refunds at all.' };
    const told = await connected(t, { homes, entry });
    const reading = await told.system.catalogue(patient);
    assert.equal(reading.properties[0]?.cancellation.summary, 'No refunds at all.');
    assert.deepEqual(reading.heldBack, []);
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
        const { system, emulator } = await connected(t, { homes }, changes);
        if (!('failing' in changes)) emulator.setFault('error_500', 'catalogue', path);
        const { properties, heldBack } = await system.catalogue(patient);
        assert.deepEqual(
          properties.map(({ reference }) => reference),
          [1, 3].map(emulator.referenceOf),
        );
        assert.deepEqual(heldBack, [
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
    const { system, emulator, clock } = await connected(t, { homes });
    await system.catalogue(patient);
    clock.skip(7 * HOUR_MS);
    emulator.setFault('error_500', 'catalogue', /^\/v1\/properties\/430002\/rooms/);
    const { properties, heldBack } = await system.catalogue(patient);
    assert.equal(properties.length, 2);
    assert.deepEqual(
      heldBack.map(({ reference, reason, repaired }) => [
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
    const coded = await connected(
      t,
      { homes },
      { failing: { path: rooms('.*'), code: LODGIFY_CODES.notFound } },
    );
    await assert.rejects(coded.system.catalogue(patient), isServerError);
    const bare = await connected(t, { homes });
    bare.emulator.setFault('error_500', 'catalogue', rooms('4300(?:0[2-9]|1)\\d*'));
    await assert.rejects(bare.system.catalogue(patient), isServerError);
    const path = rooms('4300(?:0[2-9]|1)\\d*');
    const most = await connected(t, { homes }, { failing: { path, code: LODGIFY_CODES.notFound } });
    assert.equal((await most.system.catalogue(patient)).properties.length, 1);
    const failing = { path: rooms('430003'), code: LODGIFY_CODES.notAuthorized };
    const keyless = await connected(t, { homes }, { failing });
    await assert.rejects(keyless.system.catalogue(patient), { kind: 'rejected' });
  });

  it('samples the other homes when the price of one fails', async (t) => {
    const homes = [1, 2, 3, 4].map((id) => aHome({ id, cancellation: 'Half is kept.' }));
    const path = /^\/v2\/quote\/430001\?/;
    const policiesOf = async ({ system }: Awaited<ReturnType<typeof connected>>) =>
      (await system.catalogue(patient)).properties.map(({ cancellation }) =>
        cancellation.summary.slice(0, 13),
      );
    const coded = await connected(t, { homes }, { failing: { path, code: LODGIFY_CODES.paymentError } });
    const expected = ['The cancellat', 'Half is kept.', 'Half is kept.', 'Half is kept.'];
    assert.deepEqual(await policiesOf(coded), expected);
    const bare = await connected(t, { homes });
    bare.emulator.setFault('error_500', 'quote', path);
    assert.deepEqual(await policiesOf(bare), expected);
  });

  it('holds back the calendar of one home, and fails as a whole when the key is refused', async (t) => {
    const homes = [1, 2].map((id) => aHome({ id }));
    for (const statuses of ['documented', 'by_kind'] as const) {
      for (const path of [/^\/v2\/availability\/430001/, /^\/v2\/rates\/calendar\?.*HouseId=430001/]) {
        const read = async (code: LodgifyCode) => {
          const failing = { path, code };
          const { system, emulator } = await connected(t, { homes }, { failing, statuses });
          await system.catalogue(patient);
          return system.calendars([1, 2].map(emulator.referenceOf), { from: TODAY, nights: 40 }, patient);
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
        const { system, emulator } = await connected(t, { homes }, { failing: { path, code }, statuses });
        await system.catalogue(patient);
        const references = [1, 2].map(emulator.referenceOf);
        assert.deepEqual(kindsOf(await system.quote({ references, ...STAY }, patient)), [expected, 'quoted']);
      }
    }
  });

  it('reads homes while prices fail, asks for no more of them, and samples the policies later', async (t) => {
    const homes = Array.from({ length: 6 }, (_, index) =>
      aHome({ id: index + 1, cancellation: 'Half is kept.' }),
    );
    const entry = { rate_limits: NO_LIMITS, cancellation_text: 'No refunds at all.' };
    const { system, emulator } = await connected(t, { homes, entry });
    const policies = async () =>
      new Set((await system.catalogue(patient)).properties.map(({ cancellation }) => cancellation.summary));
    emulator.setFault('error_500', 'quote');
    assert.deepEqual(await policies(), new Set(['No refunds at all.']));
    assert.ok(emulator.requests.filter(({ kind }) => kind === 'quote').length <= 2);
    emulator.setFault(null);
    assert.deepEqual(await policies(), new Set(['Half is kept.']));
  });

  it('knows the rooms of its homes after a restart, before it reads anything', async (t) => {
    const { system, emulator, reconnect } = await connected(t, { homes: [aHome({ id: 1 })] });
    await system.catalogue(patient);
    const before = emulator.requests.length;
    const outcomes = await reconnect().quote({ references: [emulator.referenceOf(1)], ...STAY }, patient);
    assert.deepEqual(kindsOf(outcomes), ['quoted']);
    assert.equal(emulator.requests.length, before + 1);
  });

  it('reads the details of a home that has not changed once', async (t) => {
    const { system, emulator } = await connected(t, { homes: [aHome({ id: 1 })] });
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
      const { system, emulator } = await connected(t, { homes }, changes);
      await system.catalogue(patient);
      assert.deepEqual(
        kindsOf(await system.quote({ references: [emulator.referenceOf(1)], ...early }, patient)),
        [reason],
      );
    }
  });

  it('quotes the same total where VAT is shown apart', async (t) => {
    const { system, emulator } = await connected(
      t,
      { homes: [aHome({ id: 1 })] },
      { vatExclusivePercent: 23 },
    );
    await system.catalogue(patient);
    const [outcome] = await system.quote({ references: [emulator.referenceOf(1)], ...STAY }, patient);
    assert.ok(outcome?.kind === 'quoted');
    const truth = emulator.priceOf(1, formatDay(STAY.checkIn), formatDay(STAY.checkOut), 2);
    assert.ok('total' in truth);
    assert.equal(outcome.quote.total, truth.total);
    assert.equal(
      outcome.quote.lines.reduce((sum, { amount }) => sum + amount, 0),
      truth.total,
    );
  });

  it('says that a key is not accepted', async (t) => {
    for (const statuses of ['documented', 'by_kind'] as const) {
      const vendor = lodgify({ statuses });
      const connection = await connectVendor(
        {
          ...vendor,
          async start(options) {
            const emulator = await vendor.start(options);
            return new Proxy(emulator, {
              get: (target, name) =>
                name === 'credentials' ? { api_key: 'wrong-key' } : Reflect.get(target, name),
            });
          },
        },
        { homes: [aHome()] },
      );
      t.after(() => connection.close());
      await assert.rejects(connection.system.catalogue(patient), (error) => {
        assert.ok(error instanceof BookingSystemFailure);
        assert.deepEqual(
          [error.kind, error.message],
          ['rejected', 'Lodgify does not accept the api_key of the account test'],
        );
        return true;
      });
    }
  });
});
