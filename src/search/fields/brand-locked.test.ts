import assert from 'node:assert/strict';
import { test } from 'node:test';
import { searchStage, stagedSession } from '../../../test/support/search-stage.ts';
import type { Payload } from '../../contract/payload-fields.ts';
import { FIELD_RULES } from './rules.ts';

const { brand_locked: brandLocked } = FIELD_RULES;
const situation = (payload: Payload) => ({ session: stagedSession(), payload, facts: searchStage().facts });

test('booleans and their texts are read, whatever the case, and nothing else is', () => {
  for (const raw of [true, 'true', 'True', ' TRUE ']) {
    assert.deepEqual(brandLocked.read(raw), { kind: 'read', value: true });
  }
  for (const raw of [false, 'false', 'FALSE', 'False\n']) {
    assert.deepEqual(brandLocked.read(raw), { kind: 'read', value: false });
  }
  for (const raw of ['yes', 'true false', '', 1, 0, null, undefined, [true], {}]) {
    assert.deepEqual(brandLocked.read(raw), {
      kind: 'unreadable',
      reason: { code: 'wrong_type' },
      meant: [],
    });
  }
});

test('a value is offered with its description while it has a match', () => {
  const { values, total } = brandLocked.offer(situation({}));
  assert.deepEqual(
    values.map(({ value }) => value),
    [true, false],
  );
  for (const { description } of values) assert.ok(description.length > 0);
  assert.equal(total, 2);
  assert.deepEqual(
    brandLocked.offer(situation({ guests: '6' })).values.map(({ value }) => value),
    [false],
    'only the other brand sleeps six',
  );
});

test('a refusal names the answers that stand in the way, and suggests the other value', () => {
  const six = situation({ guests: '6', check_in_month: '2027-03' });
  assert.deepEqual(brandLocked.explain(true, six), { code: 'conflicts_with', fields: ['guests'] });
  assert.deepEqual(brandLocked.nearest(['true'], six), ['false']);
});

test('a brand without homes has nothing free', () => {
  const { facts } = searchStage([{ brand: 'other', reference: 'villa' }]);
  const empty = { session: stagedSession(), payload: { guests: '2' }, facts };
  assert.deepEqual(brandLocked.explain(true, empty), { code: 'nothing_free' });
});
