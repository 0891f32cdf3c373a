import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { BookingSystem, QuoteOutcome } from '../../src/quotes/booking-system.ts';
import type { Emulator } from '../emulators/emulator.ts';
import { aHome } from '../emulators/homes.ts';
import { converse, STAY } from '../support/conversation.ts';
import { NOON } from '../support/network.ts';
import { startTestService } from '../support/test-service.ts';
import { connectVendorFor, networkOn } from './connected-vendor.ts';
import { HORIZON, patient } from './usual-request.ts';
import { TODAY } from './vendor-clock.ts';
import { type EmulatedVendorSystem, VENDORS, vendorOf } from './vendors.ts';
import { verdictOf } from './verdict.ts';
import { withoutWaiting } from './without-waiting.ts';

/** The vendors' own limits are for minutes and hours; both sides are told this one. */
const LIMIT = { requests: 6, perMs: 300 };
const LIMITED_ENTRY = {
  rate_limits: [{ requests: LIMIT.requests, seconds: LIMIT.perMs / 1000 }],
  timeout_ms: 30_000,
};
/** What may be sent for calendars before the first price is in the line and after the last: their share of two windows. */
const MAX_CALENDARS_BEFORE_PRICES = 8;
const homes = Array.from({ length: 8 }, (_, index) => aHome({ id: index + 1 }));

const limitsOf = ({ isLimited }: EmulatedVendorSystem, limit = LIMIT) => [
  { ...limit, ...(isLimited ? { applies: isLimited } : {}) },
];

function priceOf(
  system: BookingSystem,
  { referenceOf }: Emulator,
  id: number,
  arrival = 3,
  askedBy?: readonly string[],
) {
  const stay = { checkIn: TODAY + arrival, checkOut: TODAY + arrival + 3, guests: 2, currency: 'EUR' };
  return system.quote({ references: [referenceOf(id)], ...stay, askedBy }, patient);
}

/** Each calendar on its own, so that all of them wait in the line at once. */
function readCalendars(system: BookingSystem, { referenceOf }: Emulator): Promise<string[]>[] {
  return homes.map(async ({ id }) => {
    const readings = await system.calendars([referenceOf(id)], HORIZON, patient);
    return [...readings.values()].map(({ kind }) => kind);
  });
}

function verdictsOf(outcomes: readonly (readonly QuoteOutcome[])[]): readonly (string | undefined)[] {
  return [...new Set(outcomes.flat().map(verdictOf))];
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 2));
}

