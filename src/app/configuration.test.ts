import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { brandEntry, networkFile } from '../../test/support/network.ts';
import { temporaryDirectory } from '../../test/support/temporary-storage.ts';
import { readConfiguration } from './configuration.ts';

const NETWORK = networkFile([brandEntry('acme', 'http://127.0.0.1:4000')]);
const ASSISTANTS = {
  assistants: [{ id: 'a', name: 'A', status: 'approved', recognised_by: [{ network: ['192.0.2.1'] }] }],
};

function files(directory: string) {
  return (name: string, content: unknown) => {
    const path = join(directory, name);
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
    return path;
  };
}

test('settings, network file and registry are read together', async (t) => {
  const file = files(temporaryDirectory(t));
  const reading = await readConfiguration({
    PORT: '8081',
    STAYWIRE_NETWORK: file('network.json', NETWORK),
    STAYWIRE_ASSISTANTS: file('assistants.json', ASSISTANTS),
    STAYWIRE_TRUSTED_NETWORKS: '10.0.0.0/8',
  });
  assert.equal(reading.kind, 'valid', inspect(reading));
  const { settings, networkSettings, registry } = reading.value;
  assert.equal(settings.port, 8081);
  assert.deepEqual([...networkSettings.network.brands.keys()], ['acme']);
  assert.deepEqual(
    registry.assistants.map(({ id }) => id),
    ['a', 'local'],
  );
});

test('with neither a registry nor trusted networks it says what to do, and trusts nobody', async (t) => {
  const directory = temporaryDirectory(t);
  const file = files(directory);
  for (const blank of [{}, { STAYWIRE_TRUSTED_NETWORKS: ' ', STAYWIRE_ASSISTANTS: '' }]) {
    const reading = await readConfiguration({
      STAYWIRE_NETWORK: file('network.json', NETWORK),
      STAYWIRE_DATA_DIR: directory,
      ...blank,
    });
    assert.equal(reading.kind, 'invalid');
    assert.equal(reading.faults.length, 1);
    const [fault = ''] = reading.faults;
    assert.match(fault, /staywire assistants approve chatgpt/);
    assert.match(fault, /STAYWIRE_TRUSTED_NETWORKS=127\.0\.0\.0\/8,::1/);
  }
});

test('one server without the other is a fault that says what to set, and no password', async (t) => {
  const file = files(temporaryDirectory(t));
  const rest = {
    STAYWIRE_NETWORK: file('network.json', NETWORK),
    STAYWIRE_TRUSTED_NETWORKS: '127.0.0.0/8',
  };
  const servers = {
    STAYWIRE_POSTGRES_URL: 'postgres://staywire:secret@db.internal/staywire',
    STAYWIRE_REDIS_URL: 'redis://:secret@redis.internal',
  };
  const noRegistry = {
    openPostgres: () =>
      ({ read: async () => null, replace: async () => 'replaced' as const, close: async () => {} }) as const,
  };
  assert.equal((await readConfiguration({ ...rest, ...servers }, noRegistry)).kind, 'valid');
  for (const missing of Object.keys(servers)) {
    const reading = await readConfiguration({ ...rest, ...servers, [missing]: '' }, noRegistry);
    assert.equal(reading.kind, 'invalid');
    assert.equal(reading.faults.length, 1);
    assert.match(reading.faults[0] ?? '', new RegExp(`^${missing} must be set as well`));
    assert.doesNotMatch(reading.faults.join(), /secret|internal/);
  }
});

test('the faults of all three come out at once, each with its file', async (t) => {
  const directory = temporaryDirectory(t);
  const file = files(directory);
  const network = file('network.json', { ...NETWORK, contact: 7 });
  const assistants = file('assistants.json', { assistants: [{ id: 'A' }] });
  const faultsOf = async (env: Record<string, string>) => {
    const reading = await readConfiguration(env);
    assert.equal(reading.kind, 'invalid');
    return reading.faults;
  };

  const all = await faultsOf({ PORT: 'eighty', STAYWIRE_NETWORK: network, STAYWIRE_ASSISTANTS: assistants });
  for (const start of ['PORT must be', `${network}/contact: `, `${assistants}: assistants[0].id: `]) {
    assert.ok(
      all.some((fault) => fault.startsWith(start)),
      `${start} in\n${all.join('\n')}`,
    );
  }

  const missing = join(directory, 'missing.json');
  const absent = await faultsOf({
    STAYWIRE_NETWORK: missing,
    STAYWIRE_ASSISTANTS: join(directory, 'none.json'),
  });
  assert.match(absent[1] ?? '', /none\.json: there is no such file; staywire assistants approve/);
  const broken = file('broken.json', '{');
  const unsearchable = await faultsOf({ STAYWIRE_NETWORK: missing, STAYWIRE_ASSISTANTS: broken });
  assert.equal(unsearchable.length, 2);
  assert.match(unsearchable[0] ?? '', /missing\.json: cannot be read: ENOENT/);
  assert.match(unsearchable[1] ?? '', /broken\.json: is not valid JSON: /);

  assert.deepEqual(
    (await faultsOf({ STAYWIRE_DATA_DIR: missing })).map((fault) => fault.split(' ')[0]),
    ['STAYWIRE_NETWORK', 'Nobody'],
  );
});

test('signing keys need an https origin, and all that is wrong with both is said at once', async (t) => {
  const file = files(temporaryDirectory(t));
  const rest = {
    STAYWIRE_NETWORK: file('network.json', NETWORK),
    STAYWIRE_TRUSTED_NETWORKS: '127.0.0.0/8',
  };
  const path = file('signing-keys.json', { keys: [{ kty: 'OKP' }, { kty: 'RSA', d: 'private' }] });
  for (const publicUrl of ['', 'http://127.0.0.1:8080']) {
    const env = { ...rest, STAYWIRE_SIGNING_KEYS: path, STAYWIRE_PUBLIC_URL: publicUrl, PORT: '-1' };
    const reading = await readConfiguration(env);
    assert.equal(reading.kind, 'invalid');
    const [port = '', ...faults] = reading.faults;
    assert.match(port, /^PORT must be/);
    assert.deepEqual(faults, [
      `${path} /keys/0: must be a private Ed25519 key, with kty, crv, x and d`,
      `${path} /keys/1: must be a private Ed25519 key, with kty, crv, x and d`,
      'STAYWIRE_PUBLIC_URL must be set to an https origin: operators look up there the keys that STAYWIRE_SIGNING_KEYS signs with',
    ]);
  }
});
