import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Payload } from '../contract/payload-fields.ts';
import { askedFields, isReachable, missingFields, pickInOrder, valuesBefore } from './payload.ts';

const sourced = askedFields({ source: 'casas', onlyPlace: null });
const direct = askedFields({ source: null, onlyPlace: null });
const singleLocation = askedFields({ source: 'casas', onlyPlace: 'lisbon-pt' });
const directSingleLocation = askedFields({ source: null, onlyPlace: 'lisbon-pt' });

const STAY = ['check_in_month', 'check_in_day', 'check_out', 'guests'];
const DATES = { check_in_day: 'check_in_month', check_out: 'check_in_day' };
/** Out of order on purpose. */
const payload: Payload = { guests: '2', check_in_month: '2027-04', destination: 'lisbon-pt' };

describe('the fields of a session', () => {
  it('are all of them on a sourced session', () => {
    assert.deepEqual(sourced.order, ['brand_locked', 'destination', ...STAY]);
    assert.deepEqual(sourced.dependsOn, { destination: 'brand_locked', ...DATES });
  });

  it('leave out the brand on a direct session, and then nothing depends on it', () => {
    assert.deepEqual(direct.order, ['destination', ...STAY]);
    assert.deepEqual(direct.dependsOn, DATES);
  });

  it('leave out the destination where there is only one', () => {
    assert.deepEqual(singleLocation.order, ['brand_locked', ...STAY]);
    assert.deepEqual(singleLocation.dependsOn, DATES);
    assert.deepEqual(directSingleLocation.order, STAY);
    assert.deepEqual(directSingleLocation.dependsOn, DATES);
  });
});

describe('a payload', () => {
  it('misses the fields that have no value, in the order of the session', () => {
    assert.deepEqual(missingFields(sourced, payload), ['brand_locked', 'check_in_day', 'check_out']);
    assert.deepEqual(missingFields(direct, payload), ['check_in_day', 'check_out']);
    assert.deepEqual(missingFields(sourced, { brand_locked: false })[0], 'destination', 'false is an answer');
  });

  it('is put in order, without fields that the session does not ask for', () => {
    assert.deepEqual(Object.keys(pickInOrder(direct.order, payload)), [
      'destination',
      'check_in_month',
      'guests',
    ]);
    assert.deepEqual(pickInOrder(singleLocation.order, payload), { check_in_month: '2027-04', guests: '2' });
    assert.deepEqual(pickInOrder(sourced.order, { brand_locked: false }), { brand_locked: false });
  });

  it('ends before the field that changes', () => {
    assert.deepEqual(valuesBefore('guests', direct, payload), {
      destination: 'lisbon-pt',
      check_in_month: '2027-04',
    });
    assert.deepEqual(valuesBefore('check_in_month', direct, payload), { destination: 'lisbon-pt' });
    assert.deepEqual(valuesBefore('destination', direct, payload), {});
  });
});

describe('a field', () => {
  it('can be supplied once its prerequisite is set', () => {
    assert.equal(isReachable('check_in_day', direct, payload), true);
    assert.equal(isReachable('check_out', direct, payload), false);
    assert.equal(isReachable('guests', direct, {}), true);
    assert.equal(isReachable('destination', sourced, {}), false);
    assert.equal(isReachable('destination', sourced, { brand_locked: false }), true);
    assert.equal(isReachable('destination', direct, {}), true);
  });
});
