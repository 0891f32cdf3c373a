import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import type { RefusedNights } from '../inventory/availability-index/availability-index.ts';
import { createRefusals } from './refusals.ts';

const TEN_MINUTES = 600_000;

function setUp() {
  const clock = createFakeClock(0);
  const changes: (readonly [string, readonly RefusedNights[]])[] = [];
  const refusals = createRefusals({
    clock,
    memoryMs: TEN_MINUTES,
    onChange: (property, refused) => changes.push([property, refused]),
  });
  return { clock, changes, refusals };
}

test('what was refused is remembered for its property alone, and each change is told', async () => {
  const { clock, changes, refusals } = setUp();
  const [one, other] = [
    { from: 100, to: 105 },
    { from: 103, to: 104 },
  ];
  refusals.remember('p', one);
  await clock.advance(1000);
  refusals.remember('p', other);
  assert.deepEqual(refusals.of('p'), [one, other]);
  assert.deepEqual(refusals.of('q'), []);
  await clock.advance(TEN_MINUTES);
  assert.deepEqual(changes, [
    ['p', [one]],
    ['p', [one, other]],
    ['p', [other]],
    ['p', []],
  ]);
});

test('a refusal is remembered for ten minutes, longer when it is repeated', async () => {
  const { clock, refusals } = setUp();
  const isRemembered = () => refusals.of('p').length > 0;
  refusals.remember('p', { from: 100, to: 105 });
  await clock.advance(TEN_MINUTES - 1);
  refusals.remember('p', { from: 100, to: 105 });
  assert.equal(refusals.of('p').length, 1);
  await clock.advance(TEN_MINUTES - 1);
  assert.equal(isRemembered(), true);
  await clock.advance(1);
  assert.equal(isRemembered(), false);
});

test('a refusal is forgotten in time whatever becomes of the wall clock', async () => {
  for (const step of [-7_200_000, 7_200_000]) {
    const { clock, refusals } = setUp();
    refusals.remember('p', { from: 100, to: 105 });
    clock.stepWallClock(step);
    await clock.advance(TEN_MINUTES - 1);
    assert.equal(refusals.of('p').length, 1);
    await clock.advance(1);
    assert.equal(refusals.of('p').length, 0);
  }
});

test('of one property a hundred refusals are remembered, the latest ones', async () => {
  const { clock, refusals } = setUp();
  for (let day = 1; day <= 103; day += 1) refusals.remember('p', { from: day, to: day + 2 });
  assert.equal(refusals.of('p').length, 100);
  assert.equal(refusals.of('p')[0]?.from, 4);
  assert.equal(clock.pendingTimers, 100);
  refusals.stop();
  assert.equal(clock.pendingTimers, 0);
});
