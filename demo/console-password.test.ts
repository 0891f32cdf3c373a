import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { systemRandom } from '../src/random.ts';
import { demoConsolePassword } from './console-password.ts';

let directory = '';
beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'staywire-password-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

function setUp(before: string | null = null) {
  const file = path.join(directory, 'console.json');
  let password = before;
  const store = {
    isSet: async () => password !== null,
    is: async (one: string) => one === password,
    async set(chosen: string) {
      password = chosen;
    },
  };
  const start = () => demoConsolePassword({ store, file, random: systemRandom });
  return { start, file, store, password: () => password };
}

test('the first start makes a password, and later starts say it again', async () => {
  const { start, file, password } = setUp();
  const made = await start();
  assert.match(made ?? '', /^[\w-]{20}$/);
  assert.equal(password(), made);
  assert.equal(await start(), made);
  assert.equal(statSync(file).mode & 0o777, 0o600);
});

test('a password that the owner has set is neither changed nor said', async () => {
  const { start, password } = setUp('the owner’s own');
  assert.equal(await start(), null);
  assert.equal(password(), 'the owner’s own');
});

test('one that the owner has set after the first start is not said either', async () => {
  const { start, store } = setUp();
  await start();
  await store.set('the owner’s own');
  assert.equal(await start(), null);
});
