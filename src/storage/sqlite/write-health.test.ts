import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { it } from 'node:test';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { sampleChange, sampleSession } from '../../../test/support/sample-session.ts';
import { temporaryStorage } from '../../../test/support/temporary-storage.ts';
import { StorageFailure, type StorageFailureKind } from '../../sessions/storage-failure.ts';
import type { WriteOutcome } from './write-batch.ts';
import { createWriteHealth } from './write-health.ts';

const failed = (cause: StorageFailureKind | null): WriteOutcome => ({ kind: 'failed', cause, message: '' });

function setUp() {
  const clock = createFakeClock(0);
  let probes = 0;
  let next: WriteOutcome[] | Error = [];
  const health = createWriteHealth({
    clock,
    probe: async () => {
      probes += 1;
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
  return { clock, health, write, probes: () => probes };
}

it('follows the outcome of the last change that the disk had a part in', async () => {
  const { write } = setUp();
  assert.equal(await write([]), null);
  assert.equal(
    await write([{ kind: 'written' }, failed('refused'), failed('overloaded'), failed(null)]),
    null,
  );
  assert.equal(await write([{ kind: 'written' }, failed('full')]), 'full');
  assert.equal(await write([{ kind: 'conflict' }]), 'full');
  assert.equal(await write([{ kind: 'deleted', sessions: [] }]), 'full', 'nothing was written');
  assert.equal(await write([{ kind: 'space', pages: 0 }]), 'full');
  assert.equal(await write([{ kind: 'over_quota', until: 1 }]), 'full');
  assert.equal(await write([{ kind: 'deleted', sessions: ['s'] }]), null);
  assert.equal(await write(new StorageFailure('interrupted', 'the thread ended')), 'interrupted');
  assert.equal(await write([{ kind: 'written' }]), null);
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
