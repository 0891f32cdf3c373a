import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { createBrandProgress } from './brand-progress.ts';
import type { SyncRecord } from './sync-record.ts';

const NOW = 1_800_000_000_000;
const HOUR = 3_600_000;

const COMPLETE: SyncRecord = {
  savedAt: NOW,
  completedAt: NOW - 1000,
  fullStartedAt: NOW - 5000,
  fullIsComplete: true,
  changesKnownUntil: NOW - 5000,
  changed: [],
  offered: 3,
  oldestCalendarAt: NOW - 4000,
  waiting: 0,
  lastFailure: null,
};
const FAILURE = { at: NOW, kind: 'unreachable' } as const;

function setUp() {
  const clock = createFakeClock(NOW);
  const offer = { size: 0, catalogueIsKnown: false };
  const queue = { waiting: 0 };
  const progress = createBrandProgress({
    offer,
    queue: () => queue,
    clock,
    fullEveryMs: HOUR,
  });
  return { clock, offer, queue, progress };
}

test('a brand that another node has read completely was read when that node says so', async () => {
  const { clock, progress } = setUp();
  progress.followRecord(COMPLETE);
  assert.equal(progress.sinceRead(COMPLETE), 1000);
  await clock.advance(500);
  assert.equal(progress.sinceRead(COMPLETE), 1500);
  progress.followRecord({ ...COMPLETE, completedAt: NOW + 9000 });
  assert.equal(progress.sinceRead(COMPLETE), 0, 'its clock is ahead');
  for (const record of [
    { ...COMPLETE, completedAt: null },
    { ...COMPLETE, waiting: 1 },
    { ...COMPLETE, lastFailure: FAILURE },
  ]) {
    progress.followRecord(record);
    assert.equal(progress.sinceRead(record), undefined, 'something is to be read at once');
  }
});

test('a brand that this node has read and nobody else since is not read at once, unless its record was lost', () => {
  const { progress } = setUp();
  progress.restore(COMPLETE, { now: NOW, elapsed: 0 });
  assert.equal(progress.sinceRead(COMPLETE), undefined, 'read before the start only');
  progress.completed();
  assert.equal(progress.sinceRead(COMPLETE), 0);
  assert.equal(progress.sinceRead(undefined), undefined);
});

test('failures are counted until a run is complete, or another node has read the brand', () => {
  const { progress } = setUp();
  progress.failed('unreachable');
  progress.failed('garbled');
  assert.deepEqual([progress.failuresInARow, progress.lastFailure], [2, { at: NOW, kind: 'garbled' }]);
  progress.completed();
  assert.deepEqual([progress.failuresInARow, progress.lastFailure], [0, null]);
  progress.failed('unreachable');
  progress.restore({ ...COMPLETE, lastFailure: FAILURE }, { now: NOW, elapsed: 0 });
  assert.deepEqual([progress.failuresInARow, progress.lastFailure], [0, FAILURE]);
});

test('what others say is waiting holds until this node knows itself', () => {
  const { offer, queue, progress } = setUp();
  queue.waiting = 7;
  progress.followRecord({ ...COMPLETE, waiting: 2 });
  assert.equal(progress.waiting, 2);
  assert.equal(progress.availability(), 'unread');
  progress.followRecord(COMPLETE);
  assert.equal(progress.availability(), 'ready', 'it has no homes');
  progress.planned();
  assert.equal(progress.waiting, 7);
  offer.size = 1;
  assert.equal(progress.availability(), 'partly_read');
  progress.completed();
  assert.equal(progress.availability(), 'ready', 'from the second round on, what waits is on offer');
});
