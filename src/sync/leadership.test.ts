import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMemoryInventoryStore } from '../storage/memory/inventory-store.ts';
import { createLeadingStore } from './leadership.ts';

const DOCUMENT = new TextEncoder().encode('{}');
const broken = async () => {
  throw new Error('no disk');
};

test('a node that may not store any more stores nothing, and its index differs from the store', async () => {
  const written: string[] = [];
  let mayWrite = true;
  const store = createLeadingStore(
    {
      replaceCatalogue: async () => void written.push('catalogue'),
      saveCalendars: async () => void written.push('calendars'),
      saveDocument: async (name) => void written.push(name),
    },
    () => mayWrite,
  );
  await store.replaceCatalogue('sol', []);
  await store.saveDocument('sol/sync', DOCUMENT);
  assert.deepEqual([written, store.differs], [['catalogue', 'sol/sync'], false]);
  mayWrite = false;
  await store.saveDocument('sol/sync', DOCUMENT);
  assert.equal(store.differs, false, 'no document is offered');
  await store.saveCalendars([]);
  assert.deepEqual([written.length, store.differs], [2, true]);
  store.correctFromStore();
  assert.equal(store.differs, false);
  store.missed();
  assert.equal(store.differs, true);
});

test('what cannot be stored is told, and makes the index differ', async () => {
  const store = createLeadingStore({ ...createMemoryInventoryStore(), saveCalendars: broken }, () => true);
  await assert.rejects(store.saveCalendars([]), /no disk/);
  assert.equal(store.differs, true);
});
