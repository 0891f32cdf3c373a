import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { startDeletingOld } from './delete-old.ts';
import type { OldQuotes } from './quote-ledger.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

function aStage(days: number | 'for_ever', deleted: (call: number) => number) {
  const clock = createFakeClock(1_800_000_000_000);
  const calls: OldQuotes[] = [];
  const failures: unknown[] = [];
  const cleanup = startDeletingOld({
    async deleteOld(old) {
      calls.push(old);
      return deleted(calls.length);
    },
    days,
    clock,
    onFailure: (failure) => failures.push(failure),
  });
  return { clock, calls, failures, cleanup };
}

test('old quotes are deleted a few at a time until few are left, then again later, also after a failure', async () => {
  const { clock, calls, failures, cleanup } = aStage(400, (call) => {
    if (call === 4) throw new Error('the disk is full');
    return call < 3 ? 200 : 7;
  });
  await clock.advance(15 * MINUTE - 1);
  assert.equal(calls.length, 0);
  await clock.advance(201);
  assert.deepEqual(calls.length, 3);
  assert.deepEqual(calls[0], { now: 1_800_000_000_000 + 15 * MINUTE, keptMs: 400 * DAY, limit: 200 });
  await clock.advance(15 * MINUTE);
  assert.equal(failures.length, 1);
  await clock.advance(15 * MINUTE);
  assert.equal(calls.length, 5);
  await cleanup.stop();
  assert.equal(clock.pendingTimers, 0);
});

test('nothing is deleted for a quarter of an hour after the wall clock was set', async () => {
  const { clock, calls, cleanup } = aStage(1, () => 0);
  await clock.advance(14 * MINUTE);
  clock.stepWallClock(400 * DAY);
  await clock.advance(MINUTE);
  assert.equal(calls.length, 0);
  await clock.advance(15 * MINUTE);
  assert.equal(calls.length, 1);
  await cleanup.stop();
});

test('a ledger that is kept for ever is never deleted from', async () => {
  const { clock, calls, cleanup } = aStage('for_ever', () => 0);
  await clock.advance(DAY);
  assert.deepEqual([calls.length, clock.pendingTimers], [0, 0]);
  await cleanup.stop();
});
