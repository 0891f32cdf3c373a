import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BookingSystemFailure } from '../../limits/booking-system-failure.ts';
import type { CalendarReading } from '../../quotes/booking-system.ts';
import { parseDay } from '../../stay/day.ts';
import { readQloappsNights } from './calendar.ts';

const horizon = { from: parseDay('2027-05-08') ?? Number.NaN, nights: 3 };
const night = (date: string, available: unknown, price: unknown = 90) => ({
  id_hotel: '1',
  date_from: date,
  currency: 'EUR',
  room_types: [{ id_room_type: 4, total_price_with_tax: price, rooms: { available } }],
});
const FREE = { 1: { id_room: 1, room_num: '101' } };

function read(answer: unknown, status = 200) {
  const document = new TextEncoder().encode(JSON.stringify(answer));
  const reading = readQloappsNights(document, { status, asked: ['4'], horizon, currency: 'EUR' });
  const found = new Map<string, CalendarReading>();
  for (let next = reading.next(); ; next = reading.next()) {
    if (next.done) return { ...next.value, reading: found.get('4') };
    found.set(...next.value);
  }
}

describe('nights of QloApps', () => {
  it('are free while a room is, and have a price', () => {
    const { stumbled, reading } = read({
      hotel_aris: [
        night('2027-05-08', FREE),
        night('2027-05-09', []),
        night('2027-05-10', [{ id_room: 1 }], '95.50'),
      ],
    });
    assert.equal(stumbled, false);
    assert.ok(reading?.kind === 'valid', JSON.stringify(reading));
    assert.deepEqual([...reading.value.available], [1, 0, 1]);
    assert.deepEqual([...reading.value.price], [90_00, 90_00, 95_50]);
  });

  it('can be a single one, and are taken when the answer leaves them out', () => {
    const { reading } = read({ hotel_ari: night('2027-05-09', FREE) });
    assert.ok(reading?.kind === 'valid');
    assert.deepEqual([...reading.value.available], [0, 1, 0]);
  });

  it('are missing when the room type is not in any of them', () => {
    const { reading } = read({ hotel_aris: [{ date_from: '2027-05-08' }] });
    assert.ok(reading?.kind === 'invalid');
    assert.equal(reading.faults[0]?.rule, 'calendar_missing');
  });

  it('are refused when it is not clear which rooms are free', () => {
    const { reading } = read({ hotel_aris: [night('2027-05-08', 'some')] });
    assert.ok(reading?.kind === 'invalid');
    assert.match(reading.faults[0]?.reason ?? '', /nights\[0\] \(2027-05-08\): available is .*free rooms/);
  });

  it('say when QloApps has stumbled over them', () => {
    const warning = { code: 3, message: '[PHP Warning #2] Undefined variable' };
    assert.equal(read({ errors: [warning, warning] }, 500).stumbled, true);
  });

  for (const [answer, status, kind] of [
    [{ errors: [{ code: 3 }, { code: 85 }] }, 500, 'server_error'],
    [{ error: 'Internal Server Error' }, 500, 'server_error'],
    [{ errors: [{ code: 85 }] }, 200, 'rejected'],
    [{ hotel_aris: { 0: night('2027-05-08', FREE) } }, 200, 'garbled'],
    [{ hotel_aris: ['night'] }, 200, 'garbled'],
  ] as const) {
    it(`are a failure (${kind}) in ${JSON.stringify(answer).slice(0, 50)}`, () => {
      assert.throws(
        () => read(answer, status),
        (error) => error instanceof BookingSystemFailure && error.kind === kind,
      );
    });
  }
});
