import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDay } from '../../stay/day.ts';
import {
  type BookingsyncCalendarResource,
  bookingsyncCalendar,
  readBookingsyncCalendars,
} from './calendar.ts';

const horizon = { from: parseDay('2027-03-10') ?? 0, nights: 6 };
const currencies = new Map([['2', 'EUR']]);
const FREE = ['availabilities', { start_date: '2027-03-01', map: '0'.repeat(1096) }] as const;
type Records = readonly (readonly [BookingsyncCalendarResource, Record<string, unknown>])[];

function calendarOf(records: Records) {
  const resources = Map.groupBy(records, ([resource]) => resource);
  const parts = Array.from(resources, ([resource, all]) => {
    const others = { links: { rental: 3 }, start_date: 'never' };
    const page = { [resource]: [others, ...all.map(([, record]) => ({ links: { rental: 2 }, ...record }))] };
    const document = new TextEncoder().encode(JSON.stringify(page));
    return [...readBookingsyncCalendars(document, { resource, horizon, currencies })];
  });
  return bookingsyncCalendar(parts.flat(), horizon, { minimumStay: 2 });
}
function columnsOf(...records: Records) {
  const reading = calendarOf(records);
  assert.ok(reading.kind === 'valid', JSON.stringify(reading));
  const { firstDay: _, maximumStay: __, ...columns } = reading.value;
  return Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, [...column]]));
}

test('nights follow the signs of the map, and are taken outside it', () => {
  for (const [start_date, map, nights] of [
    ['2027-03-08', '11012300', [1, 0, 0, 0, 1, 1]],
    ['2027-03-12', '00', [0, 0, 1, 1, 0, 0]],
    ['2026-03-12', '00', [0, 0, 0, 0, 0, 0]],
    ['2029-03-12', '00', [0, 0, 0, 0, 0, 0]],
  ] as const) {
    assert.deepEqual(columnsOf(['availabilities', { start_date, map }]).available, nights, start_date);
  }
});

test('guests come and go on the days of the change-overs', () => {
  const changes = ['change_overs', { start_date: '2027-03-10', map: 'XCIOC' }] as const;
  const { closedToArrival, closedToDeparture } = columnsOf(FREE, changes);
  assert.deepEqual(closedToArrival, [1, 0, 0, 1, 0, 0]);
  assert.deepEqual(closedToDeparture, [1, 0, 1, 0, 0, 0]);
});

test('minimum stays and prices come from rates, whichever way the vendor ends a period', () => {
  const rate = (start_date: string, end_date: string, minimum_stay: number, final_nightly_rate: string) =>
    ['rates', { start_date, end_date, minimum_stay, final_nightly_rate, currency: 'EUR' }] as const;
  const [later, earlier] = [
    rate('2027-03-12', '2027-03-14', 3, '99.5'),
    rate('2027-01-01', '2027-03-12', 7, '80.0'),
  ];
  const exclusive = columnsOf(FREE, later, earlier);
  assert.deepEqual(exclusive.minimumStay, [7, 7, 3, 3, 3, 2]);
  assert.deepEqual(exclusive.price, [8000, 8000, 9950, 9950, 9950, 0]);
  assert.deepEqual(columnsOf(FREE, rate('2027-01-01', '2027-03-11', 7, '80.0'), later), exclusive);
  const [, inEuros] = earlier;
  const inDollars = columnsOf(FREE, ['rates', { ...inEuros, currency: 'USD' }]);
  assert.deepEqual([inDollars.price?.[0], inDollars.minimumStay?.[0]], [0, 7]);
});

test('a calendar that is not understood is refused with the reason', () => {
  const faults: readonly [Records, string][] = [
    [[], 'calendar_missing: is not in the answer of the booking system'],
    [[FREE, FREE], 'calendar_twice: is in the answer more than once'],
    [
      [['availabilities', { start_date: '2027-03-10', map: '0070' }]],
      'unknown_choice: availabilities: map on 2027-03-12 is another sign, must be 0, 1, 2 or 3',
    ],
    [
      [FREE, ['change_overs', { start_date: '2027-03-10', map: 'C<' }]],
      'unknown_choice: change_overs: map on 2027-03-11 is another sign, must be X, C, I or O',
    ],
    [
      [['availabilities', { start_date: 'today', map: '0' }]],
      'no_such_day: availabilities: start_date must be a day, YYYY-MM-DD',
    ],
    [
      [['availabilities', { start_date: '2027-03-10' }]],
      'missing_member: availabilities: map is missing, must have a sign for each day',
    ],
    [
      [FREE, ['rates', { start_date: '2027-03-12', end_date: '2027-03-11' }]],
      'no_such_day: rates: start_date and end_date must be days, YYYY-MM-DD, one after the other',
    ],
    [
      [FREE, ['rates', { start_date: '2027-03-01', end_date: '2027-03-20', minimum_stay: -1 }]],
      'out_of_range: rates: minimum_stay from 2027-03-01 to 2027-03-20 is -1, must be a whole number',
    ],
  ];
  for (const [records, expected] of faults) {
    const reading = calendarOf(records);
    assert.ok(reading.kind === 'invalid', expected);
    assert.deepEqual(
      reading.faults.map(({ rule, reason }) => `${rule}: ${reason}`),
      [expected],
    );
  }
});
