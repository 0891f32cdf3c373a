import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleSession } from '../../test/support/sample-session.ts';
import type { Session } from '../sessions/session.ts';
import { createFindSession } from './serve-operation.ts';

const TOKEN = `ses_${'a'.repeat(43)}`;
/** SHA-256 of the token, base64url. */
const ID = 'k0x6qwePEZikN42w9iFU6cZE2_EPyNmP3wdknO2rsJk';
const session = sampleSession(ID);

function setUp(stored: readonly Session[] = [session]) {
  const asked: string[] = [];
  const used: string[] = [];
  const find = createFindSession(
    {
      async find(id) {
        asked.push(id);
        return stored.find((one) => one.id === id);
      },
    },
    { forget: (id) => void used.push(id) },
  );
  return { find, asked, used };
}

test('a live session is found by its token', async () => {
  const { find, asked } = setUp();
  assert.deepEqual(await find(TOKEN, 'assistant', 999), { kind: 'live', session, token: TOKEN });
  assert.deepEqual(asked, [ID]);
});

test('it does not exist for another assistant, live or expired', async () => {
  assert.deepEqual(await setUp().find(TOKEN, 'another', 999), { kind: 'not_found' });
  assert.deepEqual(await setUp().find(TOKEN, 'another', 1_000), { kind: 'not_found' });
});

test('an unknown token is not found, and the store is not asked about one that cannot be', async () => {
  assert.deepEqual(await setUp([]).find(TOKEN, 'assistant', 0), { kind: 'not_found' });
  const { find, asked } = setUp();
  for (const token of ['ses_a', ID, ` ${TOKEN}`, `${TOKEN}\n`]) {
    assert.deepEqual(await find(token, 'assistant', 0), { kind: 'not_found' });
  }
  assert.deepEqual(asked, []);
});

test('a session that is found is in use, although reading it does not change it', async () => {
  const unchanged = setUp([sampleSession(ID, 0)]);
  await unchanged.find(TOKEN, 'another', 999);
  assert.deepEqual(unchanged.used, [], 'not by a stranger');
  await unchanged.find(TOKEN, 'assistant', 999);
  assert.deepEqual(unchanged.used, [ID]);
  await unchanged.find(TOKEN, 'assistant', 1_000);
  assert.deepEqual(unchanged.used, [ID, ID], 'also after its end, which a step of the clock could take back');
});