describe('the budget of an account', { concurrency: VENDORS.length }, () => {
  for (const vendor of VENDORS) {
    it(`at ${vendor.name} is never exceeded by a burst of prices during a synchronisation, prices go first, and all are read in the end`, async (t) => {
      const { system, emulator } = await connectVendorFor(t, vendor, {
        homes,
        limits: limitsOf(vendor),
        entry: LIMITED_ENTRY,
      });
      await system.catalogue(patient);
      const alone = emulator.requests.length;
      await priceOf(system, emulator, 1);
      const callsForAPrice = emulator.requests.length - alone;

      const beforeCalendars = emulator.requests.length;
      let calendarsRead = 0;
      const calendars = [...readCalendars(system, emulator), ...readCalendars(system, emulator)];
      for (const one of calendars) one.then(() => (calendarsRead += 1));
      await until(() => emulator.requests.length > beforeCalendars);

      const beforePrices = emulator.requests.length;
      const burst = homes.flatMap(({ id }) => [
        priceOf(system, emulator, id),
        priceOf(system, emulator, id, 9),
      ]);
      const prices = await Promise.all(burst);
      const sent = emulator.requests.length - beforePrices;
      assert.deepEqual(verdictsOf(prices), ['quoted']);
      const calendarsMeanwhile = sent - burst.length * callsForAPrice;
      assert.ok(
        calendarsMeanwhile <= MAX_CALENDARS_BEFORE_PRICES,
        `${calendarsMeanwhile} requests for calendars went before prices`,
      );
      assert.ok(calendarsRead < calendars.length, 'the rest of the calendars waited');

      assert.deepEqual(new Set((await Promise.all(calendars)).flat()), new Set(['valid']));
      const { exceeded, refused, most } = emulator.budget;
      assert.deepEqual({ exceeded, refused }, { exceeded: 0, refused: 0 });
      assert.ok(Math.max(...most) <= LIMIT.requests, `${most} in a window`);
      assert.ok(Math.max(...most) > LIMIT.requests / 2, 'and it is made use of');
    });

    it(`at ${vendor.name} has prices for a modest assistant in every window, while a greedy one goes on`, async (t) => {
      const limit = { requests: 40, perMs: 60_000 };
      const few = homes.slice(0, 4);
      const { system, emulator, clock } = await connectVendorFor(t, vendor, {
        homes: few,
        limits: limitsOf(vendor, limit),
        entry: { rate_limits: [{ requests: 40, seconds: 60 }], timeout_ms: 3000 },
      });
      await system.catalogue(patient);
      clock.skip(limit.perMs);
      for (let halfWindow = 0; halfWindow < 6; halfWindow += 1) {
        const greedy: (readonly QuoteOutcome[])[] = [];
        for (let round = 0; round < 10; round += 1) {
          const asked = few.map(({ id }) => priceOf(system, emulator, id, 3, ['greedy', 'anyone']));
          greedy.push(...(await Promise.all(asked)));
        }
        assert.ok(verdictsOf(greedy).includes('rate_limited'), 'it wants more than there is');
        const price = await priceOf(system, emulator, 1, 3, ['modest', 'anyone']);
        assert.deepEqual(verdictsOf([price]), ['quoted'], `in half window ${halfWindow}`);
        clock.skip(limit.perMs / 2);
      }
      const { exceeded, refused } = emulator.budget;
      assert.deepEqual({ exceeded, refused }, { exceeded: 0, refused: 0 });
    });

    it(`at ${vendor.name} is still used up after a restart, and a pause is still kept`, async (t) => {
      const limit = { requests: 40, perMs: 60_000 };
      const { system, emulator, clock, reconnect } = await connectVendorFor(t, vendor, {
        homes: homes.slice(0, 4),
        limits: limitsOf(vendor, limit),
        entry: { rate_limits: [{ requests: 40, seconds: 60 }], timeout_ms: 3000 },
      });
      await system.catalogue(patient);
      const prices: (readonly QuoteOutcome[])[] = [];
      while (!verdictsOf(prices).includes('rate_limited')) {
        prices.push(await priceOf(system, emulator, 1 + (prices.length % 4), 3 + prices.length));
      }
      await system.close();
      const sent = emulator.requests.length;
      const second = reconnect();
      assert.deepEqual(verdictsOf([await priceOf(second, emulator, 1)]), ['rate_limited']);
      assert.equal(emulator.requests.length, sent);
      const { exceeded, refused } = emulator.budget;
      assert.deepEqual({ exceeded, refused }, { exceeded: 0, refused: 0 });

      clock.skip(limit.perMs);
      emulator.setFault('rate_limited', 'quote');
      assert.deepEqual(verdictsOf([await priceOf(second, emulator, 1)]), ['rate_limited']);
      emulator.setFault(null);
      await second.close();
      const sentBeforePause = emulator.requests.length;
      const third = reconnect();
      assert.deepEqual(verdictsOf([await priceOf(third, emulator, 2)]), ['rate_limited']);
      assert.equal(emulator.requests.length, sentBeforePause, 'the vendor is left alone');
      clock.skip(limit.perMs);
      assert.deepEqual(verdictsOf([await priceOf(third, emulator, 2)]), ['quoted']);
    });
  }
});

describe('the budget that no entry sets', () => {
  const MAX_PRICES = 1100;
  // QloApps has no limits of its own.
  for (const vendor of VENDORS.filter(({ kind }) => kind !== 'qloapps')) {
    it(`at ${vendor.name} is within what the vendor documents`, async (t) => {
      const entry = { rate_limits: undefined, timeout_ms: 30_000 };
      const { system, emulator, clock } = await connectVendorFor(t, vendor, {
        homes,
        limits: 'documented',
        entry,
      });
      await withoutWaiting(system.catalogue(patient), emulator, clock);
      const endsAt = clock.now() + 60_000;
      const prices: (readonly QuoteOutcome[])[] = [];
      // Until it is used up, or a minute of short windows has passed.
      while (
        !verdictsOf(prices).includes('rate_limited') &&
        prices.length < MAX_PRICES &&
        clock.now() < endsAt
      ) {
        const burst = Promise.all(homes.map(({ id }) => priceOf(system, emulator, id)));
        prices.push(...(await withoutWaiting(burst, emulator, clock)));
      }
      assert.ok(verdictsOf(prices).includes('quoted'));
      const { exceeded, refused } = emulator.budget;
      assert.deepEqual({ exceeded, refused }, { exceeded: 0, refused: 0 });
    });
  }
});

/** Over two homes of an account that may send forty requests a minute, of which none is spent. */
async function serviceWithFortyRequests(
  t: TestContext,
  options: Pick<Parameters<typeof startTestService>[0], 'registry'> = {},
) {
  const vendor = vendorOf('lodgify');
  const emulator = await vendor.start({
    homes: homes.slice(0, 2),
    limits: [{ requests: 1_000_000, perMs: 60_000 }],
    now: () => NOON,
  });
  const entry = { rate_limits: [{ requests: 40, seconds: 60 }] };
  const { file, env } = networkOn({ dune: { vendor, emulator, entry } });
  const service = await startTestService({ network: file, env, ...options });
  t.after(async () => {
    await service.close();
    await emulator.close();
  });
  service.time.now += 61_000;
  return { service, emulator };
}

