import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { createLeaderRecord } from './brand-record.ts';
import type { SyncRecord } from './sync-record.ts';

const RECORD: SyncRecord = {
  savedAt: 1,
  completedAt: null,
  fullStartedAt: null,
  fullIsComplete: false,
  changesKnownUntil: null,
  changed: [],
  offered: 0,
  oldestCalendarAt: null,
  waiting: 0,
  lastFailure: null,
};

function setUp() {
  const clock = createFakeClock(0);
  const scene = { reads: 0, taken: 0, record: RECORD as SyncRecord | undefined };
  const leaderRecord = createLeaderRecord({
    clock,
    read: async () => {
      scene.reads += 1;
      return scene.record;
    },
    take: () => {
      scene.taken += 1;
    },
  });
  return { clock, scene, leaderRecord };
}

test('the record is read at once, every thirty seconds, and soon after a change, however many there are', async () => {
  const { clock, scene, leaderRecord } = setUp();
  leaderRecord.watch();
  leaderRecord.watch();
  await clock.advance(0);
  assert.deepEqual([scene.reads, scene.taken], [1, 1]);
  await clock.advance(29_999);
  assert.equal(scene.reads, 1);
  await clock.advance(1);
  assert.equal(scene.reads, 2);
  for (let changes = 0; changes < 10; changes += 1) {
    leaderRecord.soon();
    await clock.advance(200);
  }
  assert.equal(scene.reads, 3);
  await leaderRecord.stop();
  assert.equal(clock.pendingTimers, 0);
});

test('nothing is taken or read after it was stopped, until it is watched again', async () => {
  const { clock, scene, leaderRecord } = setUp();
  leaderRecord.soon();
  leaderRecord.watch();
  await leaderRecord.stop();
  leaderRecord.soon();
  await clock.advance(60_000);
  assert.deepEqual([scene.reads, scene.taken], [1, 0]);
  scene.record = undefined;
  leaderRecord.watch();
  await clock.advance(30_000);
  assert.deepEqual([scene.reads, scene.taken], [3, 0], 'it is looked for again where there is none');
  await leaderRecord.stop();
});
