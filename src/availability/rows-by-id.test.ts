import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleNetwork } from '../../test/support/sample-network.ts';
import { sampleProperty } from '../../test/support/sample-property.ts';
import { emptyCalendar } from '../catalogue/calendar.ts';
import { tieOrder } from './tie-order.ts';
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
