import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { BookingSystemFailure } from './booking-system-failure.ts';
import { openDeadline, untilAborted } from './deadline.ts';

test('a deadline aborts as a timeout when its time is over, not before', async () => {
  const clock = createFakeClock(0);
  const { signal } = openDeadline({ clock, timeoutMs: 100 });
  await clock.advance(99);
  assert.equal(signal.aborted, false);
  await clock.advance(1);
  assert.ok(signal.reason instanceof BookingSystemFailure && signal.reason.kind === 'timeout');
});

test('a closed deadline never aborts and leaves no timer', async () => {
  const clock = createFakeClock(0);
  const parent = new AbortController();
  const deadline = openDeadline({ clock, timeoutMs: 100, parent: parent.signal });
  deadline.close();
  assert.equal(clock.pendingTimers, 0);
  parent.abort();
  await clock.advance(1000);
  assert.equal(deadline.signal.aborted, false);
});

test('work that ignores its signal is not waited for, and its late failure bothers nobody', async () => {
  const controller = new AbortController();
  const { promise, reject } = Promise.withResolvers<never>();
  const waited = untilAborted(promise, controller.signal);
  controller.abort('over');
  await assert.rejects(waited, (reason) => reason === 'over');
  reject(new Error('much too late'));
  await createFakeClock(0).settle();
});
