import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleCardPayload } from '../../../../test/support/sample-card-payload.ts';
import { sampleOption } from '../../../../test/support/sample-comparison.ts';
import type { Comparison } from '../../../search/comparison.ts';
import {
  bookingInWords,
  cancellationInWords,
  capacityInWords,
  factsInWords,
  placeInWords,
  priceNotesInWords,
  questionInWords,
  refusalsInWords,
} from './card-words.ts';
import { travellerFormat } from './traveller-format.ts';

const format = travellerFormat({ locale: 'en-GB', timeZone: 'UTC', currency: 'EUR' });
const plain = (text: string) => text.replace(/\s/g, ' ');
const BEFORE = Date.parse('2026-11-15T09:59:00Z');
const facts = (comparison: Partial<Comparison>, now = BEFORE) =>
  factsInWords(sampleCardPayload(comparison), format, now).map(plain);

test('a place is called by its name, or else by the words of its identifier', () => {
  const payload = sampleCardPayload();
  const named = (destination: string) =>
    placeInWords({ ...payload, query: { ...payload.query, destination } }, null);
  assert.equal(named('lisbon-pt'), 'Lisbon, PT');
  assert.equal(named('northern-portugal'), 'Northern Portugal');
  assert.equal(named('fr'), 'Fr');
  const view = {
    sort: 'price',
    max_total: null,
    free_cancellation: false,
    max_options: 5,
    property_ids: [],
  } as const;
  assert.equal(placeInWords(payload, { ...view, place_name: 'Lisboa' }), 'Lisboa');
});

test('a complete set is told from one in which something may be cheaper', () => {
  assert.equal(facts({})[0], '1 matching home, priced live.');
  assert.equal(
    facts({ totalMatches: 5, pricedMatches: 1 })[0],
    '1 of 5 matching homes. 1 could be priced; one that was not may cost less.',
  );
  assert.equal(
    facts({ options: [], totalMatches: 5, pricedMatches: 0 })[0],
    'None of 5 matching homes could be priced.',
  );
});

test('prices are called held only when all are, and outdated once the set has ended', () => {
  const last = (comparison: Partial<Comparison>, now?: number) => facts(comparison, now).at(-1);
  const held = sampleOption({ guarantee: 'held', validUntil: Date.parse('2026-11-15T09:45:00Z') });
  assert.equal(last({}), 'Prices as of Sun, 15 Nov 2026, 9:30; the operator’s website confirms them.');
  assert.equal(last({ options: [held] }), 'Prices are held until Sun, 15 Nov 2026, 9:45.');
  assert.equal(
    last({ options: [held, sampleOption()] }),
    'Prices as of Sun, 15 Nov 2026, 9:30; some are held longer, as their details say.',
  );
  assert.equal(
    last({}, Date.parse('2026-11-15T10:00:00Z')),
    'Prices were checked on Sun, 15 Nov 2026, 9:30 and may have changed. Search again for current ones.',
  );
});

const wordsFormat = travellerFormat({ locale: 'en-GB', timeZone: 'UTC', currency: '' });
const question = (field: string, offered: readonly (string | boolean)[], means?: string) => ({
  field,
  asks: 'What it stands for, for a model.',
  offered: offered.map((value) => ({ value, ...(means === undefined ? {} : { means }) })),
  offered_in_all: offered.length,
  missing_fields: [field],
});
const refusal = (field: string, code: string, message: string, suggestions: string[] = []) => ({
  field,
  error: 'invalid_value',
  message,
  reason: { code: code as 'in_the_past' },
  suggestions,
});

test('each field is asked for in words, and its values are written as people write them', () => {
  const asked = (...given: Parameters<typeof question>) => {
    const { words, choices } = questionInWords(question(...given), wordsFormat) ?? {};
    return [words, ...(choices ?? [])];
  };
  assert.deepEqual(asked('destination', ['lisbon-pt'], 'Lisboa'), ['Where to?', 'Lisboa']);
  assert.deepEqual(asked('destination', ['lisbon-region-pt']), ['Where to?', 'Lisbon Region, PT']);
  assert.deepEqual(asked('check_in_month', ['2027-05']), ['In which month do you arrive?', 'May 2027']);
  assert.deepEqual(asked('check_out', ['2027-05-08']), ['On which day do you leave?', 'Sat, 8 May 2027']);
  assert.deepEqual(asked('brand_locked', [true, false], 'When it applies.'), [
    'Only this brand, or others too?',
    'Only this brand',
    'Other brands too',
  ]);
  assert.equal(questionInWords(question('something_new', ['1']), wordsFormat), null);
});

