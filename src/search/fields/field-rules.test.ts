import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAmenity, readValue } from './field-rules.ts';

test('every encoding of a value becomes the form in which it is offered', () => {
  assert.equal(readValue('brand_locked', 'true'), true);
  assert.equal(readValue('brand_locked', false), false);
  assert.equal(readValue('guests', 2), '2');
  assert.equal(readValue('guests', '2'), '2');
  assert.equal(readValue('check_in_month', '2027-05'), '2027-05');
  assert.equal(readValue('check_out', '2028-02-29'), '2028-02-29');
  assert.equal(readAmenity('pool'), 'pool');
  assert.equal(readAmenity(['pool']), 'pool');
});

test('what cannot be a value of the field is none', () => {
  const nonsense: [Parameters<typeof readValue>[0], unknown][] = [
    ['brand_locked', 'TRUE'],
    ['brand_locked', 1],
    ['brand_locked', null],
    ['destination', ''],
    ['destination', 'x'.repeat(121)],
    ['destination', { toString: () => 'lisbon-pt' }],
    ['check_in_month', '2027-13'],
    ['check_in_month', 202705],
    ['check_in_day', '2027-02-30'],
    ['check_in_day', '0000-01-01'],
    ['check_out', '275760-09-13'],
    ['check_out', '2027-05-01T00:00:00Z'],
    ['guests', 0],
    ['guests', -1],
    ['guests', 2.5],
    ['guests', '02'],
    ['guests', '1e3'],
    ['guests', Number.NaN],
    ['guests', [2]],
  ];
  for (const [field, raw] of nonsense)
    assert.equal(readValue(field, raw), undefined, `${field} ${String(raw)}`);
  for (const raw of [[], ['a', 'b'], 3, null, {}]) assert.equal(readAmenity(raw), undefined);
});
