import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { valid } from '../parsing/reading.ts';
import type { IncomingRequest, Query } from './incoming-request.ts';
import { keysOf, readRequest, requestValues } from './read-request.ts';

type Sent = {
  readonly query?: Readonly<Record<string, string | string[]>>;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: IncomingRequest['body'];
};

const caller = { assistant: 'assistant', address: '192.0.2.7' };
const UNREADABLE_BODY = { kind: 'invalid', faults: ['unreadable_body'] };
const REPEATED = { kind: 'invalid', faults: ['repeated_parameter'] };

/** Only the members that are read. */
function sent({ query = {}, headers = {}, body = 'none' }: Sent): IncomingRequest {
  const rawHeaders = Object.entries(headers).flatMap(([name, values]) =>
    [values].flat().flatMap((value) => [name.toUpperCase(), value]),
  );
  const joined = Object.fromEntries(
    Object.entries(headers).map(([name, values]) => [name, [values].flat().join(', ')]),
  );
  const raw = { rawHeaders, headers: joined };
  const request = { id: 'req_1', method: 'POST', query: queryWith(Object.entries(query)), body, raw };
  return request as unknown as IncomingRequest;
}

const read = (facts: Sent) => readRequest('search', sent(facts), caller);
const bytes = (text: string) => Buffer.from(text);
const valuesOf = (facts: Sent) => {
  const { values } = read(facts);
  return values.kind === 'valid' ? Object.fromEntries(values.value) : values;
};

describe('what is wrong with a request', () => {});

describe('a request', () => {
  it('is read from query, headers and body', () => {
    const facts = {
      query: { session: 'ses_a', idempotency_key: 'k1', api_version: '2026-11-01', view: 'compact' },
      headers: { 'x-api-version': '2026-11-02' },
      body: bytes('{"guests":2}'),
    };
    const { client: _client, ...read } = readRequest('search', sent(facts), caller);
    assert.deepEqual(read, {
      id: 'req_1',
      operation: 'search',
      caller,
      token: 'ses_a',
      key: 'k1',
      versions: ['2026-11-01', '2026-11-02'],
      values: { kind: 'valid', value: new Map([['guests', 2]]) },
      method: 'POST',
      view: 'compact',
      unknownParameter: null,
      faultyParameter: null,
      amenitiesAtOnce: false,
    });
  });

  it('cannot be read when a parameter comes twice, which is named, while the others count', () => {
    for (const name of ['session', 'idempotency_key', 'field', 'value', 'api_version', 'view']) {
      const given = { session: 'ses_a', api_version: '2026-11-01', idempotency_key: 'k1', view: 'compact' };
      const request = read({ query: { ...given, [name]: ['a', 'b'] }, body: bytes('{"guests":2}') });
      assert.deepEqual([request.values, request.faultyParameter], [REPEATED, name]);
      assert.equal(request.token, name === 'session' ? undefined : 'ses_a', name);
      assert.equal(request.key, name === 'idempotency_key' ? null : 'k1', name);
      assert.deepEqual(request.versions, name === 'api_version' ? [] : ['2026-11-01'], name);
      assert.equal(request.view, name === 'view' ? 'full' : 'compact', name);
    }
  });

  it('leaves fields that come twice to the search, and names them anywhere else', () => {
    const twice = { session: 'ses_a', guests: ['2', '3'], pets: ['1', '2'] };
    assert.deepEqual(valuesOf({ query: twice }), { guests: ['2', '3'], pets: ['1', '2'] });
    assert.equal(read({ query: twice }).faultyParameter, null);
    const auth = readRequest('openSession', sent({ query: { source: ['a', 'b'] } }), caller);
    assert.deepEqual([auth.values, auth.faultyParameter], [REPEATED, 'source']);
    const terms = readRequest('readTerms', sent({ query: { page: ['1', '2'] } }), caller);
    assert.deepEqual([terms.faultyParameter, terms.unknownParameter], ['page', 'page']);
  });

  it('may carry its session in the body, where the query has none', () => {
    const body = bytes('{"session":"ses_b","guests":2}');
    assert.equal(read({ body }).token, 'ses_b');
    assert.deepEqual(valuesOf({ body }), { guests: 2 });
    assert.equal(read({ body, query: { session: '' } }).token, 'ses_b', 'an empty one is none');
    for (const other of ['{"session":7}', '{"session":null}', '{"session":["ses_b"]}', '[']) {
      const { token, faultyParameter } = read({ body: bytes(other) });
      assert.deepEqual([token, faultyParameter], [undefined, null], other);
    }
  });
});

