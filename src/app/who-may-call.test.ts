import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it, type TestContext } from 'node:test';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { temporaryDirectory } from '../../test/support/temporary-storage.ts';
import { documentOf, type RegistrySource } from '../access/registry/registry-source.ts';
import { systemRandom } from '../random.ts';
import { auditDirectory, auditFilesIn } from '../telemetry/audit/audit-files.ts';
import { createLog } from '../telemetry/log.ts';
import { createMetrics } from '../telemetry/metrics.ts';
import { openRegisteredAssistants } from './configuration.ts';
import { openAudit, openWhoMayCall } from './open-access.ts';

const documentWith = (...recognised_by: object[]) =>
  JSON.stringify({ assistants: [{ id: 'a', name: 'A', status: 'approved', recognised_by }] });

/** A node with a registry in PostgreSQL, as far as the registry knows it. */
async function aNode(t: TestContext, text: string) {
  const state = { text, isHanging: false };
  let breakOff = () => {};
  const source: RegistrySource = {
    async read() {
      if (!state.isHanging) return documentOf(state.text);
      return new Promise((_, reject) => {
        breakOff = () => reject(new Error('closed'));
      });
    },
    replace: async () => 'replaced',
    close: async () => breakOff(),
  };
  const directory = temporaryDirectory(t);
  const opened = openRegisteredAssistants(
    { STAYWIRE_DATA_DIR: directory, STAYWIRE_POSTGRES_URL: 'postgres://u:p@db/staywire' },
    { catalogue: [], openPostgres: () => source },
  );
  assert.ok(opened.kind === 'valid');
  const since = await opened.value.readAtStart();
  assert.ok(since.kind === 'valid' && since.value.registry);
  const clock = createFakeClock(Date.UTC(2026, 10, 17));
  const warnings: { assistant: string; risk?: string }[] = [];
  const log = createLog({
    level: 'warn',
    clock,
    destination: { write: (line) => void warnings.push(JSON.parse(line)) },
  });
  const metrics = createMetrics();
  const settings = {
    ...{ dataDirectory: directory, store: 'memory' as const, operatorNetworks: [], publishedMaxAgeDays: 7 },
    ...{ trustedNetworks: null, publicUrl: 'https://stays.example', hosts: [] },
  };
  const audit = openAudit({
    ...{
      settings: { ...settings, store: 'sqlite', auditDays: 1, maxAuditMegabytes: null },
      registry: since.value.registry,
    },
    ...{ node: 'a', clock, log, metrics },
  });
  assert.ok(audit);
  const whoMayCall = openWhoMayCall({
    ...{ settings, registered: opened.value, since: since.value, clock, random: systemRandom, log, metrics },
    audit,
  });
  /** What the audit log says of the registry, once all is closed. */
  const recorded = async () => {
    await whoMayCall.close();
    await audit.close();
    return auditFilesIn(auditDirectory(directory))
      .flatMap(({ path }) => readFileSync(path, 'utf8').trim().split('\n'))
      .map((line) => JSON.parse(line))
      .flatMap(({ kind, changes }) => (kind === 'registry' ? changes : []));
  };
  return { state, clock, whoMayCall, warnings, recorded };
}

describe('who may call', () => {
  it('is told to the owner where others can call in the name of an assistant, at the start and after a change', async (t) => {
    const every = '0.0.0.0/0 is every address there is.';
    const { state, clock, warnings, recorded } = await aNode(t, documentWith({ network: ['::/0'] }));
    assert.deepEqual(
      warnings.map(({ assistant, risk }) => [assistant, risk]),
      [['a', '::/0 is every address there is.']],
    );
    state.text = documentWith({ network: ['::/0'] }, { user_agent: 'A-User', ranges: ['0.0.0.0/0'] });
    await clock.advance(1_000);
    assert.deepEqual(
      warnings.slice(1).map(({ assistant, risk }) => [assistant, risk]),
      [['a', every]],
    );
    assert.deepEqual(await recorded(), [
      {
        ...{ assistant: 'a', from: null, to: 'approved' },
        ways: { added: ['network ::/0'], removed: [] },
      },
      {
        ...{ assistant: 'a', from: 'approved', to: 'approved', changed: ['ways'] },
        ways: { added: ['A-User from 0.0.0.0/0'], removed: [] },
      },
    ]);
  });

  it('is closed while its registry is being read from a server that hangs', async (t) => {
    const { state, clock, whoMayCall, recorded } = await aNode(t, documentWith({ network: ['192.0.2.1'] }));
    state.isHanging = true;
    await clock.advance(1_000);
    await whoMayCall.close();
    assert.equal(whoMayCall.list().assistants.length, 1);
    assert.equal((await recorded()).length, 1, 'the start');
  });
});
