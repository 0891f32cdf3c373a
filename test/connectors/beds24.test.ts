import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { beds24Connector } from '../../src/operators/beds24/connector.ts';
import { bookingSystemContract } from '../../src/quotes/booking-system.contract.ts';
import {
  BookingSystemFailure,
  type FailureKind,
  type QuoteOutcome,
} from '../../src/quotes/booking-system.ts';
import { formatDay, parseDay } from '../../src/stay/day.ts';
import { type Beds24Options, startBeds24 } from '../emulators/beds24.ts';
import type { FaultKind } from '../emulators/faults.ts';
import { aHome } from '../emulators/homes.ts';
import { connectAccount } from './connected-account.ts';
import { createVendorClock, TODAY } from './vendor-clock.ts';

const patient = new AbortController().signal;
const day = (text: string) => parseDay(text) ?? Number.NaN;
const horizon = { from: TODAY, nights: 60 };
const entry = { rate_limits: [{ requests: 10_000, seconds: 1 }] };
const stay = { checkIn: TODAY + 5, checkOut: TODAY + 8, guests: 2, currency: 'EUR' };

async function setUp(t: TestContext, options: Partial<Beds24Options> = {}, more: object = {}) {
  const clock = createVendorClock();
  const emulator = await startBeds24({ homes: [aHome()], now: clock.now, limits: 'off', ...options });
  const connect = (changes: Partial<Parameters<typeof connectAccount>[0]> = {}) => {
    const system = connectAccount({
      connector: beds24Connector,
      emulator,
      entry: { ...entry, ...more },
      clock,
      ...changes,
    });
    t.after(() => system.close());
    return system;
  };
  t.after(() => emulator.close());
  return { emulator, connect, clock, system: connect(), reference: emulator.referenceOf(1) };
}

const kindOf = (outcome: QuoteOutcome | undefined) =>
  outcome?.kind === 'failed' ? outcome.failure : outcome?.kind;
const failsAs = (kind: FailureKind) => (error: unknown) =>
  error instanceof BookingSystemFailure && error.kind === kind;

bookingSystemContract('Beds24', {
  async newSystem() {
    const clock = createVendorClock();
    // Its headers say what is left, whether it refuses anything or not.
    const limits = [{ requests: 10_000, perMs: 300_000 }];
    const emulator = await startBeds24({ homes: [aHome()], now: clock.now, limits });
    emulator.book(1, '2027-01-25', '2027-01-27');
    return {
      system: connectAccount({ connector: beds24Connector, emulator, entry, clock }),
      reference: emulator.referenceOf(1),
      currency: 'EUR',
      maxGuests: 4,
      horizon,
      free: { checkIn: TODAY + 5, checkOut: TODAY + 8 },
      taken: { checkIn: day('2027-01-25'), checkOut: day('2027-01-27') },
      release: () => emulator.close(),
    };
  },
});

