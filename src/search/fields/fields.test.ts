import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { createPlainAvailabilityIndex } from '../../../test/support/plain-availability-index.ts';
import { propertyLike } from '../../../test/support/random-world.ts';
import {
  nightOf,
  type StagedHome,
  searchStage,
  stagedSession,
  THREE_HOMES,
  TODAY,
} from '../../../test/support/search-stage.ts';
import { emptyCalendar } from '../../catalogue/calendar.ts';
import type { Place } from '../../catalogue/catalogue.ts';
import type { Payload } from '../../contract/payload-fields.ts';
import { FIELD_RULES } from './rules.ts';
import {
  checkInDay,
  checkInMonth,
  checkOut,
  explainDates,
  writtenDayInComingYear,
  writtenMonthInComingYear,
} from './stay-dates.ts';

describe('a day of arrival', () => {
  it('is read in the one form that leaves no doubt', () => {
    for (const [raw, value] of [
      ['2027-05-08', '2027-05-08'],
      ['2027-5-8', '2027-05-08'],
      [' 2027-05-08 ', '2027-05-08'],
      ['2028-02-29', '2028-02-29'],
    ] as const) {
      assert.deepEqual(checkInDay.read(raw), { kind: 'read', value }, raw);
    }
  });

  it('that is not on the calendar suggests the end of its month', () => {
    for (const [raw, meant] of [
      ['2027-02-30', ['2027-02-28']],
      ['2028-2-31', ['2028-02-29']],
      ['2027-13-01', []],
      ['0000-01-01', []],
    ] as const) {
      assert.deepEqual(
        checkInDay.read(raw),
        { kind: 'unreadable', reason: { code: 'no_such_date' }, meant },
        raw,
      );
    }
  });

  it('in another form is refused with the days that may be meant', () => {
    for (const [raw, meant] of [
      ['05/08/2027', ['2027-05-08', '2027-08-05']],
      ['8 May 2027', ['2027-05-08']],
      ['2027-05-08T00:00:00Z', ['2027-05-08']],
      ['8', []],
      ['tomorrow', []],
      ['', []],
      ['2'.repeat(500), []],
    ] as const) {
      const reason = { code: 'not_a_date', format: 'YYYY-MM-DD' };
      assert.deepEqual(checkInDay.read(raw), { kind: 'unreadable', reason, meant }, raw.slice(0, 30));
    }
  });

  it('has the nearest days on offer as suggestions, the earlier of two that are equally near first', () => {
    const { facts } = searchStage([
      {
        brand: 'acme',
        reference: 'loft',
        change: ({ available, closedToArrival }) => {
          available.fill(0, nightOf('2027-03-10'), nightOf('2027-03-20'));
          closedToArrival[nightOf('2027-03-07')] = 1;
        },
      },
    ]);
    const march = { session: stagedSession(), payload: { check_in_month: '2027-03' }, facts };
    assert.deepEqual(checkInDay.nearest(['2027-03-07'], march).slice(0, 5), [
      '2027-03-06',
      '2027-03-08',
      '2027-03-05',
      '2027-03-09',
      '2027-03-04',
    ]);
    assert.deepEqual(checkInDay.nearest([], march), []);
  });
});

test('a month is read in the one form that leaves no doubt', () => {
  for (const raw of ['2027-05', '2027-5', ' 2027-05 ']) {
    assert.deepEqual(checkInMonth.read(raw), { kind: 'read', value: '2027-05' }, raw);
  }
});

test('what is no month is refused with its reason and the months that may be meant', () => {
  const notADate = { code: 'not_a_date', format: 'YYYY-MM' };
  for (const [raw, reason, meant] of [
    ['2027-13', { code: 'no_such_date' }, []],
    ['2027-00', { code: 'no_such_date' }, []],
    ['May 2027', notADate, ['2027-05']],
    ['05/2027', notADate, ['2027-05']],
    ['2027-05-08', notADate, ['2027-05']],
    ['05/08/2027', notADate, ['2027-05', '2027-08']],
    ['May', notADate, []],
    ['', notADate, []],
    [5, { code: 'wrong_type' }, []],
    [null, { code: 'wrong_type' }, []],
    [['2027-05'], { code: 'wrong_type' }, []],
  ] as const) {
    assert.deepEqual(checkInMonth.read(raw), { kind: 'unreadable', reason, meant }, String(raw));
  }
});

