import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { createThreadCounts, type ThreadSums } from './thread-counts.ts';

it('what a thread counts is sent once a second, and what is left at its end', async () => {
  const clock = createFakeClock(1_800_000_000_000);
  const sent: ThreadSums[] = [];
  const counts = createThreadCounts({ clock, send: (sums) => void sent.push(sums) });
  const numbers = () => sent.map((sums) => sums.counts.map(({ count }) => count));
  counts.count('shed', { reason: 'search' });
  counts.count('shed', { reason: 'search' });
  await clock.advance(999);
  assert.deepEqual(numbers(), []);
  await clock.advance(1);
  assert.deepEqual(numbers(), [[2]]);
  await clock.advance(10_000);
  assert.equal(sent.length, 1, 'nothing is sent where nothing was counted');
  counts.count('shed', { reason: 'search' });
  counts.flush();
  counts.count('shed', { reason: 'auth' });
  counts.stop();
  assert.deepEqual(numbers(), [[2], [1], [1]]);
  assert.equal(clock.pendingTimers, 0);
});
