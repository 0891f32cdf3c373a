import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Value } from 'typebox/value';
import { ERRORS, type ErrorCode, messageOf } from './errors.ts';
import { SEARCH_FIELDS } from './payload-fields.ts';
import { type ReasonCode, RefusalReason, sentenceOf } from './refusal-reasons.ts';

/** A reason for each code, with the facts that it comes with. A code that is missing here does not compile. */
const EXAMPLES: Readonly<Record<ReasonCode, readonly [reason: RefusalReason, sentence: string]>> = {
  not_on_network: [{ code: 'not_on_network' }, 'No place on this network has that name.'],
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
    'The stay is too long: it may have at most 14 nights.',
  ],
  closed_to_arrival: [{ code: 'closed_to_arrival' }, 'Homes that are free do not take arrivals on that day.'],
  closed_to_departure: [
    { code: 'closed_to_departure' },
    'Homes that are free do not let a stay end on that day.',
  ],
  lead_time: [{ code: 'lead_time', days: 3 }, 'It is too soon: a stay must be booked at least 3 days ahead.'],
  nothing_free: [{ code: 'nothing_free' }, 'No home that takes such a stay is free then.'],
  not_on_offer: [
    { code: 'not_on_offer' },
    'Homes there are not on offer here at present, which does not mean that they are booked.',
  ],
  party_too_large: [
    { code: 'party_too_large', largest: 6 },
    'No home that fits the other answers sleeps so many; 6 is the most.',
  ],
  conflicts_with: [
    { code: 'conflicts_with', fields: ['check_out', 'guests'] },
    'It does not fit together with what stands for: check_out, guests.',
  ],
  one_amenity_per_request: [
    { code: 'one_amenity_per_request', amenity: 'pool' },
    'Only one amenity can be applied in a request; pool can be applied next.',
  ],
  already_applied: [{ code: 'already_applied' }, 'That filter is applied already.'],
  not_discriminating: [
    { code: 'not_discriminating', having: 5, of: 5 },
    'It does not tell the options apart: 5 of 5 matches have it.',
  ],
  wrong_type: [
    { code: 'wrong_type' },
    'It has the wrong type or form. What the field takes: see the schema.',
  ],
};

test('so it is for every field, also with homes that publish nothing', () => {
  for (const [reason] of Object.values(EXAMPLES)) {
    for (const field of [...SEARCH_FIELDS, 'toString', null]) {
      for (const told of [reason, { ...reason, unpublished: 2 }]) {
        const sentence = sentenceOf(told, field);
        assert.doesNotMatch(sentence, /[{}]|undefined/, `${reason.code} ${field}`);
        assert.match(sentence, /^[A-Z].*\.$/, `${reason.code} ${field}`);
        for (const fact of Object.values(told).flat()) {
          if (fact !== reason.code) assert.ok(sentence.includes(String(fact)), `${fact} in ${sentence}`);
        }
      }
    }
  }
});

test('a sentence suits its field', () => {
  const told = (reason: RefusalReason) => ({
    place: sentenceOf(reason, 'destination'),
    brand: sentenceOf(reason, 'brand_locked'),
    month: sentenceOf(reason, 'check_in_month'),
    day: sentenceOf(reason, 'check_in_day'),
    departure: sentenceOf(reason, 'check_out'),
  });
  const nothing = told({ code: 'nothing_free' });
  assert.deepEqual([nothing.place, nothing.brand], Array(2).fill('Nothing can be booked there.'));
  assert.deepEqual(
    [nothing.month, nothing.day, nothing.departure],
    Array(3).fill('No home that takes such a stay is free then.'),
  );
  const short = told({ code: 'minimum_stay', nights: 7 });
  assert.equal(short.day, 'Homes that are free then need at least 7 nights, and so many cannot be had.');
  assert.equal(short.month, short.day);
  assert.equal(short.departure, 'The stay is too short: at least 7 nights are needed.');
  const long = told({ code: 'maximum_stay', nights: 3 });
  assert.equal(long.day, 'Homes that are free then take at most 3 nights, and no such stay can be had.');
  assert.equal(long.departure, 'The stay is too long: it may have at most 3 nights.');
  const differing = told({ code: 'minimum_stay' });
  assert.equal(
    differing.departure,
    'Some homes that are free for that stay take longer ones only, and no other home takes it.',
  );
  const closed = told({ code: 'closed_to_departure' });
  assert.notEqual(closed.day, closed.departure);
  assert.equal(
    sentenceOf({ code: 'wrong_type' }, 'guests'),
    'It has the wrong type or form. What the field takes: A whole number from 1 on, or its text.',
  );
});

test('the schema takes each reason and nothing beside its facts', () => {
  for (const [reason] of Object.values(EXAMPLES)) assert.ok(Value.Check(RefusalReason, reason), reason.code);
  assert.ok(!Value.Check(RefusalReason, { code: 'full_moon' }));
  assert.ok(!Value.Check(RefusalReason, { code: 'nothing_free', value: 'x' }));
});

test('a message names the field where it has a place for one', () => {
  assert.equal(messageOf('incomplete_payload', 'guests'), 'Missing required field: guests');
  assert.equal(messageOf('invalid_value', 'check_out'), 'Invalid value for field: check_out');
  assert.equal(
    messageOf('prerequisite_missing', 'check_in_day'),
    'Another field must be set before field: check_in_day',
  );
  assert.equal(messageOf('rate_limited', 'guests'), 'Too many requests.');
  assert.equal(messageOf('upstream_unavailable'), 'No booking system gave a usable answer.');
});

test('no message shows the place of a field that is not given', () => {
  for (const code of Object.keys(ERRORS) as ErrorCode[]) assert.doesNotMatch(messageOf(code), /<|undefined/);
});
