import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseDay } from '../../stay/day.ts';
import { readBeds24Calendars } from './calendar.ts';

const from = parseDay('2027-05-01') ?? Number.NaN;
const horizon = { from, nights: 10 };
const rooms = new Map([
  ['5', { currency: 'EUR', maxGuests: 2, minimumStay: 3, maximumStay: 5, deposit: null }],
]);
const span = (first: number, last: number, more: object = {}) => ({
  from: `2027-05-${String(first).padStart(2, '0')}`,
  to: `2027-05-${String(last).padStart(2, '0')}`,
  numAvail: 1,
  ...more,
});

function read(calendar: unknown, more: object = {}) {
  const document = new TextEncoder().encode(
    JSON.stringify({
      success: true,
      data: [
        { roomId: 5, calendar, ...more },
        { roomId: 6, calendar: [] },
      ],
    }),
  );
  return new Map(readBeds24Calendars(document, { horizon, rooms }));
}

function columns(calendar: unknown) {
  const reading = read(calendar).get('5');
  assert.ok(reading?.kind === 'valid', JSON.stringify(reading));
  return reading.value;
}

function faults(calendar: unknown) {
  const reading = read(calendar).get('5');
  assert.ok(reading?.kind === 'invalid', JSON.stringify(reading));
  return reading.faults;
}

describe('calendars of Beds24', () => {
  it('hold for each day of a span, the last one included', () => {
    const calendar = columns([
      span(1, 3, { minStay: 2, maxStay: 4, price1: 120, price2: 99.5, price3: 0, price4: null }),
      span(4, 4, { numAvail: 0 }),
      span(5, 6, { numAvail: -1 }),
      span(7, 9, { numAvail: '2', override: null }),
    ]);
    assert.deepEqual([...calendar.available], [1, 1, 1, 0, 0, 0, 1, 1, 1, 0]);
    assert.deepEqual([...calendar.price.slice(0, 4)], [99_50, 99_50, 99_50, 0]);
    assert.deepEqual(
      [calendar.minimumStay[2], calendar.minimumStay[6]],
      [2, 3],
      'the room’s own where the day has none',
    );
    assert.deepEqual([calendar.maximumStay[2], calendar.maximumStay[6]], [4, 5]);
  });

  it('know the overrides of a day', () => {
    const overrides = ['none', 'exception', 'blackout', 'noCheckIn', 'noCheckOut', 'noCheckInOrCheckOut'];
    const calendar = columns(overrides.map((override, index) => span(index + 1, index + 1, { override })));
    assert.deepEqual([...calendar.available.slice(0, 6)], [1, 1, 0, 1, 1, 1]);
    assert.deepEqual([...calendar.closedToArrival.slice(0, 6)], [0, 0, 0, 1, 0, 1]);
    assert.deepEqual([...calendar.closedToDeparture.slice(0, 6)], [0, 0, 0, 0, 1, 1]);
  });

  it('may name single days, and more of them than were asked for', () => {
    const calendar = columns([
      { date: '2027-05-02', numAvail: 1 },
      { ...span(9, 30), from: '2027-05-09', to: '2028-01-01' },
    ]);
    assert.deepEqual([...calendar.available], [0, 1, 0, 0, 0, 0, 0, 0, 1, 1]);
  });

  it('come for the rooms that were asked for only', () => {
    assert.deepEqual([...read([span(1, 2)]).keys()], ['5']);
    assert.deepEqual([...read([span(1, 2)], { roomId: 9 }).keys()], []);
  });

  for (const [what, calendar, rule, reason] of [
    ['is no list', {}, 'wrong_type', /nights is an object, must be a list/],
    ['has no day', [], 'calendar_missing', /nights has none from 2027-05-01/],
    ['ends before it begins', [span(5, 3)], 'period_backwards', /nights\[0\] \(2027-05-05 to 2027-05-03\)/],
    ['has a day that does not exist', [span(1, 32)], 'no_such_day', /nights\[0\]: to is/],
    [
      'contradicts itself',
      [span(1, 5), span(4, 8, { numAvail: 0 })],
      'contradicts_itself',
      /nights\[1\] \(2027-05-04 to 2027-05-08\): says something else than nights\[0\]/,
    ],
    [
      'has no number of units',
      [span(1, 2, { numAvail: null })],
      'missing_member',
      /numAvail is .*number of free/,
    ],
    [
      'has an unknown override',
      [span(1, 2, { override: 'maybe' })],
      'wrong_type',
      /override is .*one of none/,
    ],
    [
      'has an impossible stay',
      [span(1, 2, { minStay: 6, maxStay: 2 })],
      'contradicts_itself',
      /minimum stay is 6/,
    ],
  ] as const) {
    it(`are refused when one ${what}`, () => {
      const [fault, ...others] = faults(calendar);
      assert.deepEqual(others, []);
      assert.equal(fault?.rule, rule);
      assert.match(fault?.reason ?? '', reason);
    });
  }

  it('may overlap a few times, but not without end', () => {
    const spans = (count: number) => Array.from({ length: count }, () => span(1, 10));
    assert.deepEqual(columns(spans(600)), columns(spans(1)));
    const [fault] = faults(spans(601));
    assert.equal(fault?.rule, 'too_many_entries');
    assert.match(fault.reason, /more than 6000 nights together/);
  });
});
