import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock, type FakeClock } from '../../test/support/fake-clock.ts';
import { startDeletingExpired } from './delete-expired.ts';

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
