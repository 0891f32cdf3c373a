import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type TSchema, Type } from 'typebox';
import { describeFields } from './describe-interface.ts';

const typeOf = (schema: TSchema) => describeFields(Type.Object({ it: schema })).it?.type;

test('a field has a type, says whether it may be null, and what it means', () => {
  const schema = Type.Object({
    name: Type.String({ description: 'What it is called.' }),
    rooms: Type.Union([Type.Number(), Type.Null()], { description: 'Null when unpublished.' }),
    signature: Type.Null({ description: 'Always null.' }),
    plain: Type.Boolean(),
  });
  assert.deepEqual(describeFields(schema), {
    name: { type: 'string', nullable: false, meaning: 'What it is called.' },
    rooms: { type: 'number', nullable: true, meaning: 'Null when unpublished.' },
    signature: { type: 'null', nullable: true, meaning: 'Always null.' },
    plain: { type: 'boolean', nullable: false, meaning: '' },
  });
});

test('a nullable field without words of its own has those of its value', () => {
  const inner = Type.String({ description: 'Instant in UTC.' });
  const described = describeFields(
    Type.Object({
      silent: Type.Union([inner, Type.Null()]),
      own: Type.Union([inner, Type.Null()], { description: 'Until when.' }),
    }),
  );
  assert.equal(described.silent?.meaning, 'Instant in UTC.');
  assert.equal(described.own?.meaning, 'Until when.');
});

test('types are named in words', () => {
  assert.equal(typeOf(Type.Integer()), 'integer');
  assert.equal(typeOf(Type.Enum(['instant', 'request'])), 'one of: instant, request');
  assert.equal(typeOf(Type.Literal('GET')), 'always: GET');
  assert.equal(typeOf(Type.Literal(false)), 'always: false');
  assert.equal(typeOf(Type.Record(Type.String(), Type.String())), 'object');
  assert.equal(typeOf(Type.Array(Type.String())), 'array of string');
  assert.equal(typeOf(Type.Array(Type.Array(Type.Integer()))), 'array of array of integer');
  assert.equal(typeOf(Type.Array(Type.Union([Type.String(), Type.Integer()]))), 'array of string or integer');
  assert.equal(typeOf({ type: 'array' }), 'array of values');
  assert.equal(typeOf({}), 'value');
});

test('a union lists every value but null, which becomes nullable', () => {
  assert.equal(typeOf(Type.Union([Type.String(), Type.Integer()])), 'string or integer');
  const nullable = Type.Object({ it: Type.Union([Type.Boolean(), Type.Integer(), Type.Null()]) });
  assert.deepEqual(describeFields(nullable).it, { type: 'boolean or integer', nullable: true, meaning: '' });
});

test('objects, nullable ones too, and the items of arrays are walked', () => {
  const quote = Type.Object({
    lines: Type.Array(Type.Object({ label: Type.String() })),
    held: Type.Union([Type.Object({ until: Type.String() }), Type.Null()]),
  });
  const schema = Type.Object({ results: Type.Array(Type.Object({ quote })) });
  assert.deepEqual(Object.keys(describeFields(schema)), [
    'results',
    'results[].quote',
    'results[].quote.lines',
    'results[].quote.lines[].label',
    'results[].quote.held',
    'results[].quote.held.until',
  ]);
});

test('an object whose names are data is described by a star, whatever its members are called', () => {
  const place = Type.Object({
    name: Type.String({ description: 'As travellers know it.' }),
    within: Type.Union([Type.Object({ id: Type.String() }), Type.Null()]),
  });
  const schema = Type.Object({
    places: Type.Record(Type.String(), place, { description: 'By identifier.' }),
    labels: Type.Record(Type.String(), Type.String()),
  });
  const described = describeFields(schema);
  assert.deepEqual(Object.keys(described), [
    'places',
    'places.*.name',
    'places.*.within',
    'places.*.within.id',
    'labels',
  ]);
  assert.deepEqual(described.places, { type: 'object', nullable: false, meaning: 'By identifier.' });
  assert.equal(described['places.*.name']?.meaning, 'As travellers know it.');
  assert.equal(described['places.*.within']?.nullable, true);
});

test('an object of several shapes has the members of all of them, a shared one as in the first', () => {
  const supply = Type.Object({
    field: Type.String(),
    url: Type.String({ description: 'Supplies it.' }),
  });
  const read = Type.Object({ method: Type.Literal('GET'), url: Type.String({ description: 'Reads it.' }) });
  const schema = Type.Object({ next_request: Type.Union([supply, read, Type.Null()]) });
  const described = describeFields(schema);
  assert.deepEqual(Object.keys(described), [
    'next_request',
    'next_request.field',
    'next_request.url',
    'next_request.method',
  ]);
  assert.equal(described.next_request?.nullable, true);
  assert.equal(described['next_request.url']?.meaning, 'Supplies it.');
});

test('items of several shapes are described together, the first shape first', () => {
  const offered = Type.Object({ field: Type.String(), url: Type.String({ description: 'Supplies it.' }) });
  const link = Type.Object({ url: Type.String({ description: 'Reads it.' }), method: Type.Literal('GET') });
  const described = describeFields(Type.Object({ requests: Type.Array(Type.Union([offered, link])) }));
  assert.deepEqual(Object.keys(described), [
    'requests',
    'requests[].field',
    'requests[].url',
    'requests[].method',
  ]);
  assert.equal(described['requests[].url']?.meaning, 'Supplies it.');
});
