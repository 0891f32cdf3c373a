import assert from 'node:assert/strict';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { createCommandStage } from '../support/command-stage.ts';
import { brandEntry, networkFile, property } from '../support/network.ts';
import { startScriptedOperator } from '../support/scripted-operator.ts';

describe('staywire signing-keys create', () => {
  it('writes a key for its owner alone, and says its thumbprint but not the key', async (t) => {
    const stage = createCommandStage(t);
    const { code, output, notes } = await stage.run(['signing-keys', 'create']);
    assert.equal(code, 0, notes);
    const path = join(stage.directory, 'signing-keys.json');
    assert.equal(statSync(path).mode & 0o777, 0o600);
    const [key] = JSON.parse(readFileSync(path, 'utf8')).keys;
    assert.deepEqual([key.kty, key.crv, key.use], ['OKP', 'Ed25519', 'sig']);
    assert.ok(output.includes(key.kid) && output.includes('STAYWIRE_SIGNING_KEYS'), output);
    assert.ok(!(output + notes).includes(key.d));
    assert.ok(output.split('\n').every((line) => line.length <= 80));
    assert.deepEqual(stage.files(), ['signing-keys.json']);
  });

  it('adds a key after those that are there, and says so as data too', async (t) => {
    const stage = createCommandStage(t);
    const create = () => stage.run(['signing-keys', 'create', '--out', 'keys.json', '--json']);
    const first = JSON.parse((await create()).output);
    const second = JSON.parse((await create()).output);
    const { keys } = JSON.parse(readFileSync(join(stage.directory, 'keys.json'), 'utf8'));
    assert.deepEqual(
      keys.map(({ kid }: { kid: string }) => kid),
      [first.keyid, second.keyid],
    );
    assert.deepEqual([first.position, second.position], [0, 1]);
  });

  it('leaves a file alone that is something else', async (t) => {
    const stage = createCommandStage(t);
    writeFileSync(join(stage.directory, 'network.jsonc'), '{"brands": []}');
    const { code, notes } = await stage.run(['signing-keys', 'create', '--out', 'network.jsonc']);
    assert.equal(code, 2);
    assert.match(notes, /network\.jsonc must hold \{"keys"/);
    assert.equal(stage.file(), '{"brands": []}');
  });
});

describe('commands that ask operators', () => {
  it('sign as the service does, and say what is wrong with the keys', async (t) => {
    const stage = createCommandStage(t);
    const operator = await startScriptedOperator();
    t.after(() => operator.close());
    operator.properties = [property('a')];
    const agents: unknown[] = [];
    operator.misbehave = (_, { req }) => {
      agents.push(req.headers['signature-agent']);
      return false;
    };
    writeFileSync(
      join(stage.directory, 'network.jsonc'),
      JSON.stringify(networkFile([brandEntry('acme', operator.origin)])),
    );
    await stage.run(['signing-keys', 'create']);
    const keys = { STAYWIRE_SIGNING_KEYS: join(stage.directory, 'signing-keys.json') };
    const refused = await stage.run(['sync'], { env: keys });
    assert.equal(refused.code, 2);
    assert.match(refused.notes, /STAYWIRE_PUBLIC_URL must be set to an https\s+origin/);
    assert.deepEqual(agents, []);
    const env = { ...keys, STAYWIRE_PUBLIC_URL: 'https://stays.example' };
    const { code, notes } = await stage.run(['sync'], { env });
    assert.equal(code, 0, notes);
    assert.deepEqual(new Set(agents), new Set(['sig1="https://stays.example"']));
  });
});
