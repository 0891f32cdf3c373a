import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { BookingSystemFailure, type QuoteOutcome } from '../../src/quotes/booking-system.ts';
import { formatDay } from '../../src/stay/day.ts';
import { aHome } from '../emulators/homes.ts';
import { type LodgifyOptions, startLodgify } from '../emulators/lodgify.ts';
import { connectVendor, NO_LIMITS } from './connected-vendor.ts';
import { TODAY } from './vendor-clock.ts';
import type { EmulatedVendorSystem } from './vendors.ts';

const patient = new AbortController().signal;
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

  it('falls back to the operator’s own words, or says that there are none', async (t) => {
    const homes = [aHome({ id: 1, minimumStay: () => 100 })];
    const bare = await connected(t, { homes });
    const { properties, heldBack } = await bare.system.catalogue(patient);
    assert.match(properties[0]?.cancellation.summary ?? '', /states no cancellation policy/);
    assert.deepEqual(
      heldBack.map(({ field, rule, repaired }) => [field, rule, repaired]),
      [['cancellation/summary', 'missing_member', true]],
    );
    const entry = { rate_limits: NO_LIMITS, cancellation_text: 'No refunds at all.' };
    const told = await connected(t, { homes, entry });
    const [home] = (await told.system.catalogue(patient)).properties;
    assert.equal(home?.cancellation.summary, 'No refunds at all.');
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
