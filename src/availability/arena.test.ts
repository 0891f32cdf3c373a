import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { sampleNetwork } from '../../test/support/sample-network.ts';
import { sampleProperty } from '../../test/support/sample-property.ts';
import { emptyCalendar } from '../catalogue/calendar.ts';
import { createArena, createMemory } from './arena.ts';
import { IndexFull } from './availability-index.ts';
import { HEAD_BRAND_NAMES } from './kernel/layout.ts';
import { createNames } from './names.ts';
import { compareTied, tieOrder } from './rows-by-id.ts';
import { createAvailabilityIndex } from './tiled-index.ts';

describe('the memory of the index', () => {
  it('gives zeroed memory, also where something else was before', () => {
    const arena = createArena();
    const first = arena.allocate(40);
    arena.u8.fill(7, first, first + 40);
    arena.release(first, 40);
    assert.equal(arena.allocate(33), first, 'blocks of about the same size are used again');
    assert.equal(
      arena.u8.subarray(first, first + 48).every((byte) => byte === 0),
      true,
    );
  });

  it('has as much as before when there is no room for more', () => {
    const arena = createArena(70);
    const usedBytes = arena.usedBytes();
    for (const isTooMuch of [() => arena.allocate(71 * 65_536), () => arena.ensureCapacity(71 * 65_536)]) {
      assert.throws(isTooMuch, IndexFull);
      assert.equal(arena.usedBytes(), usedBytes);
    }
    // More than it began with, and less than it would grow by for comfort.
    const address = arena.allocate(69 * 65_536);
    assert.equal(arena.u8.length, 70 * 65_536);
    assert.equal(arena.allocate(16), address + 69 * 65_536);
  });

  it('has room behind what is used, because kernels read planes as if all were large', () => {
    const behind = 128;
    const arena = createArena();
    for (let growth = 0; growth < 3; growth++) {
      const { byteLength } = arena.memory.buffer;
      arena.allocate(byteLength - arena.usedBytes());
      assert.equal(arena.usedBytes(), byteLength, 'all that there was');
      assert.ok(arena.memory.buffer.byteLength >= arena.usedBytes() + behind);
    }
    assert.ok(createMemory(70 * 65_536).buffer.byteLength >= 70 * 65_536 + behind, 'also for a snapshot');
  });

  it('is addressed beyond two gigabytes as before', () => {
    const arena = createArena();
    // Never written to, so it takes no memory.
    arena.allocate(2 ** 31);
    const names = createNames(arena, HEAD_BRAND_NAMES);
    assert.deepEqual(['alba', 'brisa', 'alba'].map(names.intern), [0, 1, 0]);
    assert.deepEqual([0, 1].map(createNames(arena, HEAD_BRAND_NAMES).nameOf), ['alba', 'brisa']);
  });
});

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

test('homes that share a hash stand in the order of their ids', () => {
  assert.equal(tieOrder('costarring'), tieOrder('liquid'), 'they collide, as is well known');
  assert.ok(compareTied('costarring', 'liquid') < 0);
  assert.ok(compareTied('liquid', 'costarring') > 0);
  assert.equal(compareTied('liquid', 'liquid'), 0);
  assert.ok(compareTied('foobar', 'a') < 0);
});