describe('Beds24', () => {
  it('gives all pages of the room types, and nothing private', async (t) => {
    const homes = [1, 2, 3, 4, 5].map((id) => aHome({ id, amenities: ['wifi', 'roof_terrace'] }));
    const { system, emulator } = await setUp(t, { homes, pageSize: 2 });
    const { properties, heldBack, unmappedAmenities } = await system.catalogue(patient);
    assert.deepEqual(heldBack, []);
    assert.deepEqual(
      properties.map(({ reference }) => reference),
      [1, 2, 3, 4, 5].map((id) => emulator.referenceOf(id)),
    );
    const [first] = properties;
    assert.ok(first);
    assert.deepEqual([first.checkInTime, first.checkOutTime, first.maxGuests], ['16:00', '10:00', 4]);
    assert.ok('wifi' in (first.amenities ?? {}));
    assert.ok((unmappedAmenities ?? []).every(({ listings }) => listings === 5));
    assert.doesNotMatch(JSON.stringify(properties), /private|@|\+351/);
  });

  it('prices many rooms with one call, to the cent, and keeps the deposit out', async (t) => {
    const homes = Array.from({ length: 30 }, (_, index) =>
      aHome({
        id: index + 1,
        nightlyPrice: (text) => 99_99 + Number(text.slice(-2)) + index,
        deposit: index * 50_00,
      }),
    );
    const { system, emulator } = await setUp(t, { homes });
    await system.catalogue(patient);
    emulator.book(7, '2027-01-21', '2027-01-22');
    const before = emulator.requests.length;
    const references = homes.map(({ id }) => emulator.referenceOf(id));
    const outcomes = await system.quote({ references, ...stay }, patient);
    for (const [index, outcome] of outcomes.entries()) {
      const price = emulator.priceOf(index + 1, formatDay(stay.checkIn), formatDay(stay.checkOut), 2);
      assert.equal(outcome.reference, references[index]);
      if ('refused' in price) {
        assert.deepEqual(outcome, {
          kind: 'unavailable',
          reference: references[index],
          reason: 'booked',
        });
        continue;
      }
      assert.ok(outcome.kind === 'quoted', JSON.stringify(outcome));
      assert.equal(outcome.quote.total, price.total);
      assert.deepEqual(outcome.quote.lines, []);
      assert.deepEqual(
        outcome.quote.deposit,
        index === 0 ? null : { amount: index * 50_00, refundable: true },
      );
    }
    assert.equal(emulator.requests.length - before, 2, 'one for the prices, one for the reason of a refusal');
  });

  it('shows the property’s policy only for a price that it can be the policy of', async (t) => {
    const policyOf = async (options: Partial<Beds24Options>, more: object = {}) => {
      const { system, reference } = await setUp(t, options, more);
      await system.catalogue(patient);
      const [outcome] = await system.quote({ references: [reference], ...stay }, patient);
      assert.ok(outcome?.kind === 'quoted', JSON.stringify(outcome));
      return outcome.quote.cancellation;
    };
    assert.equal(await policyOf({}), undefined);
    assert.equal(await policyOf({ offers: 'two' }, { offer_id: 2 }), undefined);
    const unstated = await policyOf({ offers: 'two' });
    assert.match(unstated?.summary ?? '', /states no cancellation policy/);
    assert.deepEqual([unstated?.free, unstated?.refundable], [null, null]);
  });

  it('gives the policy in whatever language there is', async (t) => {
    for (const textLanguage of ['de', 'EN']) {
      const { system } = await setUp(t, { textLanguage });
      const { properties, heldBack } = await system.catalogue(patient);
      assert.deepEqual(heldBack, []);
      assert.equal(properties[0]?.cancellation.summary, aHome().cancellation);
    }
  });

  it('finds the reason of a refusal in the calendar', async (t) => {
    const homes = [
      aHome({
        minimumStay: () => 3,
        maximumStay: 10,
        closedToArrival: (text) => text === '2027-02-10',
        closedToDeparture: (text) => text === '2027-02-11',
      }),
    ];
    const { system, emulator, reference } = await setUp(t, { homes });
    await system.catalogue(patient);
    emulator.book(1, '2027-01-25', '2027-01-27');
    const reasonOf = async (checkIn: string, checkOut: string, guests = 2) => {
      const asked = { ...stay, checkIn: day(checkIn), checkOut: day(checkOut), guests };
      const [outcome] = await system.quote({ references: [reference], ...asked }, patient);
      return outcome?.kind === 'unavailable' ? outcome.reason : outcome?.kind;
    };
    assert.equal(await reasonOf('2027-01-24', '2027-01-28'), 'booked');
    assert.equal(await reasonOf('2027-01-17', '2027-01-18'), 'minimum_stay');
    assert.equal(await reasonOf('2027-02-15', '2027-03-02'), 'maximum_stay');
    assert.equal(await reasonOf('2027-02-10', '2027-02-14'), 'closed_to_arrival');
    assert.equal(await reasonOf('2027-02-07', '2027-02-11'), 'closed_to_departure');
    assert.equal(await reasonOf('2027-01-17', '2027-01-21', 5), 'too_many_guests');
    assert.equal(await reasonOf('2027-01-17', '2027-01-21'), 'quoted');
  });

  it('does not know the reason when the calendar of a refused stay cannot be read', async (t) => {
    const { system, emulator, reference } = await setUp(t);
    await system.catalogue(patient);
    emulator.book(1, '2027-01-20', '2027-01-25');
    emulator.setFault('error_500', 'calendar');
    assert.deepEqual(await system.quote({ references: [reference], ...stay }, patient), [
      { kind: 'unavailable', reference, reason: 'not_offered' },
    ]);
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
    it(`answers ${expected} when the price of a stay has the fault ${fault}`, async (t) => {
      const { system, emulator, reference } = await setUp(t, {}, { timeout_ms: 800 });
      await system.catalogue(patient);
      emulator.setFault(fault as FaultKind, 'quote');
      const [outcome] = await system.quote({ references: [reference], ...stay }, patient);
      assert.equal(kindOf(outcome), expected);
      assert.equal(emulator.redirectFollowed(), false);
    });
  }

  it('fails as a whole when no room or calendar can be read', async (t) => {
    const { system, emulator, reference } = await setUp(t);
    await system.catalogue(patient);
    for (const [fault, kind] of [
      ['error_500', 'server_error'],
      ['truncated_json', 'garbled'],
      ['wrong_types', 'garbled'],
      ['html_error_page', 'garbled'],
    ] as const) {
      emulator.setFault(fault);
      await assert.rejects(system.catalogue(patient), failsAs(kind), fault);
      await assert.rejects(system.calendars([reference], horizon, patient), failsAs(kind), fault);
    }
  });

  it('says whose credentials are wrong', async (t) => {
    const { connect } = await setUp(t);
    const system = connect({ credentials: { refresh_token: 'wrong' } });
    await assert.rejects(
      system.catalogue(patient),
      (error: Error) =>
        failsAs('rejected')(error) && /refresh_token of the account harbour/.test(error.message),
    );
  });

  it('uses one token for many calls, and the same one after a restart', async (t) => {
    const disk = new Map();
    const { connect, emulator, reference } = await setUp(t);
    const first = connect({ disk });
    await first.catalogue(patient);
    await Promise.all(
      Array.from({ length: 10 }, () => first.quote({ references: [reference], ...stay }, patient)),
    );
    await first.close();
    const again = connect({ disk });
    const [outcome] = await again.quote({ references: [reference], ...stay }, patient);
    assert.equal(outcome?.kind, 'quoted', 'what the catalogue said is kept too');
    assert.equal(emulator.tokensIssued(), 1);
  });

  it('renews a token once that ends in the middle, however many calls need it', async (t) => {
    const { system, clock, emulator, reference } = await setUp(t);
    await system.catalogue(patient);
    clock.skip(3_600_000);
    emulator.expireTokens();
    const outcomes = await Promise.all(
      Array.from({ length: 6 }, () => system.quote({ references: [reference], ...stay }, patient)),
    );
    assert.ok(
      outcomes.flat().every(({ kind }) => kind === 'quoted'),
      JSON.stringify(outcomes),
    );
    assert.equal(emulator.tokensIssued(), 2);
  });

  for (const limitHeaders of ['wiki', 'openapi'] as const) {
    it(`never spends more credits than there are in a burst, with the headers of the ${limitHeaders}`, async (t) => {
      const { connect, emulator, reference } = await setUp(t, { limits: 'documented', limitHeaders });
      const system = connect({ entry: { timeout_ms: 2000 } });
      await system.catalogue(patient);
      const outcomes = await Promise.all(
        Array.from({ length: 150 }, () => system.quote({ references: [reference], ...stay }, patient)),
      );
      const kinds = Object.groupBy(outcomes.flat(), (outcome) => kindOf(outcome) ?? '');
      assert.deepEqual(
        [emulator.budget.exceeded, emulator.budget.refused],
        [0, 0],
        JSON.stringify(emulator.budget),
      );
      assert.ok((kinds.quoted?.length ?? 0) > 80, JSON.stringify(Object.keys(kinds)));
      assert.ok((kinds.rate_limited?.length ?? 0) > 0);
    });
  }

  it('sends its calls one after the other', async (t) => {
    const { system, emulator, reference } = await setUp(t, {}, { timeout_ms: 300 });
    await system.catalogue(patient);
    const before = emulator.requests.length;
    emulator.setFault('slow', 'quote');
    await Promise.all([0, 1, 2].map(() => system.quote({ references: [reference], ...stay }, patient)));
    assert.equal(
      emulator.requests.length - before,
      1,
      'the others were still waiting when their time was over',
    );
  });
});
