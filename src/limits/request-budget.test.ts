import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { BookingSystemFailure } from './booking-system-failure.ts';
import { createRequestBudget } from './node-budget.ts';
import { requestBudgetContract } from './request-budget.contract.ts';
import type { RateWindow } from './window-count.ts';

const patient = new AbortController().signal;
const PER_SECOND: RateWindow = { requests: 4, perMs: 1000 };
const isSpent = (error: unknown) => error instanceof BookingSystemFailure && error.kind === 'rate_limited';

requestBudgetContract(
  'of one process',
  async (terms) => {
    const clock = createFakeClock(0);
    const budget = createRequestBudget({ ...terms, clock });
    return { nodes: [budget, budget], elapsed: clock.elapsed, pass: clock.advance };
  },
  { canEndAlone: false },
);

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

  it('says how much of the window is used of which most is used, with what is on its way', async () => {
    const clock = createFakeClock(0);
    const windows = [PER_SECOND, { requests: 10, perMs: 60_000 }];
    const budget = createRequestBudget({ windows, clock });
    assert.equal(createRequestBudget({ windows: [], clock }).use(), null);
    const take = () => budget.take({ urgency: 'live', withinMs: 0, signal: patient });
    const [first] = [await take(), await take()];
    assert.deepEqual(budget.use(), { used: 2, of: 4, perSeconds: 1 });
    first.done(3);
    assert.deepEqual(budget.use(), { used: 4, of: 4, perSeconds: 1 });
    await clock.advance(1000);
    assert.deepEqual(
      budget.use(),
      { used: 4, of: 10, perSeconds: 60 },
      'a second later the minute is fuller',
    );
    await clock.advance(60_000);
    assert.deepEqual(budget.use(), { used: 1, of: 4, perSeconds: 1 });
  });

  it('says how long no live call may go', async () => {
    const clock = createFakeClock(0);
    const budget = createRequestBudget({ windows: [{ requests: 2, perMs: 10_000 }], clock });
    const take = () => budget.take({ urgency: 'live', withinMs: 100, signal: patient });
    assert.equal(budget.restsForMs(), 0);
    const [first, second] = [await take(), await take()];
    assert.equal(budget.restsForMs(), 0, 'it depends on the answers');
    budget.pause(700);
    assert.equal(budget.restsForMs(), 700);
    first.done();
    second.done();
    await clock.advance(4000);
    assert.equal(budget.restsForMs(), 6000, 'the window is used up');
    budget.pause(180_000);
    assert.equal(budget.restsForMs(), 180_000);
    await clock.advance(180_000);
    assert.equal(budget.restsForMs(), 0);
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

  it('breaks off a call that gives way when a live one waits for its place, but not before it had a second', async () => {
    const clock = createFakeClock(0);
    const budget = createRequestBudget({ windows: [PER_SECOND], maxInFlight: 1, clock });
    const turn = { withinMs: 60_000, signal: patient };
    const slow = await budget.take({ ...turn, urgency: 'background', givesWay: true });
    slow.giveWay?.addEventListener('abort', () => slow.done());
    await clock.advance(300);
    assert.equal(slow.giveWay?.aborted, false, 'nobody needs its place');
    let isLiveSent = false;
    const live = budget.take({ ...turn, urgency: 'live' }).then((permit) => {
      isLiveSent = true;
      return permit;
    });
    await clock.advance(699);
    assert.equal(isLiveSent, false);
    await clock.advance(1);
    assert.equal(slow.giveWay?.aborted, true);
    (await live).done();

    const token = await budget.take({ ...turn, urgency: 'background' });
    assert.equal(token.giveWay, undefined, 'one that cannot be repeated is left alone');
    token.done();
    const unlimited = createRequestBudget({ windows: [PER_SECOND], clock });
    const beside = await unlimited.take({ ...turn, urgency: 'background', givesWay: true });
    assert.equal(beside.giveWay, undefined, 'one that is in nobody’s way too');
    beside.done();
    assert.equal(clock.pendingTimers, 0);
  });

  it('breaks nothing off for a live call that the vendor would not take anyway', async () => {
    const clock = createFakeClock(0);
    const budget = createRequestBudget({ windows: [PER_SECOND], maxInFlight: 1, clock });
    const slow = await budget.take({
      urgency: 'background',
      withinMs: 0,
      signal: patient,
      givesWay: true,
    });
    budget.pause(9000);
    const live = budget.take({ urgency: 'live', withinMs: 8000, signal: patient });
    const refused = assert.rejects(live, isSpent);
    await clock.advance(8000);
    await refused;
    assert.equal(slow.giveWay?.aborted, false);
    slow.done();
  });

  it('lets a background call go to its end in time, however many live ones there are', async () => {
    for (const maxInFlight of [1, Number.POSITIVE_INFINITY]) {
      const clock = createFakeClock(0);
      const windows = [{ requests: 4, perMs: 4000 }];
      const budget = createRequestBudget({ windows, maxInFlight, clock });
      const endedAt: number[] = [];
      let livesSent = 0;
      let isOver = false;
      const livePrices = async () => {
        while (!isOver) {
          const permit = await budget.take({ urgency: 'live', withinMs: 60_000, signal: patient });
          livesSent += 1;
          await new Promise<void>((resolve) => clock.after(500, resolve));
          permit.done();
        }
      };
      const synchronisation = async () => {
        while (!isOver) {
          const permit = await budget.take({
            urgency: 'background',
            withinMs: 1_000_000,
            signal: patient,
            givesWay: true,
          });
          await new Promise<void>((resolve) => {
            const cancel = clock.after(20_000, () => {
              endedAt.push(clock.elapsed());
              resolve();
            });
            permit.giveWay?.addEventListener('abort', () => {
              cancel();
              resolve();
            });
          });
          permit.done();
        }
      };
      const work = [...Array.from({ length: 8 }, livePrices), synchronisation()];
      await clock.advance(600_000);
      isOver = true;
      assert.ok(endedAt.length >= 3, `${endedAt.length} came to their end`);
      assert.ok(endedAt.length <= 6, 'and most of the time is for live ones');
      assert.ok(livesSent > 300, `${livesSent} live calls`);
      await clock.advance(100_000);
      await Promise.all(work);
      assert.equal(clock.pendingTimers, 0);
    }
  });

  it('breaks a call off no more when it gave way for two minutes, though live ones come one by one', async () => {
    const clock = createFakeClock(0);
    const budget = createRequestBudget({ windows: [{ requests: 99, perMs: 1 }], maxInFlight: 1, clock });
    let begun = 0;
    let gaveWay = 0;
    const synchronisation = async () => {
      for (;;) {
        const permit = await budget.take({
          urgency: 'background',
          withinMs: 1_000_000,
          signal: patient,
          givesWay: true,
        });
        begun += 1;
        const hasEnded = await new Promise<boolean>((resolve) => {
          const cancel = clock.after(20_000, () => resolve(true));
          permit.giveWay?.addEventListener('abort', () => {
            cancel();
            resolve(false);
          });
        });
        permit.done();
        if (hasEnded) return;
        gaveWay += 1;
      }
    };
    let isOver = false;
    const reading = synchronisation().then(() => {
      isOver = true;
    });
    for (let seconds = 0; seconds < 200 && !isOver; seconds += 5) {
      void budget
        .take({ urgency: 'live', withinMs: 30_000, signal: patient })
        .then((permit) => permit.done());
      await clock.advance(5000);
    }
    await clock.advance(20_000);
    await reading;
    assert.ok(gaveWay >= 20 && gaveWay <= 25, `it gave way ${gaveWay} times`);
    assert.equal(begun, gaveWay + 1);
    assert.equal(clock.pendingTimers, 0);
  });

  it('makes a call in the background a live one when a traveller comes to need it', async () => {
    const clock = createFakeClock(0);
    const budget = createRequestBudget({ windows: [{ requests: 2, perMs: 10_000 }], clock });
    (await budget.take({ urgency: 'live', withinMs: 0, signal: patient })).done();
    const needed = new AbortController();
    const hurry = { signal: needed.signal, withinMs: 100 };
    const token = budget.take({ urgency: 'background', withinMs: 60_000, signal: patient, hurry });
    let isSent = false;
    void token.then(() => {
      isSent = true;
    });
    await clock.advance(1000);
    assert.equal(isSent, false);
    needed.abort();
    await clock.settle();
    assert.equal(isSent, true);
    (await token).done();
    const late = new AbortController();
    const never = budget.take({
      urgency: 'background',
      withinMs: 60_000,
      signal: patient,
      hurry: { signal: late.signal, withinMs: 100 },
    });
    late.abort();
    await assert.rejects(never, isSpent, 'and waits no longer than a live one');
    const before = budget.take({
      urgency: 'background',
      withinMs: 60_000,
      signal: patient,
      hurry: { signal: AbortSignal.abort(), withinMs: 100 },
    });
    await assert.rejects(before, isSpent, 'also when it was needed before it came');
    assert.equal(clock.pendingTimers, 0);
  });

  it('tells of each wait once, and lets nobody at a terminal wait too long', async () => {
    const clock = createFakeClock(Date.UTC(2027, 0, 15, 12));
    const told: number[] = [];
    const budget = createRequestBudget({
      windows: [{ requests: 100, perMs: 1000 }],
      account: 'the account harbour at guesty',
      maxWaitMs: 60_000,
      onWait: (milliseconds) => told.push(milliseconds),
      clock,
    });
    const turn = { urgency: 'background' as const, withinMs: 7_200_000, signal: patient };
    (await budget.take(turn)).done();
    budget.pause(1500);
    const soon = budget.take(turn);
    await clock.advance(1500);
    (await soon).done();
    assert.deepEqual(told, [], 'a short one is not worth a word');
    budget.pause(40_000);
    const several = [budget.take(turn), budget.take(turn), budget.take(turn)];
    await clock.advance(40_000);
    for (const permit of await Promise.all(several)) permit.done();
    assert.deepEqual(told, [40_000]);
    budget.pause(3_600_000);
    await assert.rejects(budget.take(turn), {
      kind: 'rate_limited',
      message: 'the account harbour at guesty can be sent no more requests before 2027-01-15 13:00:42 UTC',
    });
    const waiting = createRequestBudget({ windows: [PER_SECOND], maxWaitMs: 60_000, clock });
    waiting.pause(10_000);
    const given = assert.rejects(waiting.take(turn), isSpent);
    await clock.advance(5000);
    waiting.pause(3_600_000);
    await given;
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
      perMs: fc.oneof(fc.integer({ min: 10, max: 300 }), fc.integer({ min: 5000, max: 20_000 })),
    });
    const call = fc.record({
      pauseMs: fc.integer({ min: 0, max: 40 }),
      takesMs: fc.integer({ min: 0, max: 200 }),
      countedAt: fc.double({ min: 0, max: 1, noNaN: true }),
      urgency: fc.constantFrom('live' as const, 'background' as const),
      askedBy: fc.constantFrom(undefined, ['one', 'here'], ['one', 'there'], ['two', 'here']),
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
          for (const { pauseMs, takesMs, countedAt, urgency, askedBy } of calls) {
            await clock.advance(pauseMs);
            void budget.take({ urgency, withinMs: 1_000_000, signal: patient, askedBy }).then((permit) => {
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
    );
  });
});
