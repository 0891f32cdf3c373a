import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareTied, tieOrder } from './tie-order.ts';

test('the order is FNV-1a with 32 bits over the UTF-8 of the id', () => {
  // The published values of the algorithm.
  assert.equal(tieOrder(''), 0x811c9dc5);
  assert.equal(tieOrder('a'), 0xe40c292c);
  assert.equal(tieOrder('foobar'), 0xbf9cf968);
  assert.equal(tieOrder('é'), tieOrderOfBytes([0xc3, 0xa9]));
});

test('homes that share a hash stand in the order of their ids', () => {
  assert.equal(tieOrder('costarring'), tieOrder('liquid'), 'they collide, as is well known');
  assert.ok(compareTied('costarring', 'liquid') < 0);
  assert.ok(compareTied('liquid', 'costarring') > 0);
  assert.equal(compareTied('liquid', 'liquid'), 0);
  assert.ok(compareTied('foobar', 'a') < 0);
});

function tieOrderOfBytes(bytes: readonly number[]): number {
  let hash = 0x811c9dc5n;
  for (const byte of bytes) hash = ((hash ^ BigInt(byte)) * 0x01000193n) % 2n ** 32n;
  return Number(hash);
}
