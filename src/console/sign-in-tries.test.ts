import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSignInTries } from './sign-in-tries.ts';

test('five wrong passwords in a minute, then none until the first is a minute ago', async () => {
  let now = 0;
  const attempt = createSignInTries({ elapsed: () => now });
  let asked = 0;
  const wrong = async () => {
    asked += 1;
    return false;
  };
  for (now = 0; now < 5000; now += 1000)
    assert.deepEqual(await attempt(wrong), { kind: 'done', value: false });
  assert.deepEqual(await attempt(wrong), { kind: 'too_many', retryAfterSeconds: 55 });
  assert.deepEqual(await attempt(async () => true), { kind: 'too_many', retryAfterSeconds: 55 });
  assert.equal(asked, 5);
  now = 60_000;
  assert.deepEqual(await attempt(wrong), { kind: 'done', value: false });
  assert.equal((await attempt(wrong)).kind, 'too_many');
});

test('a browser that was signed in before has tries of its own', async () => {
  const attempt = createSignInTries({ elapsed: () => 0 });
  const wrong = async () => false;
  for (let count = 0; count < 9; count += 1) await attempt(wrong);
  for (let count = 0; count < 5; count += 1) assert.equal((await attempt(wrong, 'known')).kind, 'done');
  assert.equal((await attempt(async () => true, 'known')).kind, 'too_many', 'and no more of them');
});

test('the right password is not counted', async () => {
  const attempt = createSignInTries({ elapsed: () => 0 });
  for (let count = 0; count < 20; count += 1) {
    assert.deepEqual(await attempt(async () => true), { kind: 'done', value: true });
  }
});

test('one is tried at a time, and one that fails does not stop the next', async () => {
  const attempt = createSignInTries({ elapsed: () => 0 });
  let atOnce = 0;
  const alone = async () => {
    atOnce += 1;
    assert.equal(atOnce, 1);
    await Promise.resolve();
    atOnce -= 1;
    return false;
  };
  const broken = attempt(async () => {
    throw new Error('broken');
  });
  const others = [attempt(alone), attempt(alone), attempt(alone)];
  await assert.rejects(broken, /broken/);
  for (const other of others) assert.deepEqual(await other, { kind: 'done', value: false });
});
