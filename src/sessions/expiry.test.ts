import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { startDeletingExpired, startDeletingOld } from './expiry.ts';
import type { OldQuotes } from './quote-ledger.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;
const START = 1_800_000_000_000;

function deletingOld(days: number | 'for_ever', deleted: (call: number) => number) {
  const clock = createFakeClock(START);
  const calls: OldQuotes[] = [];
  const failures: unknown[] = [];
  const { stop } = startDeletingOld({
    async deleteOld(old) {
      calls.push(old);
      return deleted(calls.length);
    },
    days,
    clock,
    onFailure: (failure) => failures.push(failure),
  });
  return { clock, calls, failures, stop };
}

/** Counts rounds, each of which finds nothing more to delete. */
function deletingExpired() {
  const clock = createFakeClock(START);
  const cutoffs: unknown[] = [];
  const { stop } = startDeletingExpired({
    sessions: { deleteExpired: async (asked) => cutoffs.push(asked) * 0 },
    clock,
    onFailure: (failure) => assert.fail(String(failure)),
  });
  return { clock, cutoffs, stop };
}

test('quotes are deleted a few at a time until few are left, then again later, also after a failure', async () => {
  const { clock, calls, failures, stop } = deletingOld(400, (call) => {
    if (call === 4) throw new Error('the disk is full');
    return call < 3 ? 200 : 7;
  });
  await clock.advance(15 * MINUTE - 1);
  assert.equal(calls.length, 0);
  await clock.advance(201);
  assert.equal(calls.length, 3);
  assert.deepEqual(calls[0], { now: START + 15 * MINUTE, keptMs: 400 * DAY, limit: 200 });
  await clock.advance(15 * MINUTE);
  assert.equal(failures.length, 1);
  await clock.advance(15 * MINUTE);
  assert.equal(calls.length, 5);
  await stop();
  assert.equal(clock.pendingTimers, 0);
});

test('a ledger that is kept for ever is never deleted from', async () => {
  const { clock, calls } = deletingOld('for_ever', () => 0);
  await clock.advance(DAY);
  assert.deepEqual([calls.length, clock.pendingTimers], [0, 0]);
});

test('expired sessions are deleted every ten seconds, a day after their bodies', async () => {
  const { clock, cutoffs, stop } = deletingExpired();
  await clock.advance(15 * MINUTE - 1);
  assert.equal(cutoffs.length, 0, 'the clock may be wrong at the start');
  await clock.advance(1);
  const now = START + 15 * MINUTE;
  assert.deepEqual(cutoffs, [{ bodiesBefore: now, sessionsBefore: now - DAY, limit: 200 }]);
  await clock.advance(10 * SECOND);
  assert.equal(cutoffs.length, 2);
  await stop();
  await clock.advance(MINUTE);
  assert.equal(cutoffs.length, 2);
});

test('nothing is deleted for 15 minutes after the wall clock was stepped, and a small correction is no step', async () => {
  for (const step of [2 * 60 * MINUTE, -2 * 60 * MINUTE, 61 * SECOND, -61 * SECOND]) {
    const { clock, cutoffs, stop } = deletingExpired();
    await clock.advance(15 * MINUTE + 10 * SECOND);
    clock.stepWallClock(59 * SECOND);
    await clock.advance(10 * SECOND);
    assert.equal(cutoffs.length, 3, `${step}`);
    clock.stepWallClock(step);
    await clock.advance(14 * MINUTE);
    clock.stepWallClock(-step);
    await clock.advance(15 * MINUTE);
    assert.equal(cutoffs.length, 3, `${step}: put right again, it starts the 15 minutes anew`);
    await clock.advance(10 * SECOND);
    assert.equal(cutoffs.length, 4, `${step}`);
    await stop();
  }
});
