import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { systemClock } from '../../src/clock.ts';
import { guestyConnector } from '../../src/operators/guesty/connector.ts';
import { bookingSystemContract } from '../../src/quotes/booking-system.contract.ts';
import {
  BookingSystemFailure,
  type FailureKind,
  type QuoteOutcome,
} from '../../src/quotes/booking-system.ts';
import { formatDay, parseDay } from '../../src/stay/day.ts';
import type { FaultKind } from '../emulators/faults.ts';
import { type GuestyOptions, startGuesty } from '../emulators/guesty.ts';
import { aHome } from '../emulators/homes.ts';
import { connectAccount } from './connected-account.ts';

const patient = new AbortController().signal;
const POLICY = 'Free until 14 days before arrival.';
const entry = { cancellation_text: POLICY, rate_limits: [{ requests: 10_000, seconds: 1 }] };
/** The emulator's own day; the connector waits by the system's clock. */
const NOW = Date.parse('2027-03-10T12:00:00Z');
/** The emulator's clock stands still, so its windows never empty. */
const WIDE = [{ requests: 1_000_000, perMs: 1000 }];
const day = (text: string) => parseDay(text) ?? Number.NaN;
const FROM = day('2027-03-10');
const horizon = { from: FROM, nights: 60 };

async function setUp(t: TestContext, options: Partial<GuestyOptions> = {}, more: object = {}) {
  const emulator = await startGuesty({ homes: [aHome()], now: () => NOW, limits: WIDE, ...options });
  const connect = (changes: Partial<Parameters<typeof connectAccount>[0]> = {}) => {
    const system = connectAccount({
      connector: guestyConnector,
      emulator,
      entry: { ...entry, ...more },
      ...changes,
    });
    t.after(() => system.close());
    return system;
  };
  t.after(() => emulator.close());
  return { emulator, connect, system: connect(), reference: emulator.referenceOf(1) };
}

const stay = (changes: object = {}) => ({
  checkIn: FROM + 5,
  checkOut: FROM + 8,
  guests: 2,
  currency: 'EUR',
  ...changes,
});

bookingSystemContract('Guesty', {
  async newSystem() {
    const emulator = await startGuesty({ homes: [aHome()], now: () => NOW, limits: WIDE });
    emulator.book(1, '2027-03-20', '2027-03-22');
    return {
      system: connectAccount({ connector: guestyConnector, emulator, entry }),
      reference: emulator.referenceOf(1),
      currency: 'EUR',
      maxGuests: 4,
      horizon,
      free: { checkIn: FROM + 5, checkOut: FROM + 8 },
      taken: { checkIn: day('2027-03-20'), checkOut: day('2027-03-22') },
      release: () => emulator.close(),
    };
  },
});

