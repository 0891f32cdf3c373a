import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FieldRefusal } from '../contract/refusal-reasons.ts';
import { refusalFrom } from './questions-and-refusals.ts';

const unknown = (field: string, did_you_mean?: string) =>
  refusalFrom({
    field,
    error: 'unknown_field',
    message: 'see next_request',
    ...(did_you_mean === undefined ? {} : { did_you_mean }),
  });

test('a name that models use for an argument leads to it, and one of the interface does as well', () => {
  assert.equal(unknown('budget').did_you_mean, 'max_total');
  assert.equal(unknown('check_in', 'check_in_day').did_you_mean, 'check_in_day');
});

test('any other name gets the list, also one that every object knows', () => {
  for (const name of ['constructor', 'toString', '__proto__', 'frobnicate']) {
    const { message, did_you_mean } = unknown(name);
    assert.match(message, /^There is no such argument\. There are: session, source, /, name);
    assert.equal(did_you_mean, undefined, name);
  }
});

test('a field that this kind of search does not have says where it belongs', () => {
  assert.match(unknown('brand_locked').message, /goes with source/);
  assert.match(unknown('destination').message, /has one place/);
});

test('what to take in place of a refused value is for the traveller to say', () => {
  const messageOf = (refusal: Partial<FieldRefusal>) =>
    refusalFrom({ error: 'invalid_value', message: '', field: 'destination', ...refusal }).message;
  assert.equal(
    messageOf({ reason: { code: 'not_on_network' } }),
    'No place on this network has that name. Ask the traveller what to take instead.',
  );
  assert.match(
    messageOf({ field: 'guests', reason: { code: 'party_too_large', largest: 9 }, suggestions: ['9'] }),
    / Ask the traveller before you take a value that they did not name\.$/,
  );
  assert.doesNotMatch(messageOf({ field: 'guests', reason: { code: 'wrong_type' } }), /traveller/);
});
