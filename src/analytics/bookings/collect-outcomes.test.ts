import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { createOutcomesInMemory } from '../../../test/support/outcomes-in-memory.ts';
import type { BookingReports, ReportedBooking } from '../../quotes/booking.ts';
import { type ReportingSystem, startCollectingOutcomes } from './collect-outcomes.ts';

const START = Date.UTC(2026, 10, 17, 12);
const [HOUR, DAY] = [3_600_000, 86_400_000];
const BOOKING: ReportedBooking = {
  brand: 'casas',
  reference: 'R1',
  nxq: null,
  status: 'booked',
  bookedAt: START - DAY,
  amount: 120000,
  currency: 'EUR',
};
// Half of the spread, so that pauses are as long as they are meant.
const random = { bytes: (count: number) => Buffer.alloc(count, 0x80) };

type Answer = BookingReports | null | Error;

function setUp(answers: (call: number) => Answer, { leads = (): boolean => true } = {}) {
  const clock = createFakeClock(START);
  const outcomes = createOutcomesInMemory();
  const calls: { readonly at: number; readonly since: number }[] = [];
  const seen: string[] = [];
  const system: ReportingSystem = {
    async bookings(since) {
      calls.push({ at: clock.now() - START, since });
      const answer = answers(calls.length);
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
  const collecting = startCollectingOutcomes({
    systems: new Map([
      ['casas', system],
      ['silent', {}],
    ]),
    mayAsk: leads,
    ledger: { findQuotes: async () => [] },
    outcomes,
    clock,
    random,
    everyMs: HOUR,
    observe: {
      collected: (brand, { bookings, leftOut, tooMany }) =>
        seen.push(`${brand} ${bookings} ${leftOut} ${tooMany}`),
      failed: (brand, failure) => seen.push(`${brand} ${failure}`),
    },
  });
  return { clock, outcomes, calls, seen, collecting };
}

describe('collecting outcomes', () => {
  it('asks once an hour, from a while before the last report', async () => {
    const { clock, outcomes, calls, seen, collecting } = setUp(() => ({ bookings: [BOOKING], leftOut: 2 }));
    await clock.advance(2.5 * HOUR);
    assert.equal(calls.length, 3);
    assert.ok((calls[0]?.at ?? HOUR) < HOUR / 4, 'soon after the start');
    assert.equal(calls[0]?.since, START + (calls[0]?.at ?? 0) - 90 * DAY);
    assert.equal(calls[1]?.since, START + (calls[0]?.at ?? 0) - 7 * DAY);
    assert.equal((calls[2]?.at ?? 0) - (calls[1]?.at ?? 0) > 0.8 * HOUR, true);
    assert.deepEqual(
      (await outcomes.all()).map(({ reference }) => reference),
      ['R1'],
    );
    assert.equal(seen[0], 'casas 1 2 0');
    await collecting.stop();
    assert.equal(clock.pendingTimers, 0);
  });

  it('takes ten thousand bookings at once, and keeps a hundred thousand of a brand, whatever its operator invents', async () => {
    const invented = (call: number) =>
      Array.from({ length: 12_000 }, (_, number) => ({
        ...BOOKING,
        nxq: null,
        reference: `${call}-${number}`,
      }));
    const { clock, outcomes, seen, collecting } = setUp((call) => ({ bookings: invented(call), leftOut: 3 }));
    await clock.advance(14 * HOUR);
    assert.equal(seen[0], 'casas 10000 3 2000');
    assert.equal(seen.at(-1), 'casas 0 3 12000');
    assert.equal(await outcomes.count('casas'), 100_000);
    await collecting.stop();
  });

  it('hears of a cancellation although nothing more of the brand is kept', async () => {
    const cancelled = { ...BOOKING, reference: '99999', status: 'cancelled' } as const;
    const invented = { ...BOOKING, reference: 'one more' };
    const { clock, outcomes, seen, collecting } = setUp(() => ({
      bookings: [invented, cancelled],
      leftOut: 0,
    }));
    const kept = { ...BOOKING, reportedAt: START - HOUR, collectedAt: null, quote: null };
    await outcomes.put(
      Array.from({ length: 100_000 }, (_, number) => ({ ...kept, reference: String(number) })),
    );
    await clock.advance(HOUR / 4);
    assert.deepEqual(seen, ['casas 1 0 1']);
    assert.equal(await outcomes.count('casas'), 100_000);
    assert.deepEqual(
      (await outcomes.all()).filter(({ status }) => status === 'cancelled').map(({ reference }) => reference),
      ['99999'],
    );
    await collecting.stop();
  });

  it('reaches far back the first time, also after bookings came in a file', async () => {
    const { clock, outcomes, calls, collecting } = setUp(() => ({ bookings: [], leftOut: 0 }));
    await outcomes.put([
      { ...BOOKING, reference: 'F1', reportedAt: START - HOUR, collectedAt: null, quote: null },
    ]);
    await clock.advance(HOUR / 4);
    assert.deepEqual(
      calls.map(({ at, since }) => START + at - since),
      [90 * DAY],
    );
    await collecting.stop();
  });

  it('leaves a system alone for a day that does not report bookings', async () => {
    const { clock, calls, seen, collecting } = setUp(() => null);
    await clock.advance(20 * HOUR);
    assert.equal(calls.length, 1);
    await clock.advance(8 * HOUR);
    assert.equal(calls.length, 2);
    assert.deepEqual(seen, []);
    await collecting.stop();
  });

  it('waits twice as long after each failure, a day at most, and an hour again after a success', async () => {
    const { clock, calls, collecting } = setUp((call) =>
      call < 8 ? new Error('away') : { bookings: [], leftOut: 0 },
    );
    await clock.advance(6 * DAY);
    const pauses = calls.slice(1).map(({ at }, index) => Math.round((at - (calls[index]?.at ?? 0)) / HOUR));
    assert.deepEqual(pauses.slice(0, 9), [2, 4, 8, 16, 24, 24, 24, 1, 1]);
    await collecting.stop();
  });

  it('takes bookings of the brand that was asked alone', async () => {
    const other = { ...BOOKING, brand: 'silent' };
    const { clock, outcomes, seen, collecting } = setUp(() => ({ bookings: [other, BOOKING], leftOut: 0 }));
    await clock.advance(HOUR / 2);
    assert.deepEqual(seen, ['casas 1 1 0']);
    assert.deepEqual(
      (await outcomes.all()).map(({ brand }) => brand),
      ['casas'],
    );
    await collecting.stop();
  });

  it('ends a call that is under way when it stops', async () => {
    const clock = createFakeClock(START);
    let wasAborted = false;
    const system: ReportingSystem = {
      bookings: (_, signal) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => {
            wasAborted = true;
            reject(signal.reason);
          }),
        ),
    };
    const failures: unknown[] = [];
    const collecting = startCollectingOutcomes({
      systems: new Map([['casas', system]]),
      mayAsk: () => true,
      ledger: { findQuotes: async () => [] },
      outcomes: createOutcomesInMemory(),
      clock,
      random,
      everyMs: HOUR,
      observe: { collected() {}, failed: (_, failure) => failures.push(failure) },
    });
    await clock.advance(HOUR);
    await collecting.stop();
    assert.deepEqual([wasAborted, failures, clock.pendingTimers], [true, [], 0]);
  });
});
