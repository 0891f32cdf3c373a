import assert from 'node:assert/strict';
import { once } from 'node:events';
import { it } from 'node:test';
import { Worker } from 'node:worker_threads';
import { createMemoryLock, lockWords, releaseThread } from './memory-lock.ts';

const PROGRAM = new URL('../../test/support/locking.worker.ts', import.meta.url);
const ROUNDS = 2000;

it('lets nobody read while one writes, and only one write, over real threads', async () => {
  const threads = 4;
  const words = lockWords(threads);
  /** Two numbers that are equal unless somebody is in the middle of writing. */
  const shared = new Int32Array(new SharedArrayBuffer(8));
  const workers = Array.from(
    { length: threads },
    (_, number) => new Worker(PROGRAM, { workerData: { words, shared, thread: number + 1, rounds: ROUNDS } }),
  );
  const torn = await Promise.all(workers.map((worker) => once(worker, 'message')));
  assert.deepEqual(torn.flat(), [0, 0, 0, 0]);
  assert.deepEqual([...shared], [threads * ROUNDS, threads * ROUNDS]);
});

it('lets go when the work throws', () => {
  const words = lockWords(2);
  const [one, other] = [createMemoryLock(words, 1), createMemoryLock(words, 2)];
  const broken = () => {
    throw new Error('broken');
  };
  assert.throws(() => one.reading(broken), { message: 'broken' });
  assert.throws(() => one.writing(broken), { message: 'broken' });
  assert.equal(
    other.writing(() => 'free'),
    'free',
  );
});

it('does not wait for ever for a thread that ended while it read, and goes on when it is released', () => {
  const words = lockWords(2);
  const [one, other] = [createMemoryLock(words, 1), createMemoryLock(words, 2)];
  other.reading(() => {
    assert.throws(() => one.writing(() => undefined), { message: /does not let go/ });
    assert.equal(releaseThread(words, 2), false);
    assert.equal(
      one.writing(() => 'written'),
      'written',
    );
  });
});

it('tells that a thread ended in the middle of writing', () => {
  const words = lockWords(2);
  createMemoryLock(words, 2).writing(() => assert.equal(releaseThread(words, 2), true));
});