describe('Guesty', () => {
  it('gives all pages of the listings, with the terms that the list leaves out', async (t) => {
    const homes = [1, 2, 3, 4, 5].map((id) => aHome({ id, amenities: ['wifi', 'roof_terrace'] }));
    const { system, emulator } = await setUp(t, { homes, pageSize: 2 });
    const { properties, heldBack, unmappedAmenities } = await system.catalogue(patient);
    assert.deepEqual(heldBack, []);
    assert.deepEqual(unmappedAmenities, [{ amenity: 'Roof terrace', listings: 5 }]);
    assert.deepEqual(
      properties.map(({ reference }) => reference),
      [1, 2, 3, 4, 5].map((id) => emulator.referenceOf(id)),
    );
    const [first] = properties;
    assert.ok(first);
    assert.deepEqual(
      [first.name, first.checkInTime, first.checkOutTime, first.amenities, first.rating, first.location],
      [
        'Harbour House 1',
        '16:00',
        '10:00',
        { wifi: 'Wi-Fi' },
        { score: 9.2, scale: 10, reviewCount: 38 },
        'Lisbon, Portugal',
      ],
    );
    assert.equal(first.cancellation.summary, POLICY);
    assert.equal(first.url, `http://${emulator.websiteHost}/homes/${first.reference}`);
    const before = emulator.requests.length;
    await system.catalogue(patient);
    assert.equal(emulator.requests.length - before, 3, 'terms are not asked for again within a day');
  });

  for (const answers of ['live', 'documented'] as const) {
    it(`prices a stay to the cent, in answers as they are ${answers}`, async (t) => {
      const homes = [aHome({ nightlyPrice: (text) => 99_99 + Number(text.slice(-2)), taxPercent: 7 })];
      const { system, emulator, reference } = await setUp(t, { homes, answers, ratePlans: 'two' });
      await system.catalogue(patient);
      for (let arrival = 1; arrival < 12; arrival += 1) {
        const asked = stay({ checkIn: FROM + arrival, checkOut: FROM + arrival + 2 + (arrival % 3) });
        const [outcome] = await system.quote({ references: [reference], ...asked }, patient);
        const price = emulator.priceOf(1, formatDay(asked.checkIn), formatDay(asked.checkOut), 2);
        assert.ok(outcome?.kind === 'quoted' && 'total' in price, JSON.stringify([outcome, price]));
        assert.equal(outcome.quote.total, price.total);
        assert.equal(
          outcome.quote.lines.reduce((sum, { amount }) => sum + amount, 0),
          price.total,
        );
        assert.equal(outcome.quote.heldUntil, NOW + 86_400_000);
      }
    });
  }

  for (const answers of ['live', 'documented'] as const) {
    it(`shows a price under the policy of its plan, in answers as they are ${answers}`, async (t) => {
      const summaryOf = async (options: Partial<GuestyOptions>) => {
        const { system, reference } = await setUp(t, { answers, ...options });
        await system.catalogue(patient);
        const [outcome] = await system.quote({ references: [reference], ...stay() }, patient);
        assert.ok(outcome?.kind === 'quoted', JSON.stringify(outcome));
        return outcome.quote.cancellation?.summary;
      };
      assert.equal(await summaryOf({}), aHome().cancellation);
      assert.equal(
        await summaryOf({ ratePlans: 'two', standardPolicy: ['non_refundable'] }),
        'Cancellation policy: non_refundable',
      );
      assert.match(
        (await summaryOf({ ratePlans: 'two', standardPolicy: null })) ?? '',
        /states no cancellation policy/,
      );
      assert.equal(await summaryOf({ standardPolicy: null }), undefined, 'the listing’s is the only one');
    });
  }

  it('names the reason of a refusal', async (t) => {
    const homes = [aHome({ minimumStay: () => 3, maximumStay: 10 })];
    for (const answers of ['live', 'documented'] as const) {
      const { system, emulator, reference } = await setUp(t, { homes, answers });
      await system.catalogue(patient);
      emulator.book(1, '2027-03-20', '2027-03-22');
      const reasonOf = async (changes: object) => {
        const [outcome] = await system.quote({ references: [reference], ...stay(changes) }, patient);
        return outcome?.kind === 'unavailable' ? outcome.reason : outcome?.kind;
      };
      assert.equal(await reasonOf({ checkIn: day('2027-03-19'), checkOut: day('2027-03-23') }), 'booked');
      assert.equal(await reasonOf({ checkOut: FROM + 6 }), 'minimum_stay');
      assert.equal(await reasonOf({ guests: 5 }), 'too_many_guests');
      const tooLong = await reasonOf({ checkIn: FROM + 25, checkOut: FROM + 40 });
      assert.equal(tooLong, answers === 'live' ? 'maximum_stay' : 'booked');
    }
  });

  const OUTCOMES: Readonly<Record<FaultKind, FailureKind>> = {
    slow: 'timeout',
    error_500: 'server_error',
    truncated_json: 'garbled',
    wrong_types: 'garbled',
    html_error_page: 'garbled',
    redirect: 'garbled',
    oversized: 'too_large',
    drip_fed: 'timeout',
    // A token that is refused as soon as it was issued is refused for another reason than its age.
    expired_token: 'rejected',
    empty_body: 'garbled',
    connection_reset: 'unreachable',
    rate_limited: 'rate_limited',
  };
  for (const [fault, expected] of Object.entries(OUTCOMES)) {
    it(`answers ${expected} to a quote call with the fault ${fault}`, async (t) => {
      const { system, emulator, reference } = await setUp(t, {}, { timeout_ms: 800 });
      await system.catalogue(patient);
      emulator.setFault(fault as FaultKind, 'quote');
      const [outcome] = await system.quote({ references: [reference], ...stay() }, patient);
      assert.equal(kindOf(outcome), expected);
      assert.equal(emulator.redirectFollowed(), false);
    });
  }

  it('fails as a whole when no listing or calendar can be read', async (t) => {
    const { system, emulator, reference } = await setUp(t);
    await system.catalogue(patient);
    for (const [fault, kind] of [
      ['error_500', 'server_error'],
      ['truncated_json', 'garbled'],
      ['wrong_types', 'garbled'],
      ['html_error_page', 'garbled'],
    ] as const) {
      emulator.setFault(fault);
      const isSo = (error: unknown) => error instanceof BookingSystemFailure && error.kind === kind;
      await assert.rejects(system.catalogue(patient), isSo, fault);
      if (fault === 'wrong_types') {
        const readings = await system.calendars([reference], horizon, patient);
        assert.equal(readings.get(reference)?.kind, 'invalid');
      } else await assert.rejects(system.calendars([reference], horizon, patient), isSo, fault);
    }
  });

  it('uses one token for many calls, and the same one after a restart', async (t) => {
    const disk = new Map();
    const { connect, emulator, reference } = await setUp(t);
    const first = connect({ disk });
    await first.catalogue(patient);
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        first.quote(
          { references: [reference], ...stay({ checkIn: FROM + 1 + index, checkOut: FROM + 4 + index }) },
          patient,
        ),
      ),
    );
    await first.close();
    const again = connect({ disk });
    const [outcome] = await again.quote({ references: [reference], ...stay() }, patient);
    assert.equal(outcome?.kind, 'quoted', 'what the catalogue said is kept too');
    assert.equal(emulator.tokensIssued(), 1);
  });

  it('renews a token once that ends in the middle, however many calls need it', async (t) => {
    const { connect, emulator, reference } = await setUp(t);
    let sinceIssue = 0;
    const system = connect({ clock: { ...systemClock, now: () => systemClock.now() + sinceIssue } });
    await system.catalogue(patient);
    sinceIssue = 3_600_000;
    emulator.expireTokens();
    const outcomes = await Promise.all(
      [0, 1, 2, 3, 4, 5].map((shift) =>
        system.quote(
          { references: [reference], ...stay({ checkIn: FROM + 5 + shift, checkOut: FROM + 8 + shift }) },
          patient,
        ),
      ),
    );
    assert.ok(
      outcomes.flat().every(({ kind }) => kind === 'quoted'),
      JSON.stringify(outcomes),
    );
    assert.equal(emulator.tokensIssued(), 2);
  });

  it('says whose credentials are not accepted, and not what they are', async (t) => {
    const { connect } = await setUp(t);
    const system = connect({ credentials: { client_id: 'somebody', client_secret: 'hush-hush' } });
    await assert.rejects(system.catalogue(patient), (error: unknown) => {
      assert.ok(error instanceof BookingSystemFailure);
      assert.equal(error.kind, 'rejected');
      assert.equal(
        error.message,
        'Guesty does not accept the client_id and client_secret of the account harbour',
      );
      return true;
    });
  });

  it('stays within the published limits in a burst', async (t) => {
    const homes = Array.from({ length: 12 }, (_, index) => aHome({ id: index + 1 }));
    const emulator = await startGuesty({ homes, now: () => Date.now(), limits: 'documented' });
    const system = connectAccount({
      connector: guestyConnector,
      emulator,
      entry: { cancellation_text: POLICY, timeout_ms: 10_000 },
    });
    t.after(async () => {
      await system.close();
      await emulator.close();
    });
    await system.catalogue(patient);
    const soon = Math.floor(Date.now() / 86_400_000) + 5;
    const outcomes = await system.quote(
      {
        references: homes.map(({ id }) => emulator.referenceOf(id)),
        ...stay({ checkIn: soon, checkOut: soon + 3 }),
      },
      patient,
    );
    assert.ok(
      outcomes.every(({ kind }) => kind === 'quoted'),
      JSON.stringify(outcomes),
    );
    assert.equal(emulator.budget.refused, 0);
    assert.equal(emulator.budget.exceeded, 0);
  });
});

function kindOf(outcome: QuoteOutcome | undefined): string | undefined {
  return outcome?.kind === 'failed' ? outcome.failure : outcome?.kind;
}
