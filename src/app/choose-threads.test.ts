import assert from 'node:assert/strict';
import { it } from 'node:test';
import { chooseWorkers } from './request-threads.ts';
import type { Settings } from './settings.ts';

async function chosen(settings: Pick<Settings, 'workers' | 'store'>, canShare = true) {
  const warnings: string[] = [];
  const workers = await chooseWorkers(settings, {
    processors: 8,
    canShare: async () => canShare,
    report: (warning) => warnings.push(warning),
  });
  return { workers, warnings };
}

it('takes a thread for each processor, or as many as were asked for', async () => {
  assert.deepEqual(await chosen({ workers: null, store: 'sqlite' }), { workers: 8, warnings: [] });
  assert.deepEqual(await chosen({ workers: 3, store: 'sqlite' }), { workers: 3, warnings: [] });
  assert.deepEqual(await chosen({ workers: 1, store: 'memory' }), { workers: 1, warnings: [] });
});

it('takes one where several are not possible, and says so to whoever asked for more', async () => {
  assert.deepEqual(await chosen({ workers: null, store: 'memory' }), { workers: 1, warnings: [] });
  assert.deepEqual(await chosen({ workers: null, store: 'sqlite' }, false), { workers: 1, warnings: [] });
  assert.deepEqual(await chosen({ workers: 2, store: 'memory' }), {
    workers: 1,
    warnings: [
      'One thread answers instead of 2: threads cannot share the sessions of STAYWIRE_STORE=memory.',
    ],
  });
  assert.deepEqual(await chosen({ workers: 4, store: 'sqlite' }, false), {
    workers: 1,
    warnings: ['One thread answers instead of 4: this system does not let threads share a port.'],
  });
});
