import assert from 'node:assert/strict';
import { it } from 'node:test';
import { systemRandom } from '../random.ts';
import { createRequestIds } from './request-ids.ts';

it('names every request differently', () => {
  const newId = createRequestIds(systemRandom);
  const ids = Array.from({ length: 2000 }, newId);
  assert.equal(new Set(ids).size, ids.length);
  for (const id of ids) assert.match(id, /^req_[\w-]{16}$/);
});

it('writes each identifier from twelve bytes of its own', () => {
  const drawn: Buffer[] = [];
  const newId = createRequestIds({
    bytes(count) {
      const bytes = Buffer.from(Array.from({ length: count }, (_, at) => (at * 7 + drawn.length) % 256));
      drawn.push(bytes);
      return bytes;
    },
  });
  const ids = Array.from({ length: 600 }, newId);
  const all = Buffer.concat(drawn);
  for (const [at, id] of ids.entries()) {
    assert.equal(id, `req_${all.subarray(at * 12, at * 12 + 12).toString('base64url')}`);
  }
});
