import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock, type FakeClock } from '../../test/support/fake-clock.ts';
import { startDeletingExpired, startDeletingOld } from './expiry.ts';
import type { OldQuotes } from './quote-ledger.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

test('rounds begin 15 minutes after the start, follow each other until little is left, then pause; a failure is reported and retried later', async () => {
  const clock = createFakeClock(1_000_000);
  const left = [200, 200, 7, 'fail', 0] as const;
  let calls = 0;
  const failures: unknown[] = [];
  const cleanup = startDeletingExpired({
    sessions: {
      async deleteExpired({ bodiesBefore, sessionsBefore, limit }) {
        assert.equal(bodiesBefore - sessionsBefore, 24 * 60 * 60 * 1000);
        assert.equal(limit, 200);
        const touched = left[calls++] ?? 0;
        if (touched === 'fail') throw new Error('the disk is full');
        return touched;
      },
    },
    clock,
    onFailure: (failure) => failures.push(failure),
  });
  await clock.advance(15 * MINUTE - 1);
  assert.equal(calls, 0, 'the clock may be wrong at the start');
  await clock.advance(1);
  assert.equal(calls, 3);
  await clock.advance(10_000);
  assert.equal(failures.length, 1);
  await clock.advance(10_000);
  assert.equal(calls, 5);
  await cleanup.stop();
  await clock.advance(60_000);
  assert.equal(calls, 5);
});

function countRounds(clock: FakeClock) {
  const rounds = { count: 0, touched: 0, during: () => {} };
  const cleanup = startDeletingExpired({
    sessions: {
      async deleteExpired() {
        rounds.count += 1;
        rounds.during();
        return rounds.touched;
      },
    },
    clock,
    onFailure: (failure) => assert.fail(String(failure)),
  });
  return { rounds, stop: cleanup.stop };
}

for (const step of [2 * HOUR, -2 * HOUR, 61 * SECOND, -61 * SECOND]) {
  test(`nothing is deleted for 15 minutes after the wall clock was stepped by ${step / SECOND} s`, async () => {
    const clock = createFakeClock(1_800_000_000_000);
    const { rounds, stop } = countRounds(clock);
    await clock.advance(15 * MINUTE + 10 * SECOND);
    assert.equal(rounds.count, 2);
    clock.stepWallClock(step);
    await clock.advance(15 * MINUTE);
    assert.equal(rounds.count, 2);
    await clock.advance(10 * SECOND);
    assert.equal(rounds.count, 3);
    await stop();
  });
}

test('a clock that is put right again starts the 15 minutes anew', async () => {
  const clock = createFakeClock(1_800_000_000_000);
  const { rounds, stop } = countRounds(clock);
  clock.stepWallClock(2 * HOUR);
  await clock.advance(14 * MINUTE);
  clock.stepWallClock(-2 * HOUR);
  await clock.advance(15 * MINUTE);
  assert.equal(rounds.count, 0);
  await clock.advance(10 * SECOND);
  assert.equal(rounds.count, 1);
  await stop();
});

test('a step between two rounds of one pass ends it', async () => {
  const clock = createFakeClock(1_800_000_000_000);
  const { rounds, stop } = countRounds(clock);
  rounds.touched = 200;
  rounds.during = () => {
    // Ends in any case.
    if (rounds.count === 6) rounds.touched = 0;
    if (rounds.count === 3) clock.stepWallClock(2 * HOUR);
  };
  await clock.advance(15 * MINUTE);
  assert.equal(rounds.count, 3);
  await stop();
});

test('a clock that is corrected a little at a time is no step', async () => {
  const clock = createFakeClock(1_800_000_000_000);
  const { rounds, stop } = countRounds(clock);
  await clock.advance(15 * MINUTE - 10 * SECOND);
  for (let pass = 1; pass <= 20; pass += 1) {
    clock.stepWallClock(59 * SECOND);
    await clock.advance(10 * SECOND);
    assert.equal(rounds.count, pass);
  }
  await stop();
});

const ONE_MINUTE = 60_000;
const DAY = 24 * 60 * ONE_MINUTE;

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
  await clock.advance(15 * ONE_MINUTE - 1);
  assert.equal(calls.length, 0);
  await clock.advance(201);
  assert.deepEqual(calls.length, 3);
  assert.deepEqual(calls[0], { now: 1_800_000_000_000 + 15 * ONE_MINUTE, keptMs: 400 * DAY, limit: 200 });
  await clock.advance(15 * ONE_MINUTE);
  assert.equal(failures.length, 1);
  await clock.advance(15 * ONE_MINUTE);
  assert.equal(calls.length, 5);
  await cleanup.stop();
  assert.equal(clock.pendingTimers, 0);
});

test('nothing is deleted for a quarter of an hour after the wall clock was set', async () => {
  const { clock, calls, cleanup } = aStage(1, () => 0);
  await clock.advance(14 * ONE_MINUTE);
  clock.stepWallClock(400 * DAY);
  await clock.advance(ONE_MINUTE);
  assert.equal(calls.length, 0);
  await clock.advance(15 * ONE_MINUTE);
  assert.equal(calls.length, 1);
  await cleanup.stop();
});

test('a ledger that is kept for ever is never deleted from', async () => {
  const { clock, calls, cleanup } = aStage('for_ever', () => 0);
  await clock.advance(DAY);
  assert.deepEqual([calls.length, clock.pendingTimers], [0, 0]);
  await cleanup.stop();
});
