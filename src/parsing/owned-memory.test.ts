import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { sampleProperty } from '../../test/support/sample-property.ts';
import { weightOf } from './owned-memory.ts';

test('the weight of a value is about the length of its JSON', () => {
  const property = sampleProperty({ brand: 'sol', reference: '1' });
  const length = JSON.stringify(property).length;
  assert.ok(Math.abs(weightOf(property) - length) < length * 0.1, `${weightOf(property)} for ${length}`);
});

test('nothing weighs less than half of its text', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ') });
  const values = fc.oneof(text, fc.array(text), fc.dictionary(text, fc.array(text)));
  fc.assert(fc.property(values, (value) => weightOf(value) * 2 >= JSON.stringify(value).length));
});
