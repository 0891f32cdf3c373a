import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CalendarReading } from '../../quotes/booking-system.ts';
import { parseDay } from '../../stay/day.ts';
import { readCalendars } from './calendar.ts';

const horizon = { from: parseDay('2027-08-01') ?? Number.NaN, nights: 10 };
const currencies = new Map(['a', 'b', 'c'].map((reference) => [reference, 'EUR']));
const free = { from: '2027-08-01', to: '2027-08-05', available: true };

function readingsOf(calendars: unknown, asked = [...currencies.keys()]): Map<string, CalendarReading> {
  const document = new TextEncoder().encode(JSON.stringify({ calendars }));
  return new Map(readCalendars(document, { asked, horizon, currencies }));
}

function faultsOf(reading: CalendarReading | undefined): readonly string[] {
  return reading?.kind === 'invalid' ? reading.faults.map(({ rule, reason }) => `${rule}: ${reason}`) : [];
}

test('periods become columns, cut to the horizon', () => {
  const periods = [
    { from: '2027-08-09', to: '2099-01-01', available: true, price: '1.5' },
    {
      from: '2027-07-30',
      to: '2027-08-03',
      available: true,
      minimum_stay: 3,
      maximum_stay: 14,
      closed_to_arrival: true,
      price: '99.90',
    },
    { from: '2027-08-03', to: '2027-08-05', available: false, closed_to_departure: true },
    { from: '2027-07-01', to: '2027-07-02', available: true },
  ];
  assert.deepEqual(readingsOf([{ property: 'a', periods }], ['a']).get('a'), {
    kind: 'valid',
    value: {
      firstDay: horizon.from,
      available: Uint8Array.of(1, 1, 0, 0, 0, 0, 0, 0, 1, 1),
      minimumStay: Uint16Array.of(3, 3, 1, 1, 1, 1, 1, 1, 1, 1),
      maximumStay: Uint16Array.of(14, 14, 0, 0, 0, 0, 0, 0, 0, 0),
      closedToArrival: Uint8Array.of(1, 1, 0, 0, 0, 0, 0, 0, 0, 0),
      closedToDeparture: Uint8Array.of(0, 0, 1, 1, 0, 0, 0, 0, 0, 0),
      price: Uint32Array.of(9990, 9990, 0, 0, 0, 0, 0, 0, 150, 150),
    },
  });
});

test('contradictory periods cost their own property its calendar, with the reason', () => {
  const first = 'periods[0] (2027-08-01 to 2027-08-05)';
  const contradictions: readonly [unknown, string][] = [
    [
      [{ ...free, from: '2027-08-04', to: '2027-08-06' }, free],
      'calendar_overlap: periods[0] (2027-08-04 to 2027-08-06): overlaps periods[1] (2027-08-01 to 2027-08-05)',
    ],
    [
      [{ ...free, to: '2027-08-01' }],
      'period_backwards: periods[0] (2027-08-01 to 2027-08-01): ends before its first night',
    ],
    [
      [{ ...free, from: '2027-02-30' }],
      'no_such_day: periods[0] (2027-02-30 to 2027-08-05): from is 2027-02-30, which is not a day',
    ],
    [
      [{ ...free, price: '10.005' }],
      `price_too_fine: ${first}: price is 10.005, finer than EUR or too large`,
    ],
    [[{ ...free, price: '-1' }], `wrong_format: ${first}: price is -1, must be a decimal string, at least 0`],
    [
      [{ ...free, minimum_stay: 0 }],
      `out_of_range: ${first}: minimum_stay is 0, must be a whole number, at least 1`,
    ],
    [
      [{ ...free, available: 'ignore all rules' }],
      `wrong_type: ${first}: available is a text, must be true or false`,
    ],
    [['x'.repeat(10_000)], 'wrong_type: periods[0]: is a text, must be an object'],
    [null, 'wrong_type: periods is null, must be a list'],
    [Array(1001).fill(free), 'too_many_entries: periods has 1001 entries, may have at most 1000'],
  ];
  for (const [periods, fault] of contradictions) {
    const readings = readingsOf([
      { property: 'a', periods },
      { property: 'b', periods: [free] },
    ]);
    assert.deepEqual(faultsOf(readings.get('a')), [fault]);
    assert.equal(readings.get('b')?.kind, 'valid', fault);
    assert.deepEqual(faultsOf(readings.get('c')), [
      'calendar_missing: is not in the answer of the booking system',
    ]);
  }
  const many = readingsOf([{ property: 'a', periods: Array(1000).fill({}) }]);
  assert.equal(faultsOf(many.get('a')).length, 20);
});

test('a fault shows the value, which the reason does not repeat', () => {
  const reading = readingsOf([{ property: 'a', periods: [{ ...free, price: 'ask\u202e me' }] }]).get('a');
  assert.ok(reading?.kind === 'invalid');
  assert.deepEqual(reading.faults, [
    {
      field: 'periods/0/price',
      rule: 'wrong_format',
      reason:
        'periods[0] (2027-08-01 to 2027-08-05): price is another text, must be a decimal string, at least 0',
      value: 'ask\\u{202e} me',
    },
  ]);
});

test('calendars that come twice, or of homes outside the catalogue, are not used', () => {
  const calendars = ['a', 'b', 'a'].map((property) => ({ property, periods: [free] }));
  const readings = readingsOf(calendars, ['a', 'b', 'unlisted']);
  assert.equal(readings.get('b')?.kind, 'valid');
  assert.deepEqual(faultsOf(readings.get('a')), ['calendar_twice: is in the answer 2 times']);
  assert.deepEqual(faultsOf(readings.get('unlisted')), [
    'not_in_catalogue: is of a home that is not in the catalogue',
  ]);
  assert.throws(() => readingsOf('none'), { kind: 'garbled' });
});
