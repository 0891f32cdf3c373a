import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { createAnswerPace } from './ask-operator.ts';

test('nothing is known before the first call has ended, and its time is taken as it is', () => {
  const pace = createAnswerPace(createFakeClock(0));
  assert.equal(pace.usualMs(), null);
  pace.note(800);
  assert.equal(pace.usualMs(), 800);
});

test('the pace follows the calls, and a single slow one moves it a little', () => {
  const pace = createAnswerPace(createFakeClock(0));
  pace.note(100);
  pace.note(900);
  assert.equal(pace.usualMs(), 200);
  for (let call = 0; call < 50; call += 1) pace.note(900);
  assert.ok(Math.abs((pace.usualMs() ?? 0) - 900) < 5);
});

test('an old pace is forgotten, whatever the wall clock says, and has no part in the next one', async () => {
  const clock = createFakeClock(0);
  const pace = createAnswerPace(clock);
  pace.note(100);
  clock.stepWallClock(7_200_000);
  await clock.advance(4999);
  assert.equal(pace.usualMs(), 100);
  await clock.advance(1);
  assert.equal(pace.usualMs(), null);
  pace.note(3000);
  assert.equal(pace.usualMs(), 3000);
});