describe('a body', () => {
  it('is a JSON object, or nothing', () => {
    assert.deepEqual(valuesOf({ body: bytes(' {"field":"guests","value":"2"} ') }), {
      field: 'guests',
      value: '2',
    });
    assert.deepEqual(valuesOf({ body: bytes('') }), {});
    for (const text of ['[]', 'null', '"text"', '2', 'true', '{', '{"a":1}}', 'field=guests']) {
      assert.deepEqual(valuesOf({ body: bytes(text) }), UNREADABLE_BODY, text);
    }
  });

  it('is UTF-8', () => {
    assert.deepEqual(valuesOf({ body: bytes('{"destination":"São Paulo"}') }), { destination: 'São Paulo' });
    const latin1 = Buffer.from('{"destination":"São Paulo"}', 'latin1');
    assert.deepEqual(valuesOf({ body: latin1 }), UNREADABLE_BODY);
    assert.deepEqual(
      valuesOf({ body: Buffer.concat([bytes('{"a":"'), Buffer.of(0xc3), bytes('"}')]) }),
      UNREADABLE_BODY,
    );
  });
});

describe('field and value in the query', () => {
  const query = { field: 'guests', value: '2' };

  it('count where the body has no members', () => {
    for (const body of ['none', bytes(''), bytes('{}')] as const)
      assert.deepEqual(valuesOf({ query, body }), query);
  });

  it('come one by one, so that half a pair is seen', () => {
    assert.deepEqual(valuesOf({ query: { field: 'guests' } }), { field: 'guests' });
    assert.deepEqual(valuesOf({ query: { value: '2' } }), { value: '2' });
  });

  it('are ignored when there is a body, even an unreadable one', () => {
    assert.deepEqual(valuesOf({ query, body: bytes('{"guests":4}') }), { guests: 4 });
    assert.deepEqual(valuesOf({ query, body: bytes('{') }), UNREADABLE_BODY);
  });
});

describe('the idempotency key', () => {
  it('may be in the query, in the header, or in both', () => {
    const query = { idempotency_key: 'k1' };
    assert.deepEqual(keysOf(sent({ query })), ['k1']);
    assert.deepEqual(keysOf(sent({ headers: { 'idempotency-key': 'k2' } })), ['k2']);
    assert.deepEqual(keysOf(sent({ query, headers: { 'idempotency-key': 'k2' } })), ['k1', 'k2']);
    assert.deepEqual(keysOf(sent({ query: { idempotency_key: ['k1', 'k1'] } })), []);
  });
});

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

function combinedValues(
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

  it('of the body win, and those of the query fill in what it lacks', () => {
    assert.deepEqual(combinedValues('search', { guests: 4 }, fields), { ...fields, guests: 4 });
    assert.deepEqual(combinedValues('search', { guests: null }, { guests: '2' }), { guests: null });
    assert.deepEqual(combinedValues('search', { field: 'guests', value: 4 }, fields), {
      field: 'guests',
      value: 4,
      destination: 'lisbon',
      check_in_day: '2027-05-08',
    });
  });

  it('that are given several times in the query are lists, which the search judges', () => {
    assert.deepEqual(combinedValues('search', {}, { amenities: ['pool', 'wifi'], guests: '2' }), {
      amenities: ['pool', 'wifi'],
      guests: '2',
    });
    assert.deepEqual(combinedValues('search', { amenities: 'pool' }, { amenities: ['sauna', 'wifi'] }), {
      amenities: 'pool',
    });
    assert.deepEqual(combinedValues('search', { field: 'guests', value: 2 }, { guests: ['3', '4'] }), {
      field: 'guests',
      value: 2,
    });
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
