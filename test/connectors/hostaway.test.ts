import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { systemClock } from '../../src/clock.ts';
import { hostawayConnector } from '../../src/operators/hostaway/connector.ts';
import { bookingSystemContract } from '../../src/quotes/booking-system.contract.ts';
import {
  BookingSystemFailure,
  type FailureKind,
  type QuoteOutcome,
} from '../../src/quotes/booking-system.ts';
import { formatDay, parseDay } from '../../src/stay/day.ts';
import type { FaultKind } from '../emulators/faults.ts';
import { aHome } from '../emulators/homes.ts';
import { HOSTAWAY_PRIVATE_VALUES, policyIdOf } from '../emulators/hostaway/listings.ts';
import { type HostawayOptions, startHostaway } from '../emulators/hostaway.ts';
import { connectAccount } from './connected-account.ts';
import { createVendorClock, TODAY } from './vendor-clock.ts';

const patient = new AbortController().signal;
const entry = { rate_limits: [{ requests: 10_000, seconds: 1 }] };
const day = (text: string) => parseDay(text) ?? Number.NaN;
const FROM = TODAY;
const horizon = { from: FROM, nights: 60 };
/** How long the connector leaves a new token alone. */
const TOKEN_WAIT_MS = 1100;

/** Both the connector and the emulator skip the wait for a new token. */
const hurriedClock = () => createVendorClock({ skippedWaitMs: TOKEN_WAIT_MS });

