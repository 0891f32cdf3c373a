import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseDay } from '../../stay/day.ts';
import { bookingsyncCalendar } from './calendar.ts';
import type { BookingsyncCalendarResource } from './calendar-parts.ts';
import { readBookingsyncCalendarParts } from './calendar-parts.ts';

const FROM = parseDay('2027-03-10') ?? 0;
const horizon = { from: FROM, nights: 6 };
const currencies = new Map([['2', 'EUR']]);

function calendarOf(records: readonly (readonly [BookingsyncCalendarResource, Record<string, unknown>])[]) {
  const resources = Map.groupBy(records, ([resource]) => resource);
  const parts = Array.from(resources, ([resource, all]) => {
    const page = { [resource]: all.map(([, record]) => ({ links: { rental: 2 }, ...record })) };
    const document = new TextEncoder().encode(JSON.stringify(page));
    return [...readBookingsyncCalendarParts(document, { resource, horizon, currencies })];
  });
  return bookingsyncCalendar(parts.flat(), horizon, { minimumStay: 2 });
}
function columnsOf(...records: Parameters<typeof calendarOf>[0]) {
  const reading = calendarOf(records);
  assert.ok(reading.kind === 'valid', JSON.stringify(reading));
  const { firstDay: _, maximumStay: __, ...columns } = reading.value;
  return Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, [...column]]));
}
function faultsOf(...records: Parameters<typeof calendarOf>[0]) {
  const reading = calendarOf(records);
  assert.ok(reading.kind === 'invalid');
  return reading.faults.map(({ rule, reason }) => [rule, reason]);
}

const FREE = ['availabilities', { start_date: '2027-03-01', map: '0'.repeat(1096) }] as const;

describe('the calendar of a rental', () => {
  it('has a night for each sign of the map, from the day on that it begins', () => {
    const map = ['availabilities', { start_date: '2027-03-08', map: '11012300' }] as const;
    assert.deepEqual(columnsOf(map).available, [1, 0, 0, 0, 1, 1]);
  });

  it('offers nothing outside the map', () => {
    assert.deepEqual(
      columnsOf(['availabilities', { start_date: '2027-03-12', map: '00' }]).available,
      [0, 0, 1, 1, 0, 0],
    );
    assert.deepEqual(
      columnsOf(['availabilities', { start_date: '2026-03-12', map: '00' }]).available,
      [0, 0, 0, 0, 0, 0],
    );
    assert.deepEqual(
      columnsOf(['availabilities', { start_date: '2029-03-12', map: '00' }]).available,
      [0, 0, 0, 0, 0, 0],
    );
  });

  it('knows the days on which guests may come and go', () => {
    const { closedToArrival, closedToDeparture } = columnsOf(FREE, [
      'change_overs',
      { start_date: '2027-03-10', map: 'XCIOCC' },
    ]);
    assert.deepEqual(closedToArrival, [1, 0, 0, 1, 0, 0]);
    assert.deepEqual(closedToDeparture, [1, 0, 1, 0, 0, 0]);
  });

  it('has minimum stays and prices from rates, whichever way the vendor ends a period', () => {
    const rate = (start_date: string, end_date: string, minimum_stay: number, final_nightly_rate: string) =>
      ['rates', { start_date, end_date, minimum_stay, final_nightly_rate, currency: 'EUR' }] as const;
    const exclusive = columnsOf(
      FREE,
      rate('2027-03-12', '2027-03-14', 3, '99.5'),
      rate('2027-01-01', '2027-03-12', 7, '80.0'),
    );
    assert.deepEqual(exclusive.minimumStay, [7, 7, 3, 3, 3, 2]);
    assert.deepEqual(exclusive.price, [8000, 8000, 9950, 9950, 9950, 0]);
    const inclusive = columnsOf(
      FREE,
      rate('2027-01-01', '2027-03-11', 7, '80.0'),
      rate('2027-03-12', '2027-03-14', 3, '99.5'),
    );
    assert.deepEqual(inclusive, exclusive);
  });

  it('leaves out prices in another currency', () => {
    const rates = {
      start_date: '2027-01-01',
      end_date: '2028-01-01',
      minimum_stay: 4,
      final_nightly_rate: '80.0',
      currency: 'USD',
    };
    const { price, minimumStay } = columnsOf(FREE, ['rates', rates]);
    assert.deepEqual(
      [price, minimumStay],
      [
        [0, 0, 0, 0, 0, 0],
        [4, 4, 4, 4, 4, 4],
      ],
    );
  });

  it('has them from a nightly rate map too', () => {
    const map = {
      start_date: '2027-03-09',
      minimum_stays_map: '9,2,2,3,3,3',
      rates_map: '1,100,100,50.5,0,0',
    };
    const { price, minimumStay } = columnsOf(FREE, ['nightly_rate_maps', map]);
    assert.deepEqual(
      [price, minimumStay],
      [
        [10_000, 10_000, 5050, 0, 0, 0],
        [2, 2, 3, 3, 3, 2],
      ],
    );
  });

  it('is refused with the day, the rule and the value when it is not understood', () => {
    assert.deepEqual(faultsOf(['availabilities', { start_date: '2027-03-10', map: '0070' }]), [
      ['unknown_choice', 'availabilities: map on 2027-03-12 is 7, must be 0, 1, 2 or 3'],
    ]);
    assert.deepEqual(faultsOf(FREE, ['change_overs', { start_date: '2027-03-10', map: 'C<' }]), [
      ['unknown_choice', 'change_overs: map on 2027-03-11 is another sign, must be X, C, I or O'],
    ]);
    assert.deepEqual(faultsOf(['availabilities', { start_date: 'today', map: '0' }]), [
      ['no_such_day', 'availabilities: start_date must be a day, YYYY-MM-DD'],
    ]);
    assert.deepEqual(faultsOf(['availabilities', { start_date: '2027-03-10' }]), [
      ['missing_member', 'availabilities: map is missing, must have a sign for each day'],
    ]);
    assert.deepEqual(faultsOf(FREE, ['rates', { start_date: '2027-03-12', end_date: '2027-03-11' }]), [
      ['period_backwards', 'rates: the period from 2027-03-12 ends before it, on 2027-03-11'],
    ]);
    assert.deepEqual(
      faultsOf(FREE, ['rates', { start_date: '2027-03-01', end_date: '2027-03-20', minimum_stay: -1 }]),
      [['out_of_range', 'rates: minimum_stay from 2027-03-01 to 2027-03-20 is -1, must be a whole number']],
    );
  });

  it('is refused when there is none, or more than one', () => {
    assert.deepEqual(faultsOf(), [['calendar_missing', 'is not in the answer of the booking system']]);
    assert.deepEqual(faultsOf(FREE, FREE), [['calendar_twice', 'is in the answer 2 times']]);
  });
});