test('months are as far apart as their first days, and the nearest are suggested first', () => {
  const { facts } = searchStage([
    {
      brand: 'acme',
      reference: 'loft',
      change: ({ available }) => available.fill(0, nightOf('2027-04-01'), nightOf('2027-05-01')),
    },
  ]);
  const situation = { session: stagedSession(), payload: {}, facts };
  assert.deepEqual(checkInMonth.nearest(['2027-04'], situation), ['2027-05', '2027-03', '2027-06']);
  assert.deepEqual(checkInMonth.nearest(['2028-01'], situation), ['2027-06', '2027-05', '2027-03']);
});

test('a departure is read like an arrival, and implies nothing', () => {
  assert.deepEqual(checkOut.read('2027-3-9'), { kind: 'read', value: '2027-03-09' });
  assert.deepEqual(checkOut.read('2027-04-31'), {
    kind: 'unreadable',
    reason: { code: 'no_such_date' },
    meant: ['2027-04-30'],
  });
  assert.deepEqual(checkOut.read(3), { kind: 'unreadable', reason: { code: 'wrong_type' }, meant: [] });
  assert.equal(checkOut.implied, undefined);
});

const NOW = Date.parse('2026-11-15T12:00:00Z');

describe('a date that has passed', () => {
  it('stands for the same day of the first year in which it lies ahead', () => {
    for (const [past, ahead] of [
      ['2026-03-08', '2027-03-08'],
      ['2021-03-08', '2027-03-08'],
      ['2025-12-28', '2026-12-28'],
      ['2026-10-14', '2027-10-14'],
      ['2025-11-15', '2026-11-15'],
      ['2024-02-29', '2027-02-28'],
    ] as const) {
      assert.equal(writtenDayInComingYear(past, NOW), ahead);
    }
    assert.equal(writtenMonthInComingYear('2026-03', NOW), '2027-03');
    assert.equal(writtenMonthInComingYear('2019-12', NOW), '2026-12');
    assert.equal(writtenMonthInComingYear('2025-11', NOW), '2026-11');
  });

  it('is not one that lies ahead, nor one that is no date', () => {
    for (const day of ['2026-11-15', '2027-03-08', '2099-01-01', 'soon']) {
      assert.equal(writtenDayInComingYear(day, NOW), undefined, day);
    }
    for (const month of ['2026-11', '2027-03', '2026-13']) {
      assert.equal(writtenMonthInComingYear(month, NOW), undefined, month);
    }
  });

  it('is meant as it is written when it has just passed', () => {
    for (const day of ['2026-11-14', '2026-11-13', '2026-10-15']) {
      assert.equal(writtenDayInComingYear(day, NOW), undefined, day);
    }
    assert.equal(writtenMonthInComingYear('2026-10', NOW), undefined);
    assert.equal(writtenMonthInComingYear('2026-09', NOW), '2027-09');
  });
});

const DAY = '2027-03-05';

const explain = (homes: readonly StagedHome[], payload: Payload = {}) =>
  explainDates('check_in_day', DAY, { session: stagedSession(), payload, facts: searchStage(homes).facts });

test('a rule of the homes is the reason, with its fact', () => {
  const soon: StagedHome = { brand: 'acme', reference: 'loft', leadDays: 7 };
  assert.deepEqual(explain([soon]), { code: 'lead_time', days: 7 });
  const long: StagedHome = {
    brand: 'acme',
    reference: 'loft',
    change: ({ available, minimumStay }) => {
      minimumStay[nightOf(DAY)] = 5;
      available[nightOf(DAY) + 3] = 0;
    },
  };
  assert.deepEqual(explain([long]), { code: 'minimum_stay', nights: 5 });
});

test('the number of guests is an answer, so the day is at odds with it', () => {
  const homes: readonly StagedHome[] = [
    { brand: 'acme', reference: 'hut', maxGuests: 2 },
    { brand: 'acme', reference: 'hall', maxGuests: 8, change: ({ available }) => available.fill(0, 0, 20) },
  ];
  assert.deepEqual(explain(homes, { guests: '2' }), { code: 'nothing_free' }, 'the index has a match');
  assert.deepEqual(explain(homes, { guests: '8' }), { code: 'conflicts_with', fields: ['guests'] });
});

test('guests are not blamed for a day that fits no party', () => {
  const homes: readonly StagedHome[] = [
    { brand: 'acme', reference: 'hut', maxGuests: 2, leadDays: 7 },
    {
      brand: 'acme',
      reference: 'hall',
      maxGuests: 8,
      change: ({ available, closedToArrival }) => {
        available.fill(0, 0, 20);
        closedToArrival.fill(1, 0, 20);
      },
    },
  ];
  assert.deepEqual(explain(homes, { guests: '8' }), { code: 'lead_time', days: 7 });
});

