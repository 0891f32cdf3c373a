import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { createBrandTimes } from './fill-places.ts';

test('calls at the same time are waited for once, one after the other each for itself, and pauses not at all', async () => {
  const clock = createFakeClock(0);
  const times = createBrandTimes(clock);
  assert.deepEqual(times.of('sol'), { waitedMs: 0, longestMs: 0 });
  const [first, second] = [times.begin('sol'), times.begin('sol')];
  await clock.advance(100);
  first();
  await clock.advance(200);
  second();
  assert.deepEqual(pick(times.of('sol')), [300, 300]);
  await clock.advance(1000);
  const third = times.begin('sol');
  await clock.advance(50);
  third();
  assert.deepEqual(pick(times.of('sol')), [350, 300]);
  assert.deepEqual(pick(times.of('mar')), [0, 0]);
});

const pick = ({ waitedMs, longestMs }: { waitedMs: number; longestMs: number }) => [waitedMs, longestMs];
