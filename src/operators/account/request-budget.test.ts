import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { BookingSystemFailure } from '../../quotes/booking-system.ts';
import { createRequestBudget, type RateWindow } from './request-budget.ts';

const patient = new AbortController().signal;
const PER_SECOND: RateWindow = { requests: 4, perMs: 1000 };
const isSpent = (error: unknown) => error instanceof BookingSystemFailure && error.kind === 'rate_limited';

describe('the budget of an account', () => {
  it('lets live calls use all of a window, and background calls leave a quarter of it', async () => {
    const clock = createFakeClock(0);
    const budget = createRequestBudget({ windows: [PER_SECOND], clock });
    const began: string[] = [];
    const call = async (urgency: 'live' | 'background') => {
      const permit = await budget.take({ urgency, withinMs: 60_000, signal: patient });
      began.push(urgency);
      permit.done();
    };
    const calls = [...Array.from({ length: 6 }, () => call('background')), call('live')];
    await clock.settle();
    assert.deepEqual(began, ['background', 'background', 'background', 'live']);
    await clock.advance(999);
    assert.equal(began.length, 4);
    await clock.advance(1);
    assert.equal(began.length, 7);
    await Promise.all(calls);
    assert.equal(clock.pendingTimers, 0);
  });

  it('lets a live call that waits go before background calls that came earlier', async () => {
    const clock = createFakeClock(0);
    const budget = createRequestBudget({ windows: [{ requests: 1, perMs: 1000 }], clock });
    const began: string[] = [];
    const call = async (name: string, urgency: 'live' | 'background') => {
      const permit = await budget.take({ urgency, withinMs: 60_000, signal: patient });
      began.push(name);
      permit.done();
    };
    const calls = [call('first', 'live'), call('sync', 'background'), call('price', 'live')];
    await clock.advance(2000);
    await Promise.all(calls);
    assert.deepEqual(began, ['first', 'price', 'sync']);
  });

  it('refuses at once what would have to wait too long, and gives up what waits in vain', async () => {
    const clock = createFakeClock(0);
    const budget = createRequestBudget({ windows: [{ requests: 1, perMs: 10_000 }], clock });
    const first = await budget.take({ urgency: 'live', withinMs: 100, signal: patient });
    const behind = budget.take({ urgency: 'live', withinMs: 4000, signal: patient });
    first.done();
    await assert.rejects(behind, isSpent);
    await assert.rejects(budget.take({ urgency: 'live', withinMs: 9999, signal: patient }), isSpent);
    const inTime = budget.take({ urgency: 'live', withinMs: 10_000, signal: patient });
    await clock.advance(10_000);
    (await inTime).done();
  });

  it('gives up a call that waits for an answer that does not come', async () => {
    const clock = createFakeClock(0);
    const budget = createRequestBudget({ windows: [{ requests: 1, perMs: 1000 }], clock });
    await budget.take({ urgency: 'live', withinMs: 100, signal: patient });
    const waiting = budget.take({ urgency: 'live', withinMs: 4000, signal: patient });
    const rejected = assert.rejects(waiting, isSpent);
    await clock.advance(4000);
    await rejected;
  });

  it('counts what a call has cost, and pauses when the vendor says so', async () => {
    const clock = createFakeClock(0);
    const budget = createRequestBudget({ windows: [{ requests: 10, perMs: 1000 }], clock });
    (await budget.take({ urgency: 'live', withinMs: 0, signal: patient })).done(9.5);
    await assert.rejects(budget.take({ urgency: 'live', withinMs: 500, signal: patient }), isSpent);
    await clock.advance(1000);
    (await budget.take({ urgency: 'live', withinMs: 0, signal: patient })).done();
    budget.pause(3000);
    await assert.rejects(budget.take({ urgency: 'live', withinMs: 2999, signal: patient }), isSpent);
    const later = budget.take({ urgency: 'live', withinMs: 3000, signal: patient });
    await clock.advance(3000);
    (await later).done();
    budget.learn(0, 5000);
    await assert.rejects(budget.take({ urgency: 'live', withinMs: 4999, signal: patient }), isSpent);
  });

  it('sends one call after the other where the vendor wants it so, live ones first', async () => {
    const clock = createFakeClock(0);
    const budget = createRequestBudget({ windows: [PER_SECOND], maxInFlight: 1, clock });
    const began: string[] = [];
    const call = async (name: string, urgency: 'live' | 'background') => {
      const permit = await budget.take({ urgency, withinMs: 500, signal: patient });
      began.push(name);
      return permit;
    };
    const first = call('first', 'background');
    const second = call('second', 'background');
    const late = call('late', 'live');
    await clock.advance(300);
    assert.deepEqual(began, ['first']);
    (await first).done();
    await clock.settle();
    assert.deepEqual(began, ['first', 'late']);
    await Promise.all([assert.rejects(second, isSpent), clock.advance(300)]);
    assert.deepEqual(began, ['first', 'late']);
    (await late).done();
    assert.equal(clock.pendingTimers, 0);
  });

  it('leaves the line when its caller does', async () => {
    const clock = createFakeClock(0);
    const budget = createRequestBudget({ windows: [{ requests: 1, perMs: 1000 }], clock });
    const first = await budget.take({ urgency: 'live', withinMs: 0, signal: patient });
    const leaving = new AbortController();
    const gone = budget.take({ urgency: 'live', withinMs: 9000, signal: leaving.signal });
    const next = budget.take({ urgency: 'live', withinMs: 9000, signal: patient });
    leaving.abort(new Error('gone'));
    await assert.rejects(gone, /gone/);
    first.done();
    await clock.advance(1000);
    (await next).done();
    assert.equal(clock.pendingTimers, 0);
  });

  it('never sends more than a window allows, however the vendor counts within the time of a call', async () => {
    const window = fc.record({
      requests: fc.integer({ min: 1, max: 6 }),
      perMs: fc.integer({ min: 10, max: 300 }),
    });
    const call = fc.record({
      pauseMs: fc.integer({ min: 0, max: 40 }),
      takesMs: fc.integer({ min: 0, max: 200 }),
      countedAt: fc.double({ min: 0, max: 1, noNaN: true }),
      urgency: fc.constantFrom('live' as const, 'background' as const),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(window, { minLength: 1, maxLength: 3 }),
        fc.array(call, { maxLength: 40 }),
        async (windows, calls) => {
          const clock = createFakeClock(0);
          const budget = createRequestBudget({ windows, clock });
          const counted: number[] = [];
          let ended = 0;
          for (const { pauseMs, takesMs, countedAt, urgency } of calls) {
            await clock.advance(pauseMs);
            void budget.take({ urgency, withinMs: 1_000_000, signal: patient }).then((permit) => {
              counted.push(clock.elapsed() + takesMs * countedAt);
              clock.after(takesMs, () => {
                permit.done();
                ended += 1;
              });
            });
          }
          await clock.advance(1_000_000);
          assert.equal(ended, calls.length, 'every call was made');
          for (const { requests, perMs } of windows) {
            for (const at of counted) {
              const within = counted.filter((other) => other >= at && other < at + perMs).length;
              assert.ok(within <= requests, `${within} in ${perMs} ms, ${requests} are allowed`);
            }
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});
