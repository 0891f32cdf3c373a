import assert from 'node:assert/strict';
import { it } from 'node:test';
import { emptyCalendar } from '../../catalogue/calendar.ts';
import { packCalendar, unpackCalendar } from './inventory-rows.ts';

it('begins with its version and refuses others', () => {
  const packed = packCalendar(emptyCalendar(20_000, 3));
  assert.equal(packed[0], 1);
  assert.equal(packed.length, 12 + 3 * 11);
  packed[0] = 2;
  assert.throws(() => unpackCalendar(packed), { kind: 'unknown_format' });
});

it('notices lost nights', () => {
  const packed = packCalendar(emptyCalendar(20_000, 3));
  assert.throws(() => unpackCalendar(packed.subarray(0, -1)), { kind: 'corrupt' });
});

it('reads a blob that does not begin at an aligned address', () => {
  const calendar = emptyCalendar(-5, 4);
  calendar.price.set([1, 2, 3, 4_294_967_295]);
  const shifted = new Uint8Array(1 + 12 + 4 * 11);
  shifted.set(packCalendar(calendar), 1);
  assert.deepEqual(unpackCalendar(shifted.subarray(1)), calendar);
});
