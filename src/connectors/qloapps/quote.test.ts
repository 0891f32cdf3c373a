import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readQloappsPrices } from './quote.ts';

const room = { id_room: 1, room_num: 'GR-101', max_adult: 2, max_children: 2, max_occupancy: 4 };
const roomType = {
  id_room_type: 1,
  base_price: 1250,
  base_price_with_tax: 1300,
  total_price: 5000,
  total_price_with_tax: 5200,
  name: 'General Rooms',
  rooms: { available: { 1: room } },
};

function read(answer: unknown, { asked = ['1'], guests = 2, currency = 'USD' } = {}) {
  const document = new TextEncoder().encode(JSON.stringify(answer));
  return [...readQloappsPrices(document, { asked, guests, currency })];
}
const ari = (changes: object = {}, more: object = {}) => ({
  hotel_ari: { id_hotel: '1', currency: 'USD', room_types: [{ ...roomType, ...changes }], ...more },
});

describe('prices of QloApps', () => {
  it('are the stay and its tax', () => {
    assert.deepEqual(read(ari()), [
      {
        kind: 'quoted',
        reference: '1',
        quote: {
          currency: 'USD',
          total: 5200_00,
          lines: [
            { label: 'Stay', amount: 5000_00 },
            { label: 'Tax', amount: 200_00 },
          ],
          heldUntil: null,
        },
      },
    ]);
  });

  it('are rounded as the website does it, and add up', () => {
    for (const [changes, total, lines] of [
      [{ total_price: 99.996, total_price_with_tax: 103.99584 }, 104_00, [100_00, 4_00]],
      [{ total_price: '1.004', total_price_with_tax: '1.005' }, 1_01, [1_00, 1]],
      [{ total_price: 80, total_price_with_tax: 80 }, 80_00, [80_00]],
      [{ total_price: null, total_price_with_tax: 80 }, 80_00, []],
      [{ total_price: 90, total_price_with_tax: 80 }, 80_00, []],
    ] as const) {
      const [price] = read(ari(changes));
      assert.ok(price?.kind === 'quoted', JSON.stringify(changes));
      assert.equal(price.quote.total, total);
      assert.deepEqual(
        price.quote.lines.map(({ amount }) => amount),
        lines,
      );
    }
  });

  it('are none for a room type that is taken, too small or not understood', () => {
    for (const [changes, expected] of [
      // PHP writes an empty object as a list.
      [{ rooms: { available: [] } }, 'not_offered'],
      [{ rooms: [] }, 'garbled'],
      [{ rooms: { available: { 1: { ...room, max_adult: 1 } } } }, 'too_many_guests'],
      [{ rooms: { available: { 1: { ...room, max_occupancy: 1 } } } }, 'too_many_guests'],
      [{ total_price_with_tax: 0 }, 'garbled'],
      [{ total_price_with_tax: 'on request' }, 'garbled'],
      [{ id_room_type: 2 }, 'not_offered'],
    ] as const) {
      assert.deepEqual(verdicts(read(ari(changes))), [expected], JSON.stringify(changes));
    }
    assert.deepEqual(verdicts(read({ hotel_ari: { id_hotel: '99', currency: 'USD' } })), ['not_offered']);
    assert.deepEqual(verdicts(read(ari(), { currency: 'EUR' })), ['wrong_currency']);
  });

  it('count when one of the free rooms is large enough', () => {
    const available = { 1: { ...room, max_adult: 1 }, 2: { ...room, max_adult: '3' } };
    assert.equal(read(ari({ rooms: { available } }), { guests: 3 })[0]?.kind, 'quoted');
  });

  it('cannot be read from errors, or without a list', () => {
    for (const [answer, kind] of [
      [{ errors: [{ code: 85, message: 'Validation error' }] }, 'rejected'],
      [{ hotel_ari: [] }, 'garbled'],
      [{ hotel_ari: { currency: 'USD', room_types: { 0: roomType } } }, 'garbled'],
      [[], 'garbled'],
    ] as const) {
      assert.throws(() => read(answer), { kind });
    }
  });
});

function verdicts(outcomes: ReturnType<typeof read>): readonly string[] {
  return outcomes.map((one) =>
    one.kind === 'failed' ? one.failure : one.kind === 'unavailable' ? one.reason : one.kind,
  );
}
