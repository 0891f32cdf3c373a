import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { namedSchemas } from './named-schemas.ts';
import { Option, Quote } from './option.ts';
import { ResultBody } from './result-body.ts';

const { components, referring } = namedSchemas();

test('whatever has a name is referred to, wherever it is', () => {
  assert.deepEqual(referring(ResultBody), { $ref: '#/components/schemas/ResultBody' });
  assert.deepEqual(referring(Type.Array(Option)), {
    type: 'array',
    items: { $ref: '#/components/schemas/Option' },
  });
  assert.deepEqual(referring(Type.Object({ price: Type.Optional(Quote) })), {
    type: 'object',
    properties: { price: { $ref: '#/components/schemas/Quote' } },
  });
  assert.deepEqual(referring(Type.String()), { type: 'string' });
});

test('a named schema spells itself out and refers to the others', () => {
  const option = components.Option as { type: string; properties: Record<string, unknown> };
  assert.equal(option.type, 'object');
  assert.deepEqual(option.properties.quote, { $ref: '#/components/schemas/Quote' });
  assert.deepEqual(option.properties.rank, {
    type: 'integer',
    description: 'Position in the supplied order. Rank 1 is the lowest stay total.',
  });
});

test('the names that types are generated from', () => {
  assert.deepEqual(Object.keys(components), [
    'Access',
    'AllowedValues',
    'AmenityOffer',
    'AskAgain',
    'AuthRequest',
    'Change',
    'ClearFilters',
    'ComparisonSet',
    'Coverage',
    'FieldRefusal',
    'NextCall',
    'OfferedRequest',
    'Option',
    'Place',
    'Problem',
    'Quote',
    'Received',
    'Refine',
    'RefusalReason',
    'ResultBody',
    'ResultLink',
    'SchemaBody',
    'SearchProblem',
    'SearchRequest',
    'SearchStep',
    'SessionBody',
    'TermsBody',
  ]);
});
