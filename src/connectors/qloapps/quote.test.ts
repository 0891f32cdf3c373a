import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BookingSystemFailure } from '../../limits/booking-system-failure.ts';
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
        kind: 'priced',
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

  for (const [changes, total, lines] of [
    [{ total_price: 99.996, total_price_with_tax: 103.99584 }, 104_00, [100_00, 4_00]],
    [{ total_price: '1.004', total_price_with_tax: '1.005' }, 1_01, [1_00, 1]],
    [{ total_price: 80, total_price_with_tax: 80 }, 80_00, [80_00]],
    [{ total_price: null, total_price_with_tax: 80 }, 80_00, []],
    [{ total_price: 90, total_price_with_tax: 80 }, 80_00, []],
  ] as const) {
    it(`are rounded as the website does it, and add up: ${JSON.stringify(changes)}`, () => {
      const [price] = read(ari(changes));
      assert.ok(price?.kind === 'priced');
      assert.equal(price.quote.total, total);
      assert.deepEqual(
        price.quote.lines.map(({ amount }) => amount),
        lines,
      );
    });
  }

  for (const [what, changes, kind] of [
    ['no room is free, which PHP writes as a list', { rooms: { available: [] } }, 'refused'],
    ['the rooms are missing', { rooms: [] }, 'garbled'],
    ['the free rooms are too small', { rooms: { available: { 1: { ...room, max_adult: 1 } } } }, 'too_small'],
    [
      'the occupancy is too small',
      { rooms: { available: { 1: { ...room, max_occupancy: 1 } } } },
      'too_small',
    ],
    ['the price is nothing', { total_price_with_tax: 0 }, 'garbled'],
    ['the price is no number', { total_price_with_tax: 'on request' }, 'garbled'],
    ['another room type is priced', { id_room_type: 2 }, 'refused'],
  ] as const) {
    it(`are ${kind} when ${what}`, () => {
      assert.deepEqual(read(ari(changes)), [{ kind, reference: '1' }]);
    });
  }

  it('count when one of the free rooms is large enough', () => {
    const available = { 1: { ...room, max_adult: 1 }, 2: { ...room, max_adult: '3' } };
    assert.equal(read(ari({ rooms: { available } }), { guests: 3 })[0]?.kind, 'priced');
  });

  it('are refused where the hotel is not known', () => {
    assert.deepEqual(read({ hotel_ari: { id_hotel: '99', currency: 'USD' } }), [
      { kind: 'refused', reference: '1' },
    ]);
  });

  it('are not compared in another currency', () => {
    assert.deepEqual(read(ari(), { currency: 'EUR' }), [{ kind: 'wrong_currency', reference: '1' }]);
  });

  for (const [answer, kind] of [
    [{ errors: [{ code: 85, message: 'Validation error' }] }, 'rejected'],
    [{ hotel_ari: [] }, 'garbled'],
    [{ hotel_ari: { currency: 'USD', room_types: { 0: roomType } } }, 'garbled'],
    [[], 'garbled'],
  ] as const) {
    it(`cannot be read from ${JSON.stringify(answer).slice(0, 60)}`, () => {
      assert.throws(
        () => read(answer),
        (error) => error instanceof BookingSystemFailure && error.kind === kind,
      );
    });
  }
});
