import assert from 'node:assert/strict';
import { test } from 'node:test';
import { searchStage, stagedSession } from '../../../test/support/search-stage.ts';
import { explainRefusal, FIELD_RULES, impliedBy, nearestOffered, resolveValue } from './rules.ts';

const situation = { session: stagedSession(), payload: {}, facts: searchStage().facts };

test('each field is behind its name', () => {
  assert.deepEqual(FIELD_RULES.brand_locked.read('true'), { kind: 'read', value: true });
  assert.deepEqual(FIELD_RULES.guests.read(2), { kind: 'read', value: '2' });
  assert.deepEqual(FIELD_RULES.guests.offer(situation).total, 6);
  assert.deepEqual(explainRefusal('guests', '7', situation), { code: 'party_too_large', largest: 6 });
});

test('a field without other ways to say a value takes it as it is, and most imply nothing', () => {
  assert.deepEqual(resolveValue('guests', '2', situation), { kind: 'resolved', value: '2' });
  assert.deepEqual(resolveValue('destination', 'Porto', situation), { kind: 'resolved', value: 'porto-pt' });
  assert.deepEqual(impliedBy('check_in_day', '2027-03-05'), { check_in_month: '2027-03' });
  assert.deepEqual(impliedBy('check_out', '2027-03-05'), {});
});

test('nothing is near when nothing tells what was meant', () => {
  assert.deepEqual(nearestOffered('brand_locked', [], situation), []);
  assert.deepEqual(nearestOffered('brand_locked', ['true'], situation), ['true', 'false']);
});
