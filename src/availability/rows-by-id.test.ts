import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleNetwork } from '../../test/support/sample-network.ts';
import { sampleProperty } from '../../test/support/sample-property.ts';
import { emptyCalendar } from '../catalogue/calendar.ts';
import { compareTied, tieOrder } from './rows-by-id.ts';
import { createAvailabilityIndex } from './tiled-index.ts';

const NOW = Date.parse('2027-05-01T12:00:00Z');

function indexOf(...ids: readonly string[]) {
  const index = createAvailabilityIndex(sampleNetwork(['sol']), { now: NOW });
  const { id: _, ...home } = sampleProperty({ brand: 'sol', reference: '1' });
  for (const id of ids) index.put({ ...home, id }, emptyCalendar(20_940, 3));
  return index;
}

test('ids of one length that share a hash are told apart', () => {
  assert.equal(tieOrder('declinate'), tieOrder('macallums'), 'they collide, as is well known');
  assert.equal(indexOf('declinate').has('macallums'), false);
  const both = indexOf('declinate', 'macallums');
  assert.deepEqual([both.propertyCount, both.has('declinate'), both.has('macallums')], [2, true, true]);
});

test('ids of other letters are found, and are no others that have their bytes', () => {
  const index = indexOf('sol:é', 'sol:別荘', 'sol:🏡');
  assert.deepEqual(['sol:é', 'sol:別荘', 'sol:🏡', 'sol:Ã©', 'sol:e', 'sol:'].map(index.has), [
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
});

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
