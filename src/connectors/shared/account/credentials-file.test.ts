import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { systemRandom } from '../../../random.ts';
import { readCredentialsFile, writeCredentialsFile } from './credentials-file.ts';

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
