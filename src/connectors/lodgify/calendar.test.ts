import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BookingSystemFailure } from '../../limits/booking-system-failure.ts';
import { parseDay } from '../../stay/day.ts';
import { lodgifyCalendar, readLodgifyAvailability, readLodgifyRates } from './calendar.ts';

const FROM = parseDay('2027-03-10') ?? 0;
const horizon = { from: FROM, nights: 6 };
const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

const price = (min_stay: number, max_stay: number, price_per_day: unknown) => ({
  min_stay,
  max_stay,
  price_per_day,
});
const RATES = {
  calendar_items: [{ date: null, is_default: true, prices: [price(2, 0, 100)] }],
  rate_settings: { booking_window_days: 0 },
};
const FREE = [{ room_type_id: 7, periods: [{ start: '2027-03-01', end: '2027-04-01', available: 1 }] }];

function calendarOf(availability: unknown, rates: unknown = RATES) {
  const [periods] = readLodgifyAvailability(bytes(availability), { room: '7' });
  const [read] = readLodgifyRates(bytes(rates), { horizon });
  return lodgifyCalendar(periods, read, horizon, 'EUR');
}
function columnsOf(availability: unknown, rates?: unknown) {
  const reading = calendarOf(availability, rates);
  assert.ok(reading.kind === 'valid', JSON.stringify(reading));
  const { firstDay: _, ...columns } = reading.value;
  return Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, [...column]]));
}
function faultsOf(availability: unknown, rates?: unknown) {
  const reading = calendarOf(availability, rates);
  assert.ok(reading.kind === 'invalid');
  return reading.faults.map(({ rule, reason }) => [rule, reason]);
}
const periods = (...entries: readonly (readonly [start: string, end: string, available: unknown])[]) => [
  { room_type_id: 7, periods: entries.map(([start, end, available]) => ({ start, end, available })) },
];

