import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { propertyLike, SOME_DAY } from '../../test/support/random-world.ts';
import { createSnapshotInMemory } from '../../test/support/snapshot-in-memory.ts';
import { openIndex } from '../availability/snapshot/open-index.ts';
import type { SnapshotFile } from '../availability/snapshot/snapshot.ts';
import { emptyCalendar } from '../catalogue/calendar.ts';
import type { Network } from '../catalogue/catalogue.ts';
import { createIndexSnapshots, createWritePause } from './index-snapshots.ts';

const HOUR = 3_600_000;
const place = { aliases: [], kind: 'city', parent: null, timeZone: 'UTC', currency: 'EUR' } as const;
const NETWORK: Network = {
  brands: new Map(),
  places: new Map([['lisbon', { ...place, id: 'lisbon', name: 'lisbon' }]]),
};

async function setUp(file: SnapshotFile = createSnapshotInMemory()) {
  const clock = createFakeClock(SOME_DAY * 86_400_000);
  const told: string[] = [];
  const opened = await openIndex(NETWORK, {
    file,
    clock,
    observe: { read: () => undefined, refused: assert.fail },
  });
  const { index } = opened;
  const pause = createWritePause(clock);
  const snapshots = createIndexSnapshots({
    opened,
    file,
    pause,
    clock,
    observe: {
      written: () => told.push('written'),
      failed: (error) => told.push(`failed: ${error instanceof Error && error.message}`),
    },
  });
  const put = (id: string) =>
    index.put(propertyLike({ id, brand: 'a', place: 'lisbon' }), emptyCalendar(SOME_DAY, 3));
  /** Lets a write come to its end. */
  const settle = async () => {
    for (let turn = 0; turn < 50; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
  };
  return { clock, told, index, pause, snapshots, put, settle };
}

describe('snapshots of the index', () => {
  it('are written after a start without one, and then every six hours if something has changed', async () => {
    const file = createSnapshotInMemory();
    const { clock, told, snapshots, put, settle } = await setUp(file);
    put('a:1');
    snapshots.start();
    await settle();
    assert.deepEqual(told, ['written']);
    await clock.advance(6 * HOUR);
    await settle();
    assert.deepEqual(told, ['written'], 'nothing has changed');
    put('a:2');
    await clock.advance(6 * HOUR);
    await settle();
    assert.deepEqual(told, ['written', 'written']);
    await snapshots.stop();

    const next = await setUp(file);
    next.snapshots.start();
    await next.settle();
    await next.snapshots.stop();
    await next.snapshots.writeLast();
    assert.deepEqual([next.index.propertyCount, next.told], [2, []], 'it has the one that it began with');
    next.put('a:3');
    await next.snapshots.writeLast();
    assert.deepEqual(next.told, ['written']);
    assert.equal((await setUp(file)).index.propertyCount, 3);
  });

  it('are tried again when a stay was withdrawn meanwhile, which does not wait', async () => {
    const { clock, told, index, snapshots, put, settle } = await setUp();
    put('a:1');
    snapshots.start();
    index.withdraw('a:1', [{ from: SOME_DAY, to: SOME_DAY + 1 }]);
    await settle();
    assert.deepEqual(told, []);
    await clock.advance(30_000);
    await settle();
    assert.deepEqual(told, ['written']);
    await snapshots.stop();
  });

  it('let changes that can wait do so', async () => {
    const { snapshots, pause, put, settle, told } = await setUp();
    put('a:1');
    await pause.over();
    snapshots.start();
    const waited = pause.over().then(() => told.push('changed'));
    await settle();
    await waited;
    assert.deepEqual(told, ['written', 'changed']);
    await snapshots.stop();
  });

  it('cost a report when the disk takes none, and are tried again six hours later', async () => {
    let isFull = true;
    const memory = createSnapshotInMemory();
    const file: SnapshotFile = {
      open: () => memory.open(),
      replace: async (bytes, fill) => {
        if (isFull) throw new Error('no room');
        await memory.replace(bytes, fill);
      },
    };
    const { clock, told, snapshots, put, settle } = await setUp(file);
    put('a:1');
    snapshots.start();
    await settle();
    isFull = false;
    await clock.advance(6 * HOUR - 1);
    await settle();
    assert.deepEqual(told, ['failed: no room']);
    await clock.advance(1);
    await settle();
    assert.deepEqual(told, ['failed: no room', 'written']);
    await snapshots.stop();
  });

  it('keep nobody waiting for a disk that hangs', async () => {
    const file: SnapshotFile = {
      open: async () => undefined,
      replace: () => new Promise(() => undefined),
    };
    const { clock, told, snapshots, pause, put, settle } = await setUp(file);
    put('a:1');
    snapshots.start();
    const waited = pause.over().then(() => told.push('changed'));
    await settle();
    assert.deepEqual(told, []);
    await clock.advance(60_000);
    await waited;
    assert.deepEqual(told, ['changed']);
    const closing = snapshots.writeLast();
    await clock.advance(20_000);
    await closing;
    assert.deepEqual(told.slice(1), ['failed: it took too long while the service was closing']);
  });

  it('are broken off by the end of the service, and not written of an index that was not loaded', async () => {
    const { told, snapshots, put, settle } = await setUp();
    put('a:1');
    await snapshots.writeLast();
    assert.deepEqual(told, []);
    snapshots.start();
    await snapshots.stop();
    await settle();
    assert.deepEqual(told, []);
    await snapshots.writeLast();
    assert.deepEqual(told, ['written']);
  });
});
