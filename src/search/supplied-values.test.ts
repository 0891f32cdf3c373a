import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fingerprintOf, readSupplied } from './supplied-values.ts';

const read = (body: Record<string, unknown>) => readSupplied(new Map(Object.entries(body)));

test('a value is sent under its name or as field and value, and other members of an offered request are ignored', () => {
  const destination = { kind: 'valid', value: [{ field: 'destination', raw: 'x' }] };
  assert.deepEqual(read({ destination: 'x' }), destination);
  assert.deepEqual(read({ field: 'destination', value: 'x' }), destination);
  assert.deepEqual(read({ field: 'destination', value: 'x', url: '/ai/v1/search?…' }), destination);
  assert.deepEqual(read({}), { kind: 'valid', value: [] });
});

test('both forms may agree, and several values may come at once', () => {
  assert.deepEqual(read({ field: 'guests', value: 2, guests: '2' }), {
    kind: 'valid',
    value: [{ field: 'guests', raw: 2 }],
  });
  assert.deepEqual(read({ field: 'guests', value: 2, destination: 'x' }), {
    kind: 'valid',
    value: [
      { field: 'guests', raw: 2 },
      { field: 'destination', raw: 'x' },
    ],
  });
});

test('half a pair, a field that is no text, and a contradiction cannot be read', () => {
  for (const [body, fault] of [
    [{ field: 'guests' }, 'half_a_pair'],
    [{ value: 2 }, 'half_a_pair'],
    [{ field: 7, value: 2 }, 'half_a_pair'],
    [{ field: 'guests', value: 2, guests: 3 }, 'two_values'],
    [{ guests: [[[[2]]]] }, 'nested_value'],
  ] as const) {
    assert.deepEqual(read(body), { kind: 'invalid', faults: [fault] }, JSON.stringify(body));
  }
});

test('equal requests have one fingerprint, others have another', () => {
  const guests = (raw: unknown) => fingerprintOf([{ field: 'guests', raw }]);
  assert.equal(guests(2), guests('2'));
  assert.notEqual(guests(2), guests(3));
  assert.notEqual(guests('two'), guests('three'));
  const amenities = (raw: unknown) => fingerprintOf([{ field: 'amenities', raw }]);
  assert.equal(amenities('pool'), amenities(['pool']));
  assert.equal(amenities(''), amenities([]));
  assert.notEqual(amenities(''), amenities('pool'));
  assert.notEqual(amenities(['pool', 'wifi']), amenities('pool'));
  const day = (raw: unknown) => fingerprintOf([{ field: 'check_in_day', raw }]);
  assert.equal(day('2027-5-8'), day('2027-05-08'));
  assert.notEqual(day('05/08/2027'), day('08/05/2027'));
  assert.notEqual(guests(2), fingerprintOf([{ field: 'rooms', raw: 2 }]));
  const both = [
    { field: 'guests', raw: 2 },
    { field: 'destination', raw: 'x' },
  ];
  assert.equal(fingerprintOf(both), fingerprintOf(both.toReversed()));
});
