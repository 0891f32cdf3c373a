import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { CONNECTORS } from '../../connectors/connectors.ts';
import { ERRORS } from '../../contract/errors.ts';
import { answerCell, answerWords, fateOf, refusalWords, systemName, wordsFor } from './words.ts';

test('every kind of booking system has a name for people, and one that is not known stays itself', () => {
  const unnamed = CONNECTORS.map(({ kind }) => kind).filter((kind) => systemName(kind) === kind);
  assert.deepEqual(unnamed, []);
  assert.deepEqual(['open', 'rate-card', 'lodgify', 'constructor'].map(systemName), [
    'open protocol',
    'rate card',
    'Lodgify',
    'constructor',
  ]);
});

const WORDS = {
  brand_locked: 'one brand or all',
  destination: 'destination',
  check_in_month: 'month of arrival',
  check_in_day: 'day of arrival',
  check_out: 'day of departure',
  guests: 'guests',
  amenities: 'amenities',
  prices: 'prices',
  completed: 'result',
  not_on_network: 'not on the network',
  nothing_free: 'nothing free',
  not_on_offer: 'homes are paused',
  minimum_stay: 'shorter than the minimum stay',
  maximum_stay: 'longer than the maximum stay',
  closed_to_arrival: 'no arrival on that day',
  closed_to_departure: 'no departure on that day',
  lead_time: 'too soon to book',
  beyond_horizon: 'too far ahead',
  party_too_large: 'party too large',
  conflicts_with: 'does not fit the other answers',
  refused_by_operators: 'refused by operators',
  operators_silent: 'operators did not answer',
  compared: 'prices were compared',
  empty: 'no home could be had',
  just_refused: 'refused a moment before',
  too_many_searches: 'too many searches at a time',
};

test('codes read as people say it', () => {
  const codes = Object.keys(WORDS);
  assert.deepEqual(Object.fromEntries(codes.map((code) => [code, wordsFor(code)])), WORDS);
});

describe('the words for an answer', () => {
  it('are no code of a program, whatever the error or the cause', () => {
    const causes = [
      'unknown_caller',
      'suspended',
      'browser',
      'other_host',
      'unknown_address',
      'invalid_signature',
      'replayed_signature',
    ];
    const codes = [...Object.keys(ERRORS), ...causes];
    const unworded = codes.filter((code) => answerWords(code) === code.replaceAll('_', ' '));
    assert.deepEqual(unworded, []);
    assert.equal(new Set(codes.map(answerWords)).size, codes.length, 'each has its own');
  });

  it('are those of the code where it is not known, and of an answer without an error', () => {
    assert.deepEqual(['of_a_later_release', 'constructor', ''].map(answerCell), [
      { id: 'of_a_later_release', text: 'of a later release' },
      { id: 'constructor', text: 'constructor' },
      { id: null, text: 'answered' },
    ]);
  });

  it('name the field that was refused, or what else was wrong', () => {
    assert.deepEqual(
      ['', 'check_in_day:nothing_free', 'unknown_field', 'operators_silent'].map(refusalWords),
      ['none', 'day of arrival: nothing free', 'no such field', 'operators did not answer'],
    );
  });
});

describe('what became of a request', () => {
  it('is an error where the service or its operators failed, and nowhere else', () => {
    assert.deepEqual(
      Object.keys(ERRORS).filter((code) => fateOf(code) === 'failed'),
      ['upstream_unavailable', 'overloaded', 'storage_unavailable', 'internal_error'],
    );
  });

  it('is a mistake where the request was written wrong, and a refusal where a wish could not be met', () => {
    for (const code of ['unknown_field', 'invalid_request', 'session_required'])
      assert.equal(fateOf(code), 'mistaken');
    for (const code of ['invalid_value', 'nothing_on_offer']) assert.equal(fateOf(code), 'refused');
  });

  it('is an error where nobody knows better', () => {
    for (const code of ['of_a_later_release', 'constructor', '__proto__'])
      assert.equal(fateOf(code), 'failed');
  });
});
