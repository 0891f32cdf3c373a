import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createSessionCache } from './session-cache.ts';

it('drops the session that was used longest ago', () => {
  const cache = createSessionCache({ maxSessions: 2, maxResultBytes: 10 });
  cache.remember('a', '{"id":"a"}', undefined);
  cache.remember('b', '{"id":"b"}', undefined);
  cache.session('a');
  cache.rememberChange('c', '{"id":"c"}', 'key');
  assert.equal(cache.session('b'), undefined);
  assert.deepEqual(cache.session('a'), { id: 'a' });
  assert.deepEqual(cache.session('c'), { id: 'c' });
});

it('keeps results within the bytes that it may use', () => {
  const cache = createSessionCache({ maxSessions: 9, maxResultBytes: 10 });
  cache.rememberResult('a', new Uint8Array(4));
  cache.rememberResult('b', new Uint8Array(4));
  cache.result('a');
  cache.rememberResult('c', new Uint8Array(4));
  assert.equal(cache.result('b'), undefined);
  assert.equal(cache.result('a')?.length, 4);
  cache.rememberResult('a', new Uint8Array(6));
  assert.equal(cache.result('a')?.length, 6);
  assert.equal(cache.result('c')?.length, 4);
  cache.rememberResult('d', new Uint8Array(11));
  for (const id of ['a', 'c', 'd']) assert.equal(cache.result(id), undefined, id);
});

it('knows all keys of a session only when it has seen them all', () => {
  const cache = createSessionCache({ maxSessions: 9, maxResultBytes: 10 });
  cache.remember('seen from the start', '', new Set());
  cache.rememberChange('seen from the start', '', 'key');
  assert.deepEqual(cache.answerKeys('seen from the start'), new Set(['key']));
  cache.rememberChange('seen late', '', 'key');
  assert.equal(cache.answerKeys('seen late'), undefined);
  cache.forget('seen from the start');
  assert.equal(cache.answerKeys('seen from the start'), undefined);
});
