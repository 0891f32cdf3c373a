import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { createRounds } from './brand-progress.ts';
import { createBrandRecord } from './brand-record.ts';
import type { SyncRecord } from './sync-record.ts';

const NOW = 1_800_000_000_000;

function setUp() {
  const clock = createFakeClock(NOW);
  const state = { maySave: true, storeFails: false };
  const saved: SyncRecord[] = [];
  const failures: unknown[] = [];
  const record = createBrandRecord({
    brand: 'sol',
    progress: { rounds: createRounds({ fullEveryMs: 1 }), lastFailure: null },
    offer: { size: 3, oldestReadAt: () => clock.elapsed() - 2000 },
    queue: () => ({ waiting: 4, outdated: async () => ['1'] }),
    store: {
      async saveDocument(_name, document) {
        if (state.storeFails) throw new Error('no answer');
        saved.push(JSON.parse(new TextDecoder().decode(document)));
      },
    },
    maySave: () => state.maySave,
    clock,
    onFailure: (failure) => failures.push(failure),
  });
  return { clock, state, saved, failures, record };
}

/** What is stored after a save, whether or not an answer came. */
async function savedBy({ record }: ReturnType<typeof setUp>): Promise<SyncRecord> {
  await record.save();
  const last = record.last();
  assert.ok(last);
  return last;
}

test('it says how the brand stands, while this node may save it', async () => {
  const { state, saved, record } = setUp();
  state.maySave = false;
  await record.save();
  assert.deepEqual([saved, record.last()], [[], undefined]);
  state.maySave = true;
  await record.save();
  assert.deepEqual(saved, [
    {
      savedAt: NOW,
      completedAt: null,
      fullStartedAt: null,
      fullIsComplete: false,
      changesKnownUntil: null,
      changed: ['1'],
      offered: 3,
      oldestCalendarAt: NOW - 2000,
      waiting: 4,
      lastFailure: null,
    },
  ]);
});

test('during a run it is saved once a minute', async () => {
  const { clock, saved, record } = setUp();
  await record.saveNowAndThen();
  await clock.advance(59_999);
  await record.saveNowAndThen();
  assert.equal(saved.length, 1);
  await clock.advance(1);
  await record.saveNowAndThen();
  assert.equal(saved.length, 2);
});

test('what another node has saved is news once, and what this node has saved is none', async () => {
  const scene = setUp();
  const { clock, record } = scene;
  const own = await savedBy(scene);
  assert.equal(record.take(own), false);
  const other = { ...own, savedAt: NOW + 1 };
  assert.equal(record.take(other), true);
  assert.equal(record.take(other), false);
  assert.deepEqual(record.last(), other);
  assert.equal(record.take(own), true, 'it was replaced meanwhile');
  await clock.advance(10);
  assert.equal(record.take(await savedBy(scene)), false);
});

test('after a save without an answer, either record may be the stored one', async () => {
  const scene = setUp();
  const { clock, state, failures, record } = scene;
  const before = await savedBy(scene);
  await clock.advance(10);
  state.storeFails = true;
  const unsure = await savedBy(scene);
  assert.equal(failures.length, 1);
  assert.notEqual(unsure.savedAt, before.savedAt);
  assert.deepEqual([record.take(before), record.take(unsure)], [false, false]);
});

test('once it is forgotten, its own record is news too', async () => {
  const scene = setUp();
  const own = await savedBy(scene);
  scene.record.forget();
  assert.equal(scene.record.last(), undefined);
  assert.equal(scene.record.take(own), true);
});
