import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { createLog } from './log.ts';
import { createMetrics } from './metrics.ts';
import { createRegistryObserver } from './observe-registry.ts';

test('the owner learns what became of a registry, and whether the one that was written last is in force', async () => {
  const lines: string[] = [];
  const log = createLog({
    level: 'debug',
    clock: createFakeClock(0),
    destination: { write: (line) => void lines.push(line) },
  });
  const metrics = createMetrics();
  const observe = createRegistryObserver({
    ...{ log, metrics, where: '/data/assistants.json' },
    copy: { path: '/data/assistants-in-force.json' },
  });
  const inForce = async () =>
    /^staywire_registry_in_force(?:\{.*\})? (\d)$/m.exec(await metrics.render())?.[1];
  assert.equal(await inForce(), '1', 'a start goes by what it has read');
  observe({ kind: 'faulty', faults: ['assistants[0].id: is missing'] });
  assert.equal(await inForce(), '0');
  assert.match(
    lines.join(''),
    /"faults":\["assistants\[0\]\.id: is missing"\].*the last good one stays in force, and a restart will fail until they are mended/,
  );
  const ofThread = await createMetrics().collect();
  const ofAll = await metrics.render([ofThread, ofThread]);
  assert.match(ofAll, /^staywire_registry_in_force(?:\{.*\})? 0$/m, 'whatever threads say');
  observe({ kind: 'taken', registry: { assistants: [] } });
  assert.match(
    lines.at(-1) ?? '',
    /"level":"warn".*approves nobody: only callers of STAYWIRE_TRUSTED_NETWORKS/,
  );
  assert.equal(await inForce(), '1');
  for (const event of [{ kind: 'missing' }, { kind: 'unreachable', message: 'no answer' }] as const) {
    observe(event);
    assert.equal(await inForce(), '0');
  }
  assert.match(lines.at(-1) ?? '', /no answer/);
  assert.match(
    lines.at(-2) ?? '',
    /gone: there is none in \/data\/assistants\.json any more\. The last one stays in force\. To put it back: staywire assistants store \/data\/assistants-in-force\.json\. .*\{\\"assistants\\": \[\]\}/,
  );
  observe({ kind: 'none' });
  assert.equal(await inForce(), '1');
});
