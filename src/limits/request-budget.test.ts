import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { BookingSystemFailure } from './booking-system-failure.ts';
import { requestBudgetContract } from './request-budget.contract.ts';
import { createRequestBudget } from './request-budget.ts';
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
  });

  it('has a command at a terminal wait no longer than it allows, and says until when the account rests', async () => {
    const clock = createFakeClock(Date.UTC(2027, 0, 15, 12));
    const account = 'the account harbour at guesty';
    const budget = createRequestBudget({ windows: [PER_SECOND], account, maxWaitMs: 60_000, clock });
    const turn = { urgency: 'background' as const, withinMs: 7_200_000, signal: patient };
    budget.pause(10_000);
    const waiting = assert.rejects(budget.take(turn), {
      kind: 'rate_limited',
      message: 'the account harbour at guesty can be sent no more requests before 2027-01-15 13:00:05 UTC',
    });
    await clock.advance(5000);
    budget.pause(3_600_000);
    await waiting;
    assert.equal(clock.pendingTimers, 0);
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

describe('assistants of an account', () => {
  const PER_MINUTE: RateWindow = { requests: 80, perMs: 60_000 };
  const [GREEDY, MODEST] = [
    ['greedy', 'address'],
    ['modest', 'address'],
  ] as const;

  function budgetOf(window: RateWindow) {
    const clock = createFakeClock(0);
    const budget = createRequestBudget({ windows: [window], clock });
    /** Makes calls until one is refused, and returns how many were made. */
    const spend = async (askedBy: readonly string[], most = 1000) => {
      for (let made = 0; made < most; made += 1) {
        try {
          (await budget.take({ urgency: 'live', withinMs: 0, signal: patient, askedBy })).done();
        } catch (error) {
          assert.ok(isSpent(error));
          return made;
        }
      }
      return most;
    };
    return { budget, clock, spend };
  }

  it('leave an eighth of a window to one that has not called yet, and share the rest', async () => {
    const { spend, budget, clock } = budgetOf(PER_MINUTE);
    assert.equal(await spend(GREEDY), 70);
    assert.equal(await spend(['greedy', 'another address']), 0);
    assert.equal(budget.restsForMs(), 0, 'the vendor can be asked');
    assert.equal(budget.restsForMs(MODEST), 0, 'and by others');
    assert.equal(budget.restsForMs(GREEDY), 60_000);
    assert.equal(await spend(MODEST), 10);
    await clock.advance(60_000);
    await spend(MODEST, 1);
    assert.equal(await spend(GREEDY), 35);
    assert.equal(await spend(MODEST), 34);
  });

  it('are told when they may go again, and may go then', async () => {
    const { spend, budget, clock } = budgetOf({ requests: 15, perMs: 10_000 });
    await spend(GREEDY, 6);
    await clock.advance(2000);
    assert.equal(await spend(GREEDY), 8);
    assert.equal(budget.restsForMs(GREEDY), 8000);
    await clock.advance(7999);
    assert.equal(await spend(GREEDY), 0);
    await clock.advance(1);
    assert.equal(budget.restsForMs(GREEDY), 0);
    assert.equal(await spend(GREEDY), 6);
  });

  it('do not limit one that asks for more when they ask for little, and share what synchronisation has left', async () => {
    const { spend } = budgetOf(PER_MINUTE);
    for (let index = 0; index < 20; index += 1) await spend([`assistant ${index}`], 1);
    assert.equal(await spend(GREEDY), 15, 'until half of what can be shared is spent');
    const other = budgetOf(PER_MINUTE);
    for (let sent = 0; sent < 56; sent += 1) {
      (await other.budget.take({ urgency: 'background', withinMs: 0, signal: patient })).done();
    }
    await other.spend(MODEST, 1);
    assert.equal(await other.spend(GREEDY), 10);
  });

  it('do not hold up others or background calls while they wait for their share', async () => {
    const { budget, spend, clock } = budgetOf({ requests: 24, perMs: 60_000 });
    await spend(GREEDY);
    let isSent = false;
    const late = budget
      .take({ urgency: 'live', withinMs: 60_000, signal: patient, askedBy: GREEDY })
      .then((permit) => {
        isSent = true;
        permit.done();
      });
    assert.equal(await spend(MODEST, 1), 1);
    assert.equal(isSent, false, 'it waits for its share');
    await clock.advance(60_000);
    await late;
    assert.equal(clock.pendingTimers, 0);
  });
});
