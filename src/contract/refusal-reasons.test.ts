import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Value } from 'typebox/value';
import { REASON_CODES, REASONS, type ReasonCode, RefusalReason, sentenceOf } from './refusal-reasons.ts';

/** A reason for each code, with the facts that it comes with. A code that is missing here does not compile. */
const EXAMPLES: Readonly<Record<ReasonCode, readonly [reason: RefusalReason, sentence: string]>> = {
  not_on_network: [{ code: 'not_on_network' }, 'Nothing on this network has that name.'],
  ambiguous: [{ code: 'ambiguous' }, 'Several places have that name; choose one of candidates.'],
  no_such_date: [{ code: 'no_such_date' }, 'The calendar has no such date.'],
  not_a_date: [{ code: 'not_a_date', format: 'YYYY-MM-DD' }, 'It is not written as YYYY-MM-DD.'],
  in_the_past: [{ code: 'in_the_past' }, 'It is in the past.'],
  beyond_horizon: [
    { code: 'beyond_horizon', last_day: '2028-08-22' },
    'It is too far ahead: stays can end on 2028-08-22 at the latest.',
  ],
  minimum_stay: [{ code: 'minimum_stay', nights: 7 }, 'The stay is too short: at least 7 nights are needed.'],
  maximum_stay: [
    { code: 'maximum_stay', nights: 14 },
    'The stay is too long: at most 14 nights are possible.',
  ],
  closed_to_arrival: [{ code: 'closed_to_arrival' }, 'Homes that are free do not take arrivals on that day.'],
  closed_to_departure: [
    { code: 'closed_to_departure' },
    'Homes that are free do not let a stay end on that day.',
  ],
  lead_time: [{ code: 'lead_time', days: 3 }, 'It is too soon: a stay must be booked at least 3 days ahead.'],
  nothing_free: [{ code: 'nothing_free' }, 'Nothing is free then.'],
  party_too_large: [
    { code: 'party_too_large', largest: 6 },
    'No home that fits the other answers sleeps so many; 6 is the most.',
  ],
  conflicts_with: [
    { code: 'conflicts_with', fields: ['check_out', 'guests'] },
    'It does not fit together with what was received for: check_out, guests.',
  ],
  one_amenity_per_request: [
    { code: 'one_amenity_per_request' },
    'Only one amenity can be supplied in a request.',
  ],
  not_discriminating: [{ code: 'not_discriminating' }, 'It does not tell the options apart.'],
  wrong_type: [
    { code: 'wrong_type' },
    'It has the wrong type or form; the schema says what the field takes.',
  ],
};

test('every reason is a sentence with all its facts filled in', () => {
  assert.deepEqual(REASON_CODES, Object.keys(EXAMPLES));
  for (const [reason, sentence] of Object.values(EXAMPLES)) {
    assert.equal(sentenceOf(reason), sentence);
    assert.doesNotMatch(sentence, /[{}]|undefined/);
    assert.match(sentence, /^[A-Z].*\.$/);
  }
});

test('every fact of a reason is told in its sentence', () => {
  for (const [{ code, ...facts }] of Object.values(EXAMPLES)) {
    const places = [...REASONS[code].sentence.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    assert.deepEqual(places, Object.keys(facts), code);
    assert.ok(REASONS[code].meaning.endsWith('.'), code);
  }
});

test('the schema takes each reason and nothing beside its facts', () => {
  for (const [reason] of Object.values(EXAMPLES)) assert.ok(Value.Check(RefusalReason, reason), reason.code);
  assert.ok(!Value.Check(RefusalReason, { code: 'full_moon' }));
  assert.ok(!Value.Check(RefusalReason, { code: 'nothing_free', value: 'x' }));
});
