import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { describeFields, describeInterface } from './describe-interface.ts';

const described = describeInterface({
  rateLimit: 60,
  rateWindowSeconds: 30,
  sessionMinutes: 20,
  maxOptions: 5,
  horizonNights: 540,
  exampleStay: { place: 'porto-pt', checkIn: '2027-05-08', checkOut: '2027-05-11' },
});

test('operations are listed with their methods and parameters', () => {
  assert.deepEqual(
    described.operations.map(({ name, path, methods }) => `${methods.join('|')} ${path} ${name}`),
    [
      'POST|GET /ai/v1/auth openSession',
      'POST|GET /ai/v1/search search',
      'GET /ai/v1/result readResult',
      'GET /ai/v1/schema readSchema',
      'GET /ai/v1/terms readTerms',
    ],
  );
  assert.deepEqual(
    described.operations[1]?.query.map(({ name, required }) => (required ? `${name}!` : name)),
    [
      'session!',
      'field',
      'value',
      'choices',
      'brand_locked',
      'destination',
      'check_in_month',
      'check_in_day',
      'check_out',
      'guests',
      'amenities',
      'idempotency_key',
      'api_version',
      'view',
    ],
  );
});

test('what goes beyond the base interface is listed, and what it has is not', () => {
  const beyond = described.beyond_the_base_interface;
  for (const addition of [
    'step: places',
    'step: cleared_fields',
    'step: from_earlier_step',
    'refusal: reason',
    'refusal: suggestions',
    'refusal: did_you_mean',
    'result: available_requests.change',
    'result: view',
  ]) {
    assert.ok(beyond.includes(addition), addition);
  }
  for (const known of ['step: received', 'step: next_request', 'result: results', 'session: session']) {
    assert.ok(!beyond.includes(known), known);
  }
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
