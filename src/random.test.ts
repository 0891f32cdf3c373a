import assert from 'node:assert/strict';
import { it } from 'node:test';
import { systemRandom } from './random.ts';

it('never hands out the same bytes twice', () => {
  const seen = new Set<string>();
  for (let time = 0; time < 2000; time += 1) seen.add(systemRandom.bytes(12).toString('hex'));
  assert.equal(seen.size, 2000);
});

it('gives as many bytes as were asked for, whatever is left over from before', () => {
  for (const count of [0, 1, 32, 4095, 4096, 4097, 100_000, 7]) {
    assert.equal(systemRandom.bytes(count).length, count);
  }
});
