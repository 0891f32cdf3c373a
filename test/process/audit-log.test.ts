import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { auditDirectory, auditFilesIn } from '../../src/telemetry/audit/audit-files.ts';
import { verifyLog } from '../../src/telemetry/audit/verify-log.ts';
import { brandEntry, networkFile, property } from '../support/network.ts';
import { startScriptedOperator } from '../support/scripted-operator.ts';
import { startServiceProcess } from '../support/service-process.ts';
import { temporaryDirectory } from '../support/temporary-storage.ts';

test('a service writes one chain, from its start to its stop', async (t) => {
  const operator = await startScriptedOperator();
  t.after(() => operator.close());
  operator.properties = [property('a')];
  const dataDirectory = join(temporaryDirectory(t), 'data');
  const { child, ready, ended } = startServiceProcess({
    dataDirectory,
    network: networkFile([brandEntry('acme', operator.origin)]),
  });
  t.after(() => child.kill('SIGKILL'));
  const origin = await ready;
  for (let count = 0; count < 20; count += 1) {
    const headers = { connection: 'close', ...(count % 2 === 0 ? {} : { origin: 'https://page.example' }) };
    await (await fetch(`${origin}/ai/v1/terms`, { headers })).text();
  }
  child.kill('SIGTERM');
  const { output } = await ended;
  const directory = auditDirectory(dataDirectory);
  const records = auditFilesIn(directory)
    .flatMap(({ path }) => readFileSync(path, 'utf8').trim().split('\n'))
    .map((line) => JSON.parse(line));
  const kinds = records.map(({ kind }) => kind);
  assert.deepEqual(kinds.slice(0, 3), ['anchor', 'started', 'registry']);
  assert.equal(kinds.at(-1), 'stopped');
  const outcomes = records.filter(({ kind }) => kind === 'request').map(({ outcome }) => outcome);
  assert.deepEqual(outcomes.toSorted(), [...Array(10).fill('browser'), ...Array(10).fill('done')]);
  // The log of the service has a copy of the last hash.
  const [, anchor = ''] = /"anchor":"([0-9a-f]{64})"/.exec(output) ?? [];
  const { fault } = await verifyLog({ directory, anchors: [anchor] });
  assert.equal(fault, null);
});
