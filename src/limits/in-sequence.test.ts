import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSequence } from './keyed-mutex.ts';

test('work is done in the order of the calls, one after the other', async () => {
  const inSequence = createSequence();
  const first = Promise.withResolvers<void>();
  const events: string[] = [];
  const one = inSequence(async () => {
    events.push('first begins');
    await first.promise;
    events.push('first ends');
  });
  const two = inSequence(async () => void events.push('second'));
  await Promise.resolve();
  assert.deepEqual(events, ['first begins']);
  first.resolve();
  await Promise.all([one, two]);
  assert.deepEqual(events, ['first begins', 'first ends', 'second']);
});

test('work that fails is told to whoever asked for it, and the next is done', async () => {
  const inSequence = createSequence();
  const failing = inSequence(() => Promise.reject(new Error('no room')));
  const next = inSequence(async () => {});
  await assert.rejects(failing, /no room/);
  await next;
});