describe('the calendar of a property', () => {
  it('has periods whose last day is a night too, and units that are left', () => {
    const availability = periods(
      ['2027-03-01', '2027-03-11', 2],
      ['2027-03-12', '2027-03-13', 0],
      ['2027-03-14', '2027-03-14', '1'],
    );
    assert.deepEqual(columnsOf(availability).available, [1, 1, 0, 0, 1, 0]);
  });

  it('is not free in a period that the operator has closed, whatever units are left', () => {
    const periodsWith = (closed_period: unknown) => [
      {
        room_type_id: 7,
        periods: [
          { start: '2027-03-01', end: '2027-03-11', available: 1, closed_period: null },
          { start: '2027-03-12', end: '2027-04-01', available: 1, closed_period },
        ],
      },
    ];
    const closed = { id: 4, start: '2027-03-12', end: '2027-04-01', reason: 'Renovation' };
    assert.deepEqual(columnsOf(periodsWith(closed)).available, [1, 1, 0, 0, 0, 0]);
    for (const none of [null, undefined, false, []]) {
      assert.deepEqual(columnsOf(periodsWith(none)).available, [1, 1, 1, 1, 1, 1]);
    }
  });

  it('is that of its own room', () => {
    const other = { room_type_id: 8, periods: [{ start: '2027-03-01', end: '2027-04-01', available: 0 }] };
    assert.deepEqual(columnsOf([other, ...FREE]).available, [1, 1, 1, 1, 1, 1]);
    assert.deepEqual(faultsOf([other]), [['calendar_missing', 'is not in the answer of the booking system']]);
  });

  it('takes the lengths of a stay and the price of the shortest from its day, else from the default', () => {
    const rates = {
      calendar_items: [
        ...RATES.calendar_items,
        { date: '2027-03-11', is_default: false, prices: [price(7, 13, 71.43), price(3, 6, 90)] },
        { date: '2027-03-12', is_default: false, prices: [price(1, 1, 120), price(2, 0, 100)] },
      ],
    };
    const { minimumStay, maximumStay, price: prices } = columnsOf(FREE, rates);
    assert.deepEqual(minimumStay, [2, 3, 1, 2, 2, 2]);
    assert.deepEqual(maximumStay, [0, 13, 0, 0, 0, 0]);
    assert.deepEqual(prices, [10_000, 9000, 12_000, 10_000, 10_000, 10_000]);
  });

  it('does not offer nights without a price', () => {
    const rates = {
      calendar_items: [
        { date: '2027-03-11', prices: [price(1, 0, 80)] },
        { date: '2027-03-12', prices: [] },
      ],
    };
    assert.deepEqual(columnsOf(FREE, rates).available, [0, 1, 0, 0, 0, 0]);
  });

  it('lets nobody arrive beyond the booking window, counted from the day after its first', () => {
    const rates = { ...RATES, rate_settings: { booking_window_days: 2 } };
    assert.deepEqual(columnsOf(FREE, rates).closedToArrival, [0, 0, 0, 0, 1, 1]);
  });

  it('is refused with the period, the rule and the value when it contradicts itself', () => {
    assert.deepEqual(faultsOf(periods(['2027-03-01', '2027-03-12', 1], ['2027-03-12', '2027-03-20', 0])), [
      [
        'calendar_overlap',
        'the period from 2027-03-12 overlaps the one until 2027-03-12, which says otherwise',
      ],
    ]);
    assert.deepEqual(faultsOf(periods(['2027-03-14', '2027-03-12', 1])), [
      ['period_backwards', 'periods[0]: starts on 2027-03-14, after its end on 2027-03-12'],
    ]);
    assert.deepEqual(faultsOf(periods(['soon', '2027-03-12', 1])), [
      ['no_such_day', 'periods[0]: start and end must be days, YYYY-MM-DD'],
    ]);
    assert.deepEqual(faultsOf(periods(['2027-03-10', '2027-03-12', null])), [
      ['wrong_type', 'periods[0] (2027-03-10 to 2027-03-12): available must be a number'],
    ]);
    const rates = (entry: unknown) => ({ calendar_items: [entry] });
    assert.deepEqual(faultsOf(FREE, rates({ date: '2027-03-11', prices: [price(5, 3, 90)] })), [
      [
        'contradicts_itself',
        'calendar_items[0] (2027-03-11): stays from 5 to 3 nights, must be whole numbers in order',
      ],
    ]);
    assert.deepEqual(faultsOf(FREE, rates({ date: 7, prices: [] })), [
      ['no_such_day', 'calendar_items[0]: date must be a day, YYYY-MM-DD, or null'],
    ]);
    assert.deepEqual(faultsOf(FREE, rates({ date: null, prices: [price(1, 0, 'much')] })), [
      ['wrong_type', 'calendar_items[0]: price_per_day must be a number, at least 0'],
    ]);
  });

  it('closes single nights for sale whose prices cannot be, and does not look at those of other nights', () => {
    const rates = {
      calendar_items: [...RATES.calendar_items, { date: '2027-03-11', prices: [price(5, 3, 90)] }],
    };
    const reading = calendarOf(FREE, rates);
    assert.ok(reading.kind === 'valid' && 'closedNights' in reading);
    assert.deepEqual([...reading.value.available], [1, 0, 1, 1, 1, 1]);
    assert.deepEqual(
      reading.closedNights.map(({ rule, reason }) => [rule, reason]),
      [
        [
          'contradicts_itself',
          'calendar_items[1] (2027-03-11): stays from 5 to 3 nights, must be whole numbers in order',
        ],
      ],
    );
    const taken = calendarOf(
      periods(['2027-03-11', '2027-03-11', 0], ['2027-03-12', '2027-04-01', 1]),
      rates,
    );
    assert.ok(taken.kind === 'valid' && !('closedNights' in taken));
    assert.deepEqual([...taken.value.available], [0, 0, 1, 1, 1, 1]);
  });

  it('is in the shape of the vendor, or the answer is garbled', () => {
    const isGarbled = (error: unknown) => error instanceof BookingSystemFailure && error.kind === 'garbled';
    for (const answer of [{}, [{ room_type_id: 7 }], null])
      assert.throws(() => calendarOf(answer), isGarbled);
    for (const answer of [{}, [], null]) assert.throws(() => calendarOf(FREE, answer), isGarbled);
  });
});
