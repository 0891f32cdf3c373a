import assert from 'node:assert/strict';
import { once } from 'node:events';
import { it } from 'node:test';
import { Worker } from 'node:worker_threads';
import { systemClock } from './clock.ts';

it('has the same elapsed time in all threads', async () => {
  const clock = new URL('clock.ts', import.meta.url).href;
  const program = `import(${JSON.stringify(clock)}).then(({ systemClock }) => {
    require('node:worker_threads').parentPort.postMessage(systemClock.elapsed());
  });`;
  const before = systemClock.elapsed();
  const [there] = await once(new Worker(program, { eval: true }), 'message');
  assert.ok(before <= there && there <= systemClock.elapsed(), `${before} ${there}`);
});