test('a refusal is its reason in words, without the names of arguments and what is for the model', () => {
  const said = refusalsInWords(
    [
      refusal('check_out', 'minimum_stay', 'The stay is too short: at least 3 nights are needed.', [
        '2027-05-11',
      ]),
      refusal(
        'guests',
        'conflicts_with',
        'It does not fit together with what stands for: check_in_day, guests. Ask the traveller first.',
      ),
      refusal('destination', 'ambiguous', 'Several places have that name; choose one of candidates.', [
        'lisbon-pt',
      ]),
      refusal('check_in_day', 'not_a_date', 'It is not written as YYYY-MM-DD.'),
    ],
    question('destination', ['lisbon-pt'], 'Lisboa'),
    wordsFormat,
  );
  assert.deepEqual(
    said.map(({ words, choices }) => [words, ...choices]),
    [
      ['Departure: The stay is too short: at least 3 nights are needed.', 'Tue, 11 May 2027'],
      ['Guests: It does not fit together with what stands for: arrival, guests.'],
      ['Where to: Several places have that name.', 'Lisboa'],
      ['Arrival: It could not be read.'],
    ],
  );
});

const [option] = sampleCardPayload().results;
assert.ok(option);

test('rooms and booking are said as far as they are published', () => {
  const rooms = (bedrooms: number | null) =>
    capacityInWords({
      ...option,
      capacity: { max_guests: 4, summary: 'A loft', bedrooms, bathrooms: null },
    });
  assert.deepEqual([rooms(2), rooms(null)], ['Sleeps 4, 2 bedrooms', 'Sleeps 4 · A loft']);
  const booked = (hours: number | null) =>
    plain(
      bookingInWords({
        ...option,
        availability: { ...option.availability, booking_mode: 'request', confirmation_hours: hours },
      }),
    );
  assert.equal(booked(24), 'On request: the operator confirms within 24 hours');
  assert.equal(booked(null), 'On request: the operator confirms');
});

test('what is paid besides the total is never left out, and a held price is told from one that was read', () => {
  const notes = (facts: object, now = BEFORE) =>
    priceNotesInWords({ ...option, quote: { ...option.quote, ...facts } }, format, now).map(plain);
  assert.deepEqual(notes({}), ['Price as of Sun, 15 Nov 2026, 9:30; the operator’s website confirms it.']);
  const held = { price_guarantee: 'held', price_valid_until: '2026-11-15T10:00:00Z' };
  assert.deepEqual(notes({ ...held, deposit: { amount: 200, refundable: true }, due_on_site: 12 }), [
    'Deposit of €200 besides the total, given back after the stay.',
    'Plus €12 paid at the property.',
    'The operator holds this price until Sun, 15 Nov 2026, 10:00.',
  ]);
  assert.match(notes(held, Date.parse(held.price_valid_until)).at(-1) ?? '', /held this price until/);
});

test('only a structured policy is stated; the operator’s words are never interpreted', () => {
  const say = (facts: object) => {
    const cancellation = {
      ...option.cancellation,
      free_cancellation: 'unpublished' as const,
      free_cancellation_until: null,
      free_cancellation_until_local: null,
      refundable: null,
      ...facts,
    };
    const { tone, sentence } = cancellationInWords({ ...option, cancellation }, format, BEFORE);
    return [tone, plain(sentence)];
  };
  const until = { free_cancellation: 'until', free_cancellation_until: '2027-04-03T17:00:00Z' };
  for (const [facts, ...said] of [
    [{ free_cancellation: 'never' }, 'strict', 'Not refundable'],
    [{ free_cancellation: 'over' }, 'strict', 'Free cancellation is over'],
    [until, 'good', 'Free cancellation until Sat, 3 Apr 2027, 17:00 UTC'],
    [
      { ...until, free_cancellation_until_local: '2027-04-03T18:00:00+01:00' },
      'good',
      'Free cancellation until Sat, 3 Apr 2027, 18:00, local time there',
    ],
    [
      { free_cancellation: 'until', free_cancellation_until: '2026-11-01T17:00:00Z' },
      'strict',
      'Free cancellation ended on Sun, 1 Nov 2026, 17:00 UTC',
    ],
    [{ refundable: true }, 'plain', 'Refundable on the operator’s terms'],
    [{ summary: 'Full refund.' }, 'plain', 'Cancellation, in the operator’s words'],
  ] as const) {
    assert.deepEqual(say(facts), said);
  }
});
