import assert from 'node:assert/strict';
import { test } from 'node:test';
import { searchStage, stagedSession, suppliedAs } from '../../test/support/search-stage.ts';
import type { Session } from '../sessions/session.ts';
import type { SuppliedValue } from './supplied-values.ts';
import { misnamedValues, unknownFaults } from './unknown-fields.ts';

const { facts } = searchStage();
const unknownFields = (supplied: readonly SuppliedValue[], state: Session) =>
  unknownFaults(misnamedValues(supplied, state, facts), state);
const session = stagedSession();
const namesIn = (values: Readonly<Record<string, unknown>>) =>
  unknownFields(suppliedAs(values), session).map(({ field }) => field);

test('fields of the search are known, all others are not', () => {
  const known = {
    brand_locked: 1,
    destination: 1,
    check_in_month: 1,
    check_in_day: 1,
    check_out: 1,
    guests: 1,
    amenities: 1,
  };
  assert.deepEqual(unknownFields(suppliedAs(known), session), []);
  assert.deepEqual(namesIn({ guests: 1, price: 1, Destination: 1 }), ['price', 'Destination']);
});

test('the first one comes with the fields that the session has', () => {
  const knownIn = (state: Session) =>
    unknownFields(suppliedAs({ price: 1, stars: 1 }), state).map(({ known }) => known);
  assert.deepEqual(knownIn(session), [
    ['brand_locked', 'destination', 'check_in_month', 'check_in_day', 'check_out', 'guests', 'amenities'],
    undefined,
  ]);
  const [known] = knownIn(stagedSession({ source: null, onlyPlace: 'porto-pt' }));
  assert.deepEqual(known, ['check_in_month', 'check_in_day', 'check_out', 'guests', 'amenities']);
});

test('at most five are named, in the order in which they came', () => {
  const many = Object.fromEntries(Array.from({ length: 300 }, (_, number) => [`name_${number}`, 1]));
  assert.deepEqual(namesIn({ guests: 2, ...many }), ['name_0', 'name_1', 'name_2', 'name_3', 'name_4']);
});

test('each has the field that was probably meant, as far as the session asks for it', () => {
  const supplied = suppliedAs({ adults: 2, kids: 1, where: 'x', filters: 'pool', brand: 'x' });
  assert.deepEqual(
    unknownFields(supplied, session).map(({ code, field, didYouMean }) => [code, field, didYouMean]),
    [
      ['unknown_field', 'adults', 'guests'],
      ['unknown_field', 'kids', 'guests'],
      ['unknown_field', 'where', 'destination'],
      ['unknown_field', 'filters', 'amenities'],
      ['unknown_field', 'brand', 'brand_locked'],
    ],
  );
  const directOfOnePlace = stagedSession({ source: null, onlyPlace: 'porto-pt' });
  assert.deepEqual(
    unknownFields(supplied, directOfOnePlace).map(({ didYouMean }) => didYouMean),
    ['guests', 'guests', null, 'amenities', null],
  );
});

test('a long name is neither repeated nor compared with others', () => {
  const [fault] = unknownFields(suppliedAs({ [`${' '.repeat(64)}guests`]: 1 }), session);
  assert.deepEqual([fault?.field, fault?.didYouMean], [null, null]);
  const [spaced] = unknownFields(suppliedAs({ 'number of guests ': 1, ' guests ': 2 }), session).slice(1);
  assert.deepEqual([spaced?.field, spaced?.didYouMean], [null, 'guests']);
});

test('the only place of a session may be named, and no other', () => {
  const inPorto = stagedSession({ source: 'alba', onlyPlace: 'porto-pt' });
  for (const place of ['porto-pt', 'Porto', 'porto, Portugal']) {
    assert.deepEqual(unknownFields(suppliedAs({ destination: place }), inPorto), [], place);
  }
  for (const place of ['lisbon-pt', 'nowhere', 5]) {
    const [fault] = unknownFields(suppliedAs({ destination: place }), inPorto);
    assert.deepEqual([fault?.code, fault?.field], ['unknown_field', 'destination']);
  }
});
