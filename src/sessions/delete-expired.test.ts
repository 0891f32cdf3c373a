import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { startDeletingExpired } from './delete-expired.ts';

test('rounds follow each other until little is left, then pause; a failure is reported and retried later', async () => {
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
  await clock.advance(9_999);
  assert.equal(calls, 0);
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
