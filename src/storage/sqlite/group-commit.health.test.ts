import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { it } from 'node:test';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { sampleChange, sampleSession } from '../../../test/support/sample-session.ts';
import { temporaryStorage } from '../../../test/support/temporary-storage.ts';
import { StorageFailure, type StorageFailureKind } from '../../sessions/storage-failure.ts';
import { createWriteHealth } from './group-commit.ts';
import type { WriteOutcome } from './writer.ts';

const failed = (cause: StorageFailureKind | null): WriteOutcome => ({ kind: 'failed', cause, message: '' });

const MEGABYTE = 1024 * 1024;

function setUp() {
  const clock = createFakeClock(0);
  const disk = { freeBytes: 0, isReadable: true };
  let probes = 0;
  let next: WriteOutcome[] | Error = [];
  const health = createWriteHealth({
    clock,
    probe: async () => {
      probes += 1;
    },
    freeBytes: async () => {
      if (!disk.isReadable) throw new Error('the folder is gone');
      return disk.freeBytes;
    },
  });
  const writer = health.watch({
    async write() {
      if (next instanceof Error) throw next;
      return next;
    },
    close: async () => {},
  });
  const write = async (outcomes: WriteOutcome[] | Error) => {
    next = outcomes;
    await writer.write([], []).catch(() => undefined);
    return health.fault();
  };
  return { clock, disk, health, write, probes: () => probes };
}

it('follows the outcome of the last change that the disk had a part in', async () => {
  const { write } = setUp();
  assert.equal(await write([]), null);
  assert.equal(
    await write([{ kind: 'written' }, failed('refused'), failed('overloaded'), failed(null)]),
    null,
  );
  assert.equal(await write([{ kind: 'written' }, failed('busy')]), 'busy');
  assert.equal(await write([{ kind: 'conflict' }]), 'busy');
  assert.equal(await write([{ kind: 'deleted', sessions: [] }]), 'busy', 'nothing was written');
  assert.equal(await write([{ kind: 'space', pages: 0 }]), 'busy');
  assert.equal(await write([{ kind: 'over_quota', until: 1 }]), 'busy');
  assert.equal(await write([{ kind: 'deleted', sessions: ['s'] }]), null);
  assert.equal(await write(new StorageFailure('interrupted', 'the thread ended')), 'interrupted');
  assert.equal(await write([{ kind: 'written' }]), null);
});

it('takes a full disk for full until it has room for a session, although smaller changes fit', async () => {
  const { clock, disk, health, write, probes } = setUp();
  const ask = async () => {
    await clock.advance(3_000);
    const fault = health.fault();
    await clock.settle();
    return fault;
  };
  await write([failed('full'), { kind: 'written' }]);
  disk.freeBytes = 8 * MEGABYTE - 1;
  assert.equal(await ask(), 'full');
  assert.equal(await write([{ kind: 'written' }, { kind: 'deleted', sessions: ['s'] }]), 'full');
  disk.freeBytes = 8 * MEGABYTE;
  disk.isReadable = false;
  assert.equal(await ask(), 'full');
  assert.equal(probes(), 0);

  disk.isReadable = true;
  assert.equal(await ask(), 'full', 'this one tries');
  assert.equal(probes(), 1);
  assert.equal(await write([failed('full'), { kind: 'written' }]), 'full', 'the room was not enough');
  assert.equal(await ask(), 'full');
  assert.equal(probes(), 2);
  assert.equal(await write([{ kind: 'written' }]), null);
  assert.equal(await write([failed('full')]), 'full');
  assert.equal(await write([{ kind: 'written' }]), 'full', 'the room of an earlier time says nothing');
});

it('asks a full disk for its room once at a time', async () => {
  const clock = createFakeClock(0);
  let asked = 0;
  const health = createWriteHealth({
    clock,
    probe: async () => assert.fail('there is no room'),
    freeBytes: () => {
      asked += 1;
      return new Promise(() => {});
    },
  });
  const writer = health.watch({ write: async () => [failed('full')], close: async () => {} });
  await writer.write([], []);
  for (let check = 0; check < 3; check += 1) {
    await clock.advance(3_000);
    health.fault();
  }
  assert.equal(asked, 1);
});

