import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemRandom } from '../random.ts';
import { faultOfPassword, isPasswordOf, recordOfPassword } from './owner-settings.ts';

const CHEAP = { cost: 2 ** 4, blockSize: 8, parallelization: 1 };

test('a record knows its password and no other, and holds nothing of it', async () => {
  const record = await recordOfPassword('correct horse battery', systemRandom, CHEAP);
  assert.match(record, /^scrypt\$16\$8\$1\$/);
  assert.ok(!record.includes('horse'));
  assert.equal(await isPasswordOf('correct horse battery', record), true);
  assert.equal(await isPasswordOf('correct horse batterz', record), false);
  assert.equal(await isPasswordOf('', record), false);
});

test('the same password has another record each time', async () => {
  const [one, two] = [
    await recordOfPassword('correct horse battery', systemRandom, CHEAP),
    await recordOfPassword('correct horse battery', systemRandom, CHEAP),
  ];
  assert.notEqual(one, two);
});

test('one spelling of a letter is as good as another', async () => {
  const record = await recordOfPassword('caf\u00e9 au lait, twelve', systemRandom, CHEAP);
  assert.equal(await isPasswordOf('cafe\u0301 au lait, twelve', record), true);
});

test('costs 2^17 unless a record says otherwise', async () => {
  const record = await recordOfPassword('correct horse battery', systemRandom);
  assert.match(record, /^scrypt\$131072\$8\$1\$/);
  assert.equal(await isPasswordOf('correct horse battery', record), true);
});

test('a record that is none is a fault, and not a wrong password', async () => {
  await assert.rejects(isPasswordOf('x', 'plain'), /cannot be read/);
  await assert.rejects(isPasswordOf('x', ''), /cannot be read/);
});

test('a password has twelve characters at least, however many bytes they take', () => {
  assert.match(faultOfPassword('elevenchars') ?? '', /at least 12/);
  assert.equal(faultOfPassword('twelve chars'), undefined);
  assert.match(faultOfPassword('🔑'.repeat(11)) ?? '', /at least 12/);
  assert.equal(faultOfPassword('🔑'.repeat(12)), undefined);
  assert.match(faultOfPassword('x'.repeat(1001)) ?? '', /at most 1000/);
});