test('without homes in scope nothing is free', () => {
  assert.deepEqual(explain([{ brand: 'other', reference: 'villa' }], { brand_locked: true }), {
    code: 'nothing_free',
  });
});

describe('a departure that does not follow the arrival', () => {
  const homes: readonly StagedHome[] = [{ brand: 'acme', reference: 'loft' }];
  const explainDeparture = (day: string, payload: Payload) =>
    explainDates('check_out', day, { session: stagedSession(), payload, facts: searchStage(homes).facts });
  const fromApril: Payload = { check_in_month: '2027-04', check_in_day: '2027-04-10' };

  it('is at odds with the day, and with the month when every day of it is too late', () => {
    assert.deepEqual(explainDeparture('2027-04-05', fromApril), {
      code: 'conflicts_with',
      fields: ['check_in_day'],
    });
    assert.deepEqual(explainDeparture('2027-03-20', fromApril), {
      code: 'conflicts_with',
      fields: ['check_in_month', 'check_in_day'],
    });
  });

  it('is in the past when no arrival could come before it', () => {
    assert.deepEqual(explainDeparture('2027-02-20', fromApril), { code: 'in_the_past' });
  });
});

const { guests } = FIELD_RULES;

test('a whole number of people is read, however it is written', () => {
  for (const [raw, value] of [
    [2, '2'],
    ['2', '2'],
    ['02', '2'],
    ['2.0', '2'],
    [' 2 ', '2'],
    ['2.00', '2'],
    [999_999, '999999'],
    [`${'0'.repeat(18)}123`, '123'],
    // No home sleeps so many, however many more they are.
    [1_000_000, '999999'],
    ['1000000', '999999'],
    ['1'.repeat(40), '999999'],
    [2 ** 31, '999999'],
    [1e21, '999999'],
  ] as const) {
    assert.deepEqual(guests.read(raw), { kind: 'read', value }, String(raw));
  }
});

test('anything else has the wrong type', () => {
  for (const raw of [
    'two',
    '2 adults',
    '1e3',
    '2,0',
    '',
    `2.${'0'.repeat(18)}1`,
    Number.NaN,
    null,
    [2],
    { adults: 2 },
  ]) {
    assert.deepEqual(
      guests.read(raw),
      { kind: 'unreadable', reason: { code: 'wrong_type' }, meant: [] },
      String(raw),
    );
  }
});

const { destination } = FIELD_RULES;

const situated = ({ facts } = searchStage()) => ({ session: stagedSession(), payload: {}, facts });

test('identifiers and names lead to a place', () => {
  for (const text of ['lisbon-pt', 'Lisbon', 'LISBON ']) {
    assert.deepEqual(destination.resolve?.(text, situated()), { kind: 'resolved', value: 'lisbon-pt' }, text);
  }
  assert.deepEqual(destination.resolve?.('Atlantis', situated()), { kind: 'unknown' });
  const twice = searchStage([
    ...THREE_HOMES,
    { brand: 'acme', reference: 'one', place: 'santa-cruz-1' },
    { brand: 'acme', reference: 'two', place: 'santa-cruz-2' },
  ]);
  assert.deepEqual(destination.resolve?.('Santa Cruz', situated(twice)), {
    kind: 'ambiguous',
    candidates: ['santa-cruz-1', 'santa-cruz-2'],
  });
});

test('a long list is cut to 200 and says how many there are', () => {
  const cities = Array.from(
    { length: 201 },
    (_, number): Place => ({
      id: `city-${number}`,
      name: `City ${number}`,
      aliases: [],
      kind: 'city',
      parent: null,
      timeZone: 'UTC',
      currency: 'EUR',
    }),
  );
  const network = { brands: new Map(), places: new Map(cities.map((city) => [city.id, city])) };
  const index = createPlainAvailabilityIndex(network);
  for (const { id } of cities) {
    const calendar = emptyCalendar(TODAY, 2);
    calendar.available.fill(1);
    index.put(propertyLike({ id: `acme:${id}`, brand: 'acme', place: id }), calendar);
  }
  const offer = destination.offer({
    session: stagedSession(),
    payload: {},
    facts: { index, network, unready: [], now: NOW },
  });
  assert.deepEqual([offer.values.length, offer.total], [200, 201]);
});
