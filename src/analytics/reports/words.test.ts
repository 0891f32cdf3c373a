import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CONNECTORS } from '../../connectors/connectors.ts';
import { systemName, wordsFor } from './words.ts';

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
