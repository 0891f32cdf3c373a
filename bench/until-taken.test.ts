import assert from 'node:assert/strict';
import { it } from 'node:test';
import { requestsSentAgain, untilTaken } from './until-taken.ts';

const answer = (text: string) => ({ text, bytes: text.length, milliseconds: 1 });

it('a request that is refused for now is sent again, whatever its status was', async () => {
  const before = requestsSentAgain();
  const answers = [
    () => Promise.reject(new Error('POST /ai/v1/auth: 503 {"error":"overloaded"}')),
    () => Promise.resolve(answer('{"error":"storage_unavailable"}')),
    () => Promise.resolve(answer('{"session":"s"}')),
  ];
  const taken = await untilTaken(() => answers.shift()?.() ?? Promise.reject(new Error('too often')));
  assert.equal(taken.text, '{"session":"s"}');
  assert.equal(requestsSentAgain() - before, 2);
});

it('a request that fails otherwise is not', async () => {
  await assert.rejects(
    untilTaken(() => Promise.reject(new Error('GET /: 404'))),
    /404/,
  );
});