describe('an answer of the service', () => {
  it('says when asking again is of use to whoever has used up its share', async (t) => {
    const { service, emulator } = await serviceWithFortyRequests(t);
    const search = async (day: number) => {
      const stay = { check_in_day: `2027-04-${day}`, check_out: `2027-04-${day + 3}` };
      const { send } = await converse(service);
      return (await send({ ...STAY, destination: 'lisbon', ...stay })).body;
    };
    const notBefore = new Date(service.time.now + 60_000).toISOString().replace('.000', '');
    let last = await search(10);
    for (let day = 11; day < 28 && last.results.length === 2; day += 1) {
      assert.equal(last.available_requests.ask_again, undefined);
      last = await search(day);
    }
    assert.equal(last.results.length, 1, 'the share of a caller alone is odd');
    assert.equal(last.available_requests.ask_again.not_before, notBefore);
    const sent = emulator.requests.length;
    const none = await search(27);
    assert.equal(none.error, 'upstream_unavailable');
    assert.equal(none.retry_after_seconds, 60);
    assert.equal(emulator.requests.length, sent, 'the vendor is not asked');
    service.time.now += 60_000;
    assert.equal((await search(27)).results.length, 2, 'and then it is of use');
  });

  it('names the brands that could not be asked, because their vendors take no more requests', async (t) => {
    const [spent, well] = [vendorOf('guesty'), vendorOf('lodgify')];
    const options = {
      homes: homes.slice(0, 2),
      limits: [{ requests: 1_000_000, perMs: 60_000 }],
      now: () => NOON,
    };
    const [spentEmulator, wellEmulator] = [await spent.start(options), await well.start(options)];
    const { file, env } = networkOn({
      harbor: { vendor: spent, emulator: spentEmulator, account: 'harbor' },
      dune: { vendor: well, emulator: wellEmulator, account: 'dune' },
    });
    const service = await startTestService({ network: file, env });
    t.after(async () => {
      await service.close();
      await Promise.all([spentEmulator.close(), wellEmulator.close()]);
    });
    const search = async () => (await (await converse(service)).search({ destination: 'lisbon' })).body;
    const SENTENCE =
      'At least one brand gave no usable answer for some homes or for all: Brand harbor (rate limited, until 2027-03-01T12:01:00Z); coverage counts them.';

    const before = await search();
    assert.equal(before.results.length, 4);
    assert.ok(!before.notes.includes('no usable answer'), before.notes);

    spentEmulator.setFault('rate_limited', 'quote');
    const refused = await search();
    spentEmulator.setFault(null);
    const sent = spentEmulator.requests.length;
    const unasked = await search();
    assert.equal(spentEmulator.requests.length, sent, 'the vendor is left alone');
    for (const { results, notes, comparison_set } of [refused, unasked]) {
      assert.equal(results.length, 2);
      assert.ok(notes.includes(SENTENCE), notes);
      const { failed } = comparison_set.coverage.find(
        ({ brand }: { brand: string }) => brand === 'Brand harbor',
      );
      assert.ok(failed > 0);
    }
    assert.equal(unasked.available_requests.ask_again.not_before, '2027-03-01T12:01:00Z');
    assert.match(unasked.notes, /asks once more\. Before 2027-03-01T12:01:00Z that is of no use\./);

    wellEmulator.setFault('rate_limited', 'quote');
    const stay = {
      destination: 'lisbon',
      check_in_month: '2027-04',
      check_in_day: '2027-04-10',
      check_out: '2027-04-13',
      guests: '2',
    };
    const none = (await (await converse(service)).send(stay)).body;
    assert.equal(none.error, 'upstream_unavailable');
    assert.equal(
      none.message,
      'No booking system gave a usable answer: Brand dune (rate limited), Brand harbor (rate limited). It does not mean that nothing is free.',
    );
    assert.equal(none.retry_after_seconds, 5, 'as long as the first of them rests');
    const locked = await converse(service, 'harbor');
    const resting = (await locked.send({ brand_locked: true, ...stay })).body;
    assert.equal(resting.error, 'upstream_unavailable');
    assert.match(resting.message, /usable answer: Brand harbor \(rate limited\)\./);
    assert.equal(resting.retry_after_seconds, 60);
    service.time.now += 10_000;
    assert.equal((await locked.read()).body.retry_after_seconds, 50);
    assert.equal((await locked.result()).body.retry_after_seconds, 50);
    wellEmulator.setFault(null);

    service.time.now += 61_000;
    const after = await search();
    assert.equal(after.results.length, 4);
    assert.ok(!after.notes.includes('no usable answer'), after.notes);
  });
});
