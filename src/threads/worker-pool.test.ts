import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { Worker } from 'node:worker_threads';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { systemClock } from '../clock.ts';
import { ThreadGone } from './port-calls.ts';
import { createWorkerPool } from './worker-pool.ts';

const PROGRAM = new URL('../../test/support/pool.worker.ts', import.meta.url);

function startPool(t: TestContext, { count, fails = false }: { count: number; fails?: boolean }) {
  const started: { readonly worker: Worker; readonly number: number }[] = [];
  const ended: number[] = [];
  const closings: string[] = [];
  const pool = createWorkerPool({
    count,
    startWorker(number) {
      const worker = new Worker(PROGRAM, { workerData: { number, fails } });
      started.push({ worker, number });
      return worker;
    },
    handlersFor: () => ({ closing: (what: string) => closings.push(what) }),
    onEnded: (number) => ended.push(number),
    clock: systemClock,
    maxClosingMs: 30_000,
  });
  t.after(() => pool.close('nothing', 'nothing'));
  return { pool, started, ended, closings };
}

it('introduces all threads to each other, and replaces one that ends', async (t) => {
  const { pool, started, ended } = startPool(t, { count: 3 });
  assert.equal(await pool.start(), 'thread 0 is up');
  assert.deepEqual(await pool.callAll('askPeers', null), [
    ['1 from 0', '2 from 0'],
    ['0 from 1', '2 from 1'],
    ['0 from 2', '1 from 2'],
  ]);
  await started[1]?.worker.terminate();
  assert.deepEqual(ended, [1]);
  // What was on its way to the old one is lost; then the others wait for the new one.
  let answers: readonly unknown[] = [];
  while (answers.length < 3) answers = await pool.callAll('askPeers', null);
  assert.ok(answers.some((answer) => Array.isArray(answer) && answer[0] === '1 from 0'));
  assert.deepEqual(
    started.map(({ number }) => number),
    [0, 1, 2, 1],
  );
});

it('asks one of the threads that are up, and says when there is none', async (t) => {
  const { pool } = startPool(t, { count: 3 });
  await assert.rejects(pool.callAny('askPeers', null), ThreadGone);
  await pool.start();
  assert.deepEqual(await pool.callAny('askPeers', null), ['1 from 0', '2 from 0']);
});

it('says why a thread cannot start', async (t) => {
  const { pool } = startPool(t, { count: 2, fails: true });
  await assert.rejects(pool.start(), { message: 'the port is taken' });
});

it('closes all doors before any store', async (t) => {
  const { pool, ended, closings } = startPool(t, { count: 2 });
  await pool.start();
  await pool.close('closeTransports', 'closeStore');
  assert.deepEqual(closings.toSorted(), ['store', 'store', 'transports', 'transports']);
  assert.deepEqual(closings.slice(0, 2), ['transports', 'transports']);
  assert.deepEqual(ended, []);
});

it('closes without a thread that does not come to its messages', async () => {
  const clock = createFakeClock(0);
  let worker: Worker | undefined;
  const pool = createWorkerPool({
    count: 1,
    startWorker() {
      const program = `
        const { parentPort } = require('node:worker_threads');
        parentPort.postMessage([['tell', 'up', null]]);
        for (;;);`;
      worker = new Worker(program, { eval: true });
      return worker;
    },
    handlersFor: () => ({}),
    onEnded: assert.fail,
    clock,
    maxClosingMs: 1000,
  });
  await pool.start();
  const closed = pool.close('closeTransports', 'closeStore');
  await clock.advance(1000);
  await clock.advance(1000);
  await closed;
  assert.equal(worker?.threadId, -1);
});

it('tries again when a thread that takes the place of another cannot start', async (t) => {
  const starts: Worker[] = [];
  const pool = createWorkerPool({
    count: 1,
    startWorker(number) {
      // The second has no luck.
      const worker = new Worker(PROGRAM, { workerData: { number, fails: starts.length === 1 } });
      starts.push(worker);
      return worker;
    },
    handlersFor: () => ({}),
    onEnded: () => undefined,
    clock: systemClock,
    maxClosingMs: 30_000,
  });
  t.after(() => pool.close('nothing', 'nothing'));
  await pool.start();
  await starts[0]?.terminate();
  while (starts.length < 3) await new Promise((resolve) => setImmediate(resolve));
  let answers: readonly unknown[] = [];
  while (answers.length === 0) answers = await pool.callAll('nothing', null);
});

it('starts a thread that ends at once again and again, with longer and longer pauses', async () => {
  const clock = createFakeClock(0);
  const starts: number[] = [];
  let first: Worker | undefined;
  let ended = Promise.withResolvers<void>();
  const pool = createWorkerPool({
    count: 1,
    startWorker(number) {
      starts.push(clock.elapsed());
      first ??= new Worker(PROGRAM, { workerData: { number, fails: false } });
      return starts.length === 1 ? first : new Worker('process.exit(1)', { eval: true });
    },
    handlersFor: () => ({}),
    onEnded: () => ended.resolve(),
    clock,
    maxClosingMs: 1,
  });
  await pool.start();
  await first?.terminate();
  for (const pause of [100, 200, 400]) {
    await ended.promise;
    ended = Promise.withResolvers();
    await clock.advance(pause);
  }
  await ended.promise;
  assert.deepEqual(
    starts.map((at) => at - (starts[0] ?? 0)),
    [0, 100, 300, 700],
  );
  await pool.close('nothing', 'nothing');
});
