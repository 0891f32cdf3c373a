import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { StorageFailure, type StorageFailureKind } from '../../sessions/storage-failure.ts';
import { createWriteHealth } from './write-health.ts';

const ENOUGH = 8 * 1024 * 1024;

function setUp() {
  const clock = createFakeClock(0);
  const disk = { freeBytes: async (): Promise<number> => 0, fault: null as StorageFailureKind | null };
  let probes = 0;
  const health = createWriteHealth({
    clock,
    probe: async () => {
      probes += 1;
      if (disk.fault) throw new StorageFailure(disk.fault, '');
    },
    freeBytes: () => disk.freeBytes(),
  });
  const fail = (kind: StorageFailureKind) => health.note(new StorageFailure(kind, ''));
  const look = async () => {
    await clock.advance(3_000);
    health.fault();
    await clock.settle();
    return health.fault();
  };
  return { clock, disk, health, fail, look, probes: () => probes };
}

it('is a fault when the disk refuses a change, until a small change succeeds', async () => {
  const { disk, health, fail, look, probes } = setUp();
  for (const kind of ['refused', 'overloaded', 'closed'] as const) fail(kind);
  health.note(new Error('of the program'));
  assert.equal(await look(), null);
  assert.equal(probes(), 0);
  for (const kind of ['busy', 'input_output', 'interrupted'] as const) {
    disk.fault = kind;
    fail(kind);
    assert.equal(await look(), kind);
    disk.fault = null;
    assert.equal(await look(), null);
  }
});

it('takes a full disk for full until it has space for a session, although smaller changes fit', async () => {
  const { disk, fail, look, probes } = setUp();
  fail('full');
  disk.freeBytes = async () => ENOUGH - 1;
  assert.equal(await look(), 'full');
  disk.freeBytes = async () => {
    throw new Error('the folder is gone');
  };
  assert.equal(await look(), 'full');
  assert.equal(probes(), 0);
  disk.freeBytes = async () => ENOUGH;
  assert.equal(await look(), null);
});

it('tries at most every three seconds, and once for all who ask', async () => {
  const { clock, disk, health, fail, probes } = setUp();
  disk.fault = 'busy';
  fail('busy');
  health.fault();
  assert.equal(probes(), 0);
  await clock.advance(3_000);
  for (let time = 0; time < 5; time += 1) health.fault();
  await clock.advance(2_999);
  health.fault();
  assert.equal(probes(), 1);
  await clock.advance(1);
  health.fault();
  assert.equal(probes(), 2);
});

it('tries before it reports a fault to a search, and believes no attempt that began before', async () => {
  const { disk, health, fail } = setUp();
  const check = () => Promise.all([health.check(), health.check(), health.check()]);
  assert.deepEqual(await check(), [null, null, null]);
  fail('full');
  assert.deepEqual(await check(), ['full', 'full', 'full']);
  const answers: PromiseWithResolvers<number>[] = [];
  disk.freeBytes = () => {
    const answer = Promise.withResolvers<number>();
    answers.push(answer);
    return answer.promise;
  };
  const before = health.check();
  const after = health.check();
  answers[0]?.resolve(0);
  assert.equal(await before, 'full');
  answers[1]?.resolve(ENOUGH);
  assert.equal(await after, null);
});

it('stays damaged, whatever is written later, and a locked read is no fault', async () => {
  const readFailing = (errcode: number) => () => {
    throw Object.assign(new Error('failed'), { errcode });
  };
  const scenes = [setUp(), setUp()] as const;
  scenes[0].fail('corrupt');
  assert.throws(() => scenes[1].health.read(readFailing(5)), { kind: 'busy' });
  assert.equal(scenes[1].health.fault(), null);
  assert.throws(() => scenes[1].health.read(readFailing(11)), { kind: 'corrupt' });
  for (const { health, fail, look, probes } of scenes) {
    fail('busy');
    assert.equal(await look(), 'corrupt');
    assert.equal(await health.check(), 'corrupt');
    assert.equal(probes(), 0);
    assert.equal(
      health.read(() => 7),
      7,
    );
  }
});
