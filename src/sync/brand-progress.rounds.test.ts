import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRounds } from './brand-progress.ts';

const NOW = 1_800_000_000_000;
const HOUR = 3_600_000;
/** So many hours after the start, on both clocks. */
const hour = (hours: number) => ({ now: NOW + hours * HOUR, elapsed: 500 + hours * HOUR });

test('the first run is full, and then one of each twelve hours', () => {
  const rounds = createRounds({ fullEveryMs: 12 * HOUR });
  const begun = [];
  for (let at = 0; at <= 25; at += 1) {
    if (rounds.begin('incremental', hour(at))) begun.push(at);
    rounds.completed(hour(at).now);
  }
  assert.deepEqual(begun, [0, 12, 24]);
});

test('a full round that is asked for begins, unless a recent one is not finished', () => {
  const rounds = createRounds({ fullEveryMs: 12 * HOUR });
  assert.equal(rounds.begin('full', hour(0)), true);
  assert.equal(rounds.begin('full', hour(1)), false, 'it goes on');
  assert.equal(rounds.begin('incremental', hour(2)), false);
  assert.equal(rounds.state().fullStartedAt, NOW);
  rounds.completed(hour(2).now);
  assert.equal(rounds.begin('full', hour(2.5)), true);
  assert.equal(rounds.begin('full', hour(20)), true, 'too long ago to go on with');
});

test('changes are asked for since the last full round began, or since they were asked for last', () => {
  const rounds = createRounds({ fullEveryMs: 12 * HOUR });
  assert.equal(rounds.state().changesKnownUntil, null);
  rounds.begin('incremental', hour(0));
  assert.equal(rounds.state().changesKnownUntil, NOW);
  rounds.changesLearned(hour(3).now);
  rounds.completed(hour(4).now);
  assert.deepEqual(rounds.state(), {
    completedAt: hour(4).now,
    fullStartedAt: NOW,
    fullIsComplete: true,
    changesKnownUntil: hour(3).now,
  });
});

test('after a restart it goes on as if there had been none', () => {
  const before = createRounds({ fullEveryMs: 12 * HOUR });
  before.begin('full', hour(0));
  const after = createRounds({ fullEveryMs: 12 * HOUR });
  after.restore(before.state(), (instant) => instant - NOW + 7);
  assert.deepEqual(after.state(), before.state());
  const later = (hours: number) => ({ now: hour(hours).now, elapsed: 7 + hours * HOUR });
  assert.equal(after.begin('full', later(11)), false);
  assert.equal(after.begin('incremental', later(12)), true);
});
