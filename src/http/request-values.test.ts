import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { invalid, valid } from '../parsing/reading.ts';
import type { Query } from './query.ts';
import { type RequestBody, requestValues } from './request-values.ts';

const UNREADABLE: RequestBody = invalid('invalid_request');

/** A list stands for a parameter that is given several times. */
function queryWith(parameters: Iterable<readonly [string, string | readonly string[]]>): Query {
  const once = new Map<string, string>();
  const repeated = new Map<string, readonly string[]>();
  for (const [name, value] of parameters) {
    if (typeof value === 'string') once.set(name, value);
    else repeated.set(name, value);
  }
  return { once, repeated };
}

function valuesOf(
  operation: 'openSession' | 'search' | 'readResult',
  body: object,
  query: Readonly<Record<string, string | readonly string[]>>,
) {
  const given = queryWith(Object.entries(query));
  const reading = requestValues(operation, valid(new Map(Object.entries(body))), given);
  return reading.kind === 'valid' ? Object.fromEntries(reading.value) : reading;
}

describe('the fields of a search', () => {
  const fields = { destination: 'lisbon', check_in_day: '2027-05-08', guests: '2' };

  it('may be in the query by their names, several at once', () => {
    assert.deepEqual(valuesOf('search', {}, fields), fields);
    assert.deepEqual(valuesOf('search', {}, { ...fields, amenities: '' }), { ...fields, amenities: '' });
  });

  it('of the body win, and those of the query fill in what it lacks', () => {
    assert.deepEqual(valuesOf('search', { guests: 4 }, fields), { ...fields, guests: 4 });
    assert.deepEqual(valuesOf('search', { guests: null }, { guests: '2' }), { guests: null });
    assert.deepEqual(valuesOf('search', { field: 'guests', value: 4 }, fields), {
      field: 'guests',
      value: 4,
      destination: 'lisbon',
      check_in_day: '2027-05-08',
    });
  });

  it('are not the parameters of every operation', () => {
    const common = { session: 'ses_a', idempotency_key: 'k', api_version: '2026-11-01', view: 'compact' };
    assert.deepEqual(valuesOf('search', {}, { ...common, guests: '2' }), { guests: '2' });
  });

  it('may have names that no field has: the search refuses those', () => {
    assert.deepEqual(valuesOf('search', {}, { utm_source: 'x' }), { utm_source: 'x' });
    assert.deepEqual(valuesOf('search', { guests: 2 }, { pets: '1' }), { guests: 2, pets: '1' });
  });

  it('come with the offered pair only when the body has no values', () => {
    const pair = { field: 'guests', value: '2' };
    assert.deepEqual(valuesOf('search', {}, { ...pair, destination: 'lisbon' }), {
      ...pair,
      destination: 'lisbon',
    });
    assert.deepEqual(valuesOf('search', { destination: 'porto' }, pair), { destination: 'porto' });
  });

  it('that are given several times in the query are lists, which the search judges', () => {
    assert.deepEqual(valuesOf('search', {}, { amenities: ['pool', 'wifi'], guests: '2' }), {
      amenities: ['pool', 'wifi'],
      guests: '2',
    });
    assert.deepEqual(valuesOf('search', { amenities: 'pool' }, { amenities: ['sauna', 'wifi'] }), {
      amenities: 'pool',
    });
    assert.deepEqual(valuesOf('search', { field: 'guests', value: 2 }, { guests: ['3', '4'] }), {
      field: 'guests',
      value: 2,
    });
  });

  it('are not the session, which a body may carry too', () => {
    assert.deepEqual(valuesOf('search', { session: 'ses_a', guests: 2 }, {}), { guests: 2 });
    assert.deepEqual(valuesOf('search', { session: 7 }, { session: 'ses_a' }), {});
    const pair = { field: 'guests', value: '2' };
    assert.deepEqual(valuesOf('search', { session: 'ses_a' }, pair), pair, 'it is no value beside the pair');
  });

  it('hold every member of the body unchanged, and nothing of the query that the body names', () => {
    const name = fc.constantFrom('guests', 'destination', 'field', 'value', 'pets', 'session', '__proto__');
    const members = fc.array(fc.tuple(name, fc.string()), { maxLength: 5 }).map((pairs) => new Map(pairs));
    const given = fc.oneof(fc.string(), fc.array(fc.string(), { minLength: 2, maxLength: 3 }));
    const parameters = fc.array(fc.tuple(name, given), { maxLength: 5 }).map((pairs) => new Map(pairs));
    fc.assert(
      fc.property(members, parameters, (body, query) => {
        const reading = requestValues('search', valid(body), queryWith(query));
        assert.equal(reading.kind, 'valid');
        const expected = new Map<string, unknown>([...body].filter(([member]) => member !== 'session'));
        const hasValues = expected.size > 0;
        for (const [parameter, value] of query) {
          const isPair = parameter === 'field' || parameter === 'value';
          if (parameter === 'session' || body.has(parameter)) continue;
          if (isPair ? hasValues : body.get('field') === parameter) continue;
          expected.set(parameter, value);
        }
        const sorted = (values: ReadonlyMap<string, unknown>) => [...values].sort();
        assert.deepEqual(sorted(reading.value), sorted(expected));
      }),
    );
  });
});

describe('the source at auth', () => {
  it('may be in the query, and that of the body wins', () => {
    assert.deepEqual(valuesOf('openSession', {}, { source: 'acme' }), { source: 'acme' });
    assert.deepEqual(valuesOf('openSession', { source: 'casas' }, { source: 'acme' }), { source: 'casas' });
    assert.deepEqual(valuesOf('openSession', { source: null }, { source: 'acme' }), { source: null });
    assert.deepEqual(valuesOf('openSession', {}, { source: '', view: 'full' }), { source: '' });
  });
});

describe('other operations', () => {
  it('have no values in the query', () => {
    assert.deepEqual(valuesOf('readResult', {}, { guests: '2', source: 'acme' }), {});
  });
});

describe('a body that cannot be read', () => {
  it('is not made readable by the query', () => {
    assert.equal(requestValues('search', UNREADABLE, queryWith([['guests', '2']])), UNREADABLE);
    assert.equal(requestValues('openSession', UNREADABLE, queryWith([['source', 'acme']])), UNREADABLE);
  });
});
