import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { createCompressBody, isWorthCompressing } from './compress-body.ts';

test('what comes back is what was put in, from text and from bytes', async () => {
  const compress = createCompressBody();
  const text = JSON.stringify({ name: 'Casa São Bento', amounts: Array.from({ length: 1000 }, (_, i) => i) });
  for (const body of [text, Buffer.from(text)]) {
    assert.equal(brotliDecompressSync(await compress(body, 'br')).toString(), text);
    assert.equal(gunzipSync(await compress(body, 'gzip')).toString(), text);
  }
});

test('bytes that are sent again are compressed once in each encoding, even by callers at the same time', async () => {
  const runs: string[] = [];
  const counting = (name: string) => async (body: string | Uint8Array) => {
    runs.push(name);
    return Buffer.from(body);
  };
  const compress = createCompressBody({ br: counting('br'), gzip: counting('gzip') });
  const kept = Buffer.from('kept');
  await Promise.all([compress(kept, 'br'), compress(kept, 'br'), compress(kept, 'gzip')]);
  await compress(kept, 'br');
  assert.deepEqual(runs, ['br', 'gzip']);
  await compress(Buffer.from('kept'), 'br');
  assert.deepEqual(runs, ['br', 'gzip', 'br'], 'other bytes are other bytes, even when they are equal');
});

test('only more than 2 KB is worth it, counted in bytes', () => {
  assert.equal(isWorthCompressing('x'.repeat(2048)), false);
  assert.equal(isWorthCompressing('x'.repeat(2049)), true);
  assert.equal(isWorthCompressing('é'.repeat(1025)), true);
  assert.equal(isWorthCompressing(Buffer.alloc(2049)), true);
  assert.equal(isWorthCompressing(''), false);
});
