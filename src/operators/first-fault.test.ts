import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { firstFault } from './first-fault.ts';

const schema = Compile(
  Type.Object({ images: Type.Array(Type.Object({ url: Type.String() }), { maxItems: 500 }) }),
);

test('the first fault of a value is named with its place', () => {
  const images = [{ url: 'a' }, { url: 1 }, { url: 2 }];
  assert.deepEqual(firstFault(schema, { images }), { field: 'images/1/url', reason: 'must be string' });
  assert.deepEqual(firstFault(schema, { images: Array(501).fill({ url: 'a' }) }), {
    field: 'images',
    reason: 'must not have more than 500 items',
  });
});

test('the faults of a value with tens of thousands of parts are not looked for', () => {
  const unasked = { Errors: () => assert.fail('it would keep all of them') };
  const reason = 'does not follow the schema, and is too large to say where';
  for (const value of [Array(20_000).fill(0), { images: Array(150).fill(Array(150).fill({ url: 1 })) }]) {
    assert.deepEqual(firstFault(unasked, value), { field: '', reason });
  }
});
