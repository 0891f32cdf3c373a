import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { readAssistantRegistry } from '../src/access/registry/assistant-registry.ts';
import { cidrsOf } from '../src/parsing/ip-address.ts';
import { demoCallers } from './assistants.ts';

let data = '';
let demo = '';
beforeEach(() => {
  data = mkdtempSync(path.join(tmpdir(), 'staywire-callers-'));
  demo = path.join(data, 'demo');
});
afterEach(() => rmSync(data, { recursive: true }));

const LOOPBACK = '127.0.0.0/8,::1';

test('the demo trusts this machine and knows its own assistants, unless somebody has said who may call', () => {
  const file = path.join(demo, 'assistants.json');
  for (const environment of [{}, { STAYWIRE_ASSISTANTS: ' ', STAYWIRE_TRUSTED_NETWORKS: '' }]) {
    assert.deepEqual(demoCallers({ ...environment, STAYWIRE_DATA_DIR: data }, demo), {
      STAYWIRE_TRUSTED_NETWORKS: LOOPBACK,
      STAYWIRE_ASSISTANTS: file,
    });
  }
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.deepEqual(demoCallers({ STAYWIRE_ASSISTANTS: 'assistants.json' }, demo), {});
  assert.deepEqual(demoCallers({ STAYWIRE_TRUSTED_NETWORKS: '10.0.0.0/8' }, demo), {});
});

test('a registry that is there already counts, wherever it is', () => {
  const postgres = { STAYWIRE_DATA_DIR: data, STAYWIRE_POSTGRES_URL: 'postgres://x' };
  assert.deepEqual(demoCallers(postgres, demo), { STAYWIRE_TRUSTED_NETWORKS: LOOPBACK });
  for (const name of ['assistants.json', 'assistants-in-force.json']) {
    writeFileSync(path.join(data, name), '{"assistants": []}');
    assert.deepEqual(demoCallers({ STAYWIRE_DATA_DIR: data }, demo), { STAYWIRE_TRUSTED_NETWORKS: LOOPBACK });
    rmSync(path.join(data, name));
  }
});

test('what was changed in its registry stays', () => {
  const { STAYWIRE_ASSISTANTS: file = '' } = demoCallers({ STAYWIRE_DATA_DIR: data }, demo);
  writeFileSync(file, '{"assistants": []}');
  demoCallers({ STAYWIRE_DATA_DIR: data }, demo);
  assert.equal(readFileSync(file, 'utf8'), '{"assistants": []}');
});

test('an assistant of the demo is a caller on this machine, and nobody else', () => {
  const { STAYWIRE_ASSISTANTS: file = '' } = demoCallers({ STAYWIRE_DATA_DIR: data }, demo);
  const reading = readAssistantRegistry(readFileSync(file, 'utf8'), { folder: demo, catalogue: [] });
  assert.ok(reading.kind === 'valid');
  for (const { id, recognisedBy } of reading.value.assistants) {
    const ways = recognisedBy.map((way) => (way.kind === 'ranges' ? [...cidrsOf(way.ranges)] : way.kind));
    assert.deepEqual(ways, [['127.0.0.1']], id);
  }
});
