import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMemoryInventoryStore } from '../storage/memory/inventory-store.ts';
import { isSameRecord, readSyncRecord, type SyncRecord, saveSyncRecord } from './sync-record.ts';

const RECORD: SyncRecord = {
  savedAt: 1_800_000_000_000,
  completedAt: null,
  fullStartedAt: 1_799_999_000_000,
  fullIsComplete: false,
  changesKnownUntil: 1_799_999_000_000,
  changed: ['casa-1', 'casa "2"'],
  offered: 3,
  oldestCalendarAt: 1_799_990_000_000,
  waiting: 7,
  lastFailure: { at: 1_799_999_500_000, kind: 'rate_limited' },
};

test('a record is read as it was written, each brand its own', async () => {
  const store = createMemoryInventoryStore();
  await saveSyncRecord(store, 'sol', RECORD);
  await saveSyncRecord(store, 'mar', { ...RECORD, lastFailure: null });
  assert.deepEqual(await readSyncRecord(store, 'sol'), RECORD);
  assert.deepEqual((await readSyncRecord(store, 'mar'))?.lastFailure, null);
  assert.equal(await readSyncRecord(store, 'never'), undefined);
});

test('a record of another form counts as none', async () => {
  const store = createMemoryInventoryStore();
  const { waiting: _, ...incomplete } = RECORD;
  const others = [
    '',
    '{',
    'null',
    '[]',
    JSON.stringify(incomplete),
    JSON.stringify({ ...RECORD, completedAt: 'yesterday' }),
    JSON.stringify({ ...RECORD, lastFailure: { at: 1, kind: 'moody' } }),
  ];
  for (const text of others) {
    await store.saveDocument('sol/sync', new TextEncoder().encode(text));
    assert.equal(await readSyncRecord(store, 'sol'), undefined, text);
  }
});

test('a record with more than this release knows is read all the same', async () => {
  const store = createMemoryInventoryStore();
  const later = { ...RECORD, pace: 'brisk', lastFailure: { at: 1, kind: 'rate_limited', hint: 'later' } };
  await store.saveDocument('sol/sync', new TextEncoder().encode(JSON.stringify(later)));
  assert.equal((await readSyncRecord(store, 'sol'))?.savedAt, RECORD.savedAt);
});

test('a record that was saved since is another one', () => {
  assert.equal(isSameRecord(RECORD, structuredClone(RECORD)), true);
  assert.equal(isSameRecord(RECORD, { ...RECORD, savedAt: RECORD.savedAt + 1 }), false);
  assert.equal(isSameRecord(RECORD, { ...RECORD, waiting: 6 }), false, 'by the clock of another node');
});