async function setUp(t: TestContext, options: Partial<HostawayOptions> = {}, more: object = {}) {
  const clock = hurriedClock();
  const emulator = await startHostaway({ homes: [aHome()], now: clock.now, limits: 'off', ...options });
  const connect = (changes: Partial<Parameters<typeof connectAccount>[0]> = {}) => {
    const system = connectAccount({
      connector: hostawayConnector,
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

const stay = (changes: object = {}) => ({
  checkIn: FROM + 5,
  checkOut: FROM + 8,
  guests: 2,
  currency: 'EUR',
  ...changes,
});

bookingSystemContract('Hostaway', {
  async newSystem() {
    const clock = hurriedClock();
    const emulator = await startHostaway({ homes: [aHome()], now: clock.now, limits: 'off' });
    emulator.book(1, '2027-01-25', '2027-01-27');
    return {
      system: connectAccount({ connector: hostawayConnector, emulator, entry, clock }),
      reference: emulator.referenceOf(1),
      currency: 'EUR',
      maxGuests: 4,
      horizon,
      free: { checkIn: FROM + 5, checkOut: FROM + 8 },
      taken: { checkIn: day('2027-01-25'), checkOut: day('2027-01-27') },
      release: () => emulator.close(),
    };
  },
});

describe('Hostaway', () => {
  it('gives all pages of the listings, with names of amenities and policies, and nothing private', async (t) => {
    const homes = [1, 2, 3, 4, 5].map((id) => aHome({ id, amenities: ['wifi', 'roof_terrace'] }));
    const { system, emulator } = await setUp(t, { homes, pageSize: 2 });
    const reading = await system.catalogue(patient);
    assert.deepEqual(reading.heldBack, []);
    assert.deepEqual(reading.unmappedAmenities, [{ amenity: 'roof terrace', listings: 5 }]);
    assert.deepEqual(
      reading.properties.map(({ reference }) => reference),
      [1, 2, 3, 4, 5].map((id) => emulator.referenceOf(id)),
    );
    const [first] = reading.properties;
    assert.ok(first);
    assert.deepEqual(
      [first.name, first.checkInTime, first.checkOutTime, first.amenities, first.rating, first.location],
      [
        'Harbour House 1',
        '16:00',
        '10:00',
        { wifi: 'Wi-Fi' },
        { score: 9.2, scale: 10, reviewCount: null },
        'Lisbon, Portugal',
      ],
    );
    // The listing names the policy of other channels.
    assert.match(first.cancellation.summary, /14 days before arrival/);
    assert.deepEqual([first.cancellation.free, first.cancellation.refundable ?? null], [null, null]);
    assert.equal(new URL(first.url).host, emulator.websiteHost);
    const text = JSON.stringify(reading);
    for (const secret of Object.values(HOSTAWAY_PRIVATE_VALUES)) assert.ok(!text.includes(secret), secret);
    assert.ok(emulator.requests.every(({ path }) => !/calendar.*includeResources/.test(path)));
  });

  it('promises what the policy of direct bookings refunds, when the owner has named it', async (t) => {
    const homes = [aHome()];
    const { system } = await setUp(t, { homes }, { direct_policy_id: policyIdOf(homes[0] ?? aHome()) });
    const [first] = (await system.catalogue(patient)).properties;
    assert.deepEqual(first?.cancellation.free, { daysBefore: 14, time: '00:00' });
    assert.equal(first?.cancellation.refundable, true);
  });

  for (const depositInTotal of [true, false]) {
    it(`prices a stay to the cent, with the deposit ${depositInTotal ? 'taken out' : 'beside it'}`, async (t) => {
      const homes = [aHome({ nightlyPrice: (text) => 99_99 + Number(text.slice(-2)), taxPercent: 7 })];
      const { system, emulator, reference } = await setUp(t, { homes, depositInTotal });
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
        assert.deepEqual(outcome.quote.deposit, { amount: 200_00, refundable: true });
      }
    });
  }

  for (const priceDetails of ['prices_everything', 'checks_the_stay'] as const) {
    it(`finds the reason of a refusal in the calendar, when the calculation ${priceDetails}`, async (t) => {
      const homes = [
        aHome({
          minimumStay: () => 3,
          maximumStay: 10,
          closedToArrival: (text) => text === '2027-04-05',
          closedToDeparture: (text) => text === '2027-04-06',
        }),
      ];
      const { system, emulator, reference } = await setUp(t, { homes, priceDetails });
      await system.catalogue(patient);
      emulator.book(1, '2027-01-25', '2027-01-27');
      const reasonOf = async (checkIn: string, checkOut: string, guests = 2) => {
        const asked = stay({ checkIn: day(checkIn), checkOut: day(checkOut), guests });
        const [outcome] = await system.quote({ references: [reference], ...asked }, patient);
        return outcome?.kind === 'unavailable' ? outcome.reason : outcome?.kind;
      };
      assert.equal(await reasonOf('2027-01-24', '2027-01-28'), 'booked');
      assert.equal(await reasonOf('2027-01-17', '2027-01-18'), 'minimum_stay');
      assert.equal(await reasonOf('2027-04-10', '2027-04-25'), 'maximum_stay');
      assert.equal(await reasonOf('2027-04-05', '2027-04-09'), 'closed_to_arrival');
      assert.equal(await reasonOf('2027-04-02', '2027-04-06'), 'closed_to_departure');
      assert.equal(await reasonOf('2027-01-17', '2027-01-21', 5), 'too_many_guests');
      assert.equal(await reasonOf('2027-01-17', '2027-01-21'), 'quoted');
    });
  }

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
    for (const where of ['quote', 'calendar'] as const) {
      it(`answers ${expected} when the ${where} of a stay has the fault ${fault}`, async (t) => {
        const { system, emulator, reference } = await setUp(t, {}, { timeout_ms: 800 });
        await system.catalogue(patient);
        emulator.setFault(fault as FaultKind, where);
        const [outcome] = await system.quote({ references: [reference], ...stay() }, patient);
        assert.equal(kindOf(outcome), expected);
        assert.equal(emulator.redirectFollowed(), false);
      });
    }
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
      await assert.rejects(system.calendars([reference], horizon, patient), isSo, fault);
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
    const { system, clock, emulator, reference } = await setUp(t);
    await system.catalogue(patient);
    clock.skip(3_600_000);
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
    const system = connect({ credentials: { account_id: '1', api_key: 'hush-hush' } });
    await assert.rejects(system.catalogue(patient), (error: unknown) => {
      assert.ok(error instanceof BookingSystemFailure);
      assert.equal(error.kind, 'rejected');
      assert.equal(
        error.message,
        'Hostaway does not accept the account_id and api_key of the account harbour',
      );
      return true;
    });
  });

  it('waits for a new token to become valid, and stays within the published limits in a burst', async (t) => {
    const homes = Array.from({ length: 8 }, (_, index) => aHome({ id: index + 1 }));
    const emulator = await startHostaway({ homes, now: systemClock.now, limits: 'documented' });
    const system = connectAccount({
      connector: hostawayConnector,
      emulator,
      entry: { timeout_ms: 20_000 },
    });
    t.after(async () => {
      await system.close();
      await emulator.close();
    });
    await system.catalogue(patient);
    const soon = Math.floor(systemClock.now() / 86_400_000) + 5;
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
    assert.equal(emulator.tokensIssued(), 1);
  });
});

function kindOf(outcome: QuoteOutcome | undefined): string | undefined {
  return outcome?.kind === 'failed' ? outcome.failure : outcome?.kind;
}
