import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { untilTrue } from '../support/cluster-scene.ts';
import { runCommand } from '../support/command-line.ts';
import { brandEntry, networkFile, property } from '../support/network.ts';
import { startScriptedOperator } from '../support/scripted-operator.ts';
import { startServiceProcess } from '../support/service-process.ts';

/** Each comes over a connection of its own, so that threads take turns. */
const CALLS = 12;
/** Much longer than is promised, for a busy machine. How often the registry is looked at is pinned where it is watched. */
const MAX_MS = 60_000;

async function statuses(origin: string): Promise<ReadonlySet<number>> {
  const answers = await Promise.all(
    Array.from({ length: CALLS }, () =>
      fetch(`${origin}/ai/v1/terms`, { headers: { connection: 'close' } }).then(async (answer) => {
        await answer.arrayBuffer();
        return answer.status;
      }),
    ),
  );
  return new Set(answers);
}

async function startOwned(t: TestContext) {
  const directory = mkdtempSync(join(tmpdir(), 'staywire-registry-'));
  const dataDirectory = join(directory, 'data');
  const operator = await startScriptedOperator();
  operator.properties = [property('a')];
  const env = {
    STAYWIRE_DATA_DIR: dataDirectory,
    STAYWIRE_TRUSTED_NETWORKS: '',
    STAYWIRE_ASSISTANTS: join(directory, 'assistants.json'),
  };
  const staywire = (...words: string[]) => runCommand(words, { directory, env });
  const added = await staywire(
    'assistants',
    'approve',
    'concierge',
    '--name',
    'Concierge',
    '--network',
    '127.0.0.1',
    '--force',
  );
  assert.equal(added.code, 0, added.stderr);
  const service = startServiceProcess({
    dataDirectory,
    network: networkFile([brandEntry('acme', operator.origin)]),
    env,
  });
  t.after(async () => {
    service.child.kill('SIGTERM');
    await service.ended;
    await operator.close();
    rmSync(directory, { recursive: true, force: true });
  });
  return { origin: await service.ready, staywire, directory, service };
}

test('a command suspends and approves an assistant in all threads of a service that runs', async (t) => {
  const { origin, staywire, directory, service } = await startOwned(t);
  assert.deepEqual(await statuses(origin), new Set([200]));
  for (const [command, expected] of [
    ['suspend', 403],
    ['approve', 200],
  ] as const) {
    const run = await staywire('assistants', command, 'concierge');
    assert.equal(run.code, 0, run.stderr);
    const tookMs = await untilTrue(
      `${command} is in force`,
      async () => {
        const seen = await statuses(origin);
        return seen.size === 1 && seen.has(expected);
      },
      MAX_MS,
    );
    t.diagnostic(`${command}: in force in all threads ${Math.round(tookMs)} ms after the command ended`);
  }
  let log = '';
  service.child.stdout?.on('data', (text: string) => {
    log += text;
  });
  // What came of a look has reached all threads by the time of the next one.
  for (const [looks, broken] of ['{"assistants": [{"id": "con', '{"assistants": 1}'].entries()) {
    writeFileSync(join(directory, 'assistants.json'), broken);
    await untilTrue('it was looked at', () => log.split('has faults').length > looks + 1, MAX_MS);
  }
  assert.deepEqual(await statuses(origin), new Set([200]), 'a broken registry changes nothing');
});