it('tries for all who ask at once before it tells them of a fault, as soon as there is room', async () => {
  const clock = createFakeClock(0);
  let [free, looks] = [0, 0];
  const health = createWriteHealth({
    clock,
    probe: () => writer.write([], []),
    freeBytes: async () => {
      looks += 1;
      return free;
    },
  });
  let outcome = failed('full');
  const writer = health.watch({ write: async () => [outcome], close: async () => {} });
  const ask = () => Promise.all([health.check(), health.check(), health.check()]);
  assert.deepEqual(await ask(), [null, null, null]);
  assert.equal(looks, 0);
  await writer.write([], []);
  assert.deepEqual(await ask(), ['full', 'full', 'full']);
  assert.ok(looks <= 2, 'those who ask at once look together');
  [free, outcome] = [8 * MEGABYTE, { kind: 'written' }];
  assert.deepEqual(await ask(), [null, null, null]);
  assert.equal(health.fault(), null);
});

it('believes no look at a full disk that began before it was asked', async () => {
  const looks: PromiseWithResolvers<number>[] = [];
  const health = createWriteHealth({
    clock: createFakeClock(0),
    probe: () => writer.write([], []),
    freeBytes: () => {
      const look = Promise.withResolvers<number>();
      looks.push(look);
      return look.promise;
    },
  });
  let outcome = failed('full');
  const writer = health.watch({ write: async () => [outcome], close: async () => {} });
  await writer.write([], []);
  const before = health.check();
  outcome = { kind: 'written' };
  const after = health.check();
  looks[0]?.resolve(0);
  assert.equal(await before, 'full');
  looks[1]?.resolve(8 * MEGABYTE);
  assert.equal(await after, null);
});

it('stays damaged, whatever is written or read later, and tries nothing', async () => {
  for (const meet of [
    ({ write }: ReturnType<typeof setUp>) => write([failed('corrupt'), { kind: 'written' }]),
    ({ write }: ReturnType<typeof setUp>) => write(new StorageFailure('corrupt', 'no thread could open it')),
    async ({ health }: ReturnType<typeof setUp>) => {
      const damage = Object.assign(new Error('malformed'), { errcode: 11 });
      const read = () => {
        throw damage;
      };
      assert.throws(() => health.read(read), { name: 'StorageFailure', kind: 'corrupt' });
    },
  ]) {
    const scene = setUp();
    await meet(scene);
    assert.equal(scene.health.fault(), 'corrupt');
    assert.equal(await scene.health.check(), 'corrupt');
    assert.equal(await scene.write([{ kind: 'written' }]), 'corrupt');
    assert.equal(await scene.write([failed('full')]), 'corrupt');
    assert.equal(
      scene.health.read(() => 7),
      7,
    );
    await scene.clock.advance(10_000);
    assert.equal(scene.health.fault(), 'corrupt');
    assert.equal(scene.probes(), 0);
  }
});

it('takes a read that found the database locked for no fault', () => {
  const { health } = setUp();
  const read = () => {
    throw Object.assign(new Error('locked'), { errcode: 5 });
  };
  assert.throws(() => health.read(read), { kind: 'busy' });
  assert.equal(health.fault(), null);
});

it('tries a change at most every three seconds, and only while the last one failed', async () => {
  const { clock, health, write, probes } = setUp();
  await write([{ kind: 'written' }]);
  await clock.advance(10_000);
  health.fault();
  assert.equal(probes(), 0);
  await write([failed('input_output')]);
  assert.equal(probes(), 0);
  await clock.advance(3_000);
  for (let asked = 0; asked < 5; asked += 1) health.fault();
  assert.equal(probes(), 1);
  await clock.advance(2_999);
  health.fault();
  assert.equal(probes(), 1);
  await clock.advance(1);
  health.fault();
  assert.equal(probes(), 2);
});

it('recovers without any request once the database takes writes again', async (t) => {
  const clock = createFakeClock(0);
  const { sessions, directory, writeFault } = await temporaryStorage(t, { lockTimeoutMs: 10, clock });
  await sessions.open(sampleSession('s'));
  assert.equal(writeFault(), null);
  const other = new DatabaseSync(join(directory, 'sessions.sqlite'));
  t.after(() => other.close());
  other.exec('BEGIN IMMEDIATE');
  await assert.rejects(sessions.commit(sampleChange('s', 1, new Uint8Array(9))), { kind: 'busy' });
  assert.equal(writeFault(), 'busy');
  await clock.advance(3_000);
  assert.equal(writeFault(), 'busy', 'this one tries');
  // Goes after the probe, and the writer takes one batch after the other.
  await assert.rejects(sessions.open(sampleSession('t')), { kind: 'busy' });
  other.exec('ROLLBACK');
  await clock.advance(3_000);
  assert.equal(writeFault(), 'busy');
  await sessions.deleteExpired({ bodiesBefore: 0, sessionsBefore: 0, limit: 1 });
  assert.equal(writeFault(), null, 'the probe before it was written');
});
