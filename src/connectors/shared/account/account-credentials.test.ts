import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it, test } from 'node:test';
import { systemRandom } from '../../../random.ts';
import {
  credentialVariable,
  readCredentials,
  readCredentialsFile,
  readCredentialsKey,
  writeCredentialsFile,
} from './account-credentials.ts';

const sealed = new Map([['harbor', { api_key: 'from-the-file', client_id: 'id' }]]);

describe('the credentials of an account', () => {
  it('come from the environment, or else from the sealed file', () => {
    const env = { STAYWIRE_SECRET_HARBOR_API_KEY: ' from-the-environment ' };
    assert.deepEqual(readCredentials('harbor', ['api_key', 'client_id'], { env, sealed }), {
      kind: 'valid',
      value: { api_key: 'from-the-environment', client_id: 'id' },
    });
  });

  it('are missed by name, with what to do', () => {
    assert.deepEqual(readCredentials('sea-side', ['api_key'], { env: {}, sealed }), {
      kind: 'invalid',
      faults: [
        'has no api_key for the account sea-side: set STAYWIRE_SECRET_SEA_SIDE_API_KEY, or run staywire connect',
      ],
    });
  });

  it('are never repeated in a fault', () => {
    const env = { [credentialVariable('harbor', 'api_key')]: 'my\nsecret' };
    const reading = readCredentials('harbor', ['api_key'], { env, sealed });
    assert.ok(reading.kind === 'invalid');
    assert.doesNotMatch(reading.faults.join(), /secret$|my/);
  });
});

describe('the key of the credentials file', () => {
  it('is 32 bytes in hexadecimal or in base64', () => {
    const bytes = Buffer.alloc(32, 0xfe);
    for (const text of [bytes.toString('hex'), bytes.toString('base64'), bytes.toString('base64url')]) {
      assert.deepEqual(readCredentialsKey(text), bytes);
    }
    for (const text of ['', 'password', 'ab'.repeat(31), Buffer.alloc(33).toString('base64')]) {
      assert.equal(readCredentialsKey(text), undefined);
    }
  });
});

const key = Buffer.alloc(32, 7);

test('credentials are written for their owner alone, and read back with the key', (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'staywire-credentials-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'credentials.sealed');
  assert.deepEqual(readCredentialsFile(file, key), { kind: 'valid', value: new Map() });
  const credentials = new Map([['harbor', { api_key: 'hush-hush' }]]);
  writeCredentialsFile(file, key, credentials, systemRandom);
  assert.deepEqual(readCredentialsFile(file, key), { kind: 'valid', value: credentials });
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.doesNotMatch(readFileSync(file, 'utf8'), /harbor|hush/);
  assert.deepEqual(readdirSync(folder), ['credentials.sealed']);
  assert.equal(readCredentialsFile(file, Buffer.alloc(32, 8)).kind, 'invalid');
  writeFileSync(file, 'not sealed');
  assert.equal(readCredentialsFile(file, key).kind, 'invalid');
});
