import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { namedSchemas, openApiDocument } from './openapi.ts';
import { Option, Quote } from './option.ts';
import { ResultBody } from './result-body.ts';

type Described = {
  readonly operationId: string;
  readonly parameters: readonly object[];
  readonly requestBody?: { readonly required: boolean };
  readonly responses: Readonly<
    Record<string, { description: string; headers?: object; content?: Record<string, { schema: unknown }> }>
  >;
};

const { paths, components } = openApiDocument();

function at(path: string, method: string): Described {
  return paths[path]?.[method] as Described;
}

/** Status → error codes, without 200 and 304. */
function failuresAt(path: string, method: string) {
  const failures = Object.entries(at(path, method).responses).filter(
    ([status]) => !['200', '304'].includes(status),
  );
  return Object.fromEntries(failures.map(([status, { description }]) => [status, description]));
}

const ANYWHERE = {
  403: 'access_denied',
  405: 'method_not_allowed',
  429: 'rate_limited',
  500: 'internal_error',
};

test('each endpoint lists the failures that it can answer with, by status', () => {
  assert.deepEqual(failuresAt('/ai/v1/auth', 'post'), {
    ...ANYWHERE,
    400: 'unknown_field, invalid_request, invalid_idempotency_key, unsupported_version',
    404: 'unknown_source',
    415: 'unsupported_media_type',
    422: 'idempotency_key_reused',
    429: 'rate_limited, too_many_sessions',
    503: 'overloaded, storage_unavailable',
  });
  const { 415: _mediaType, ...ofAuth } = failuresAt('/ai/v1/auth', 'post');
  assert.deepEqual(failuresAt('/ai/v1/auth', 'get'), ofAuth, 'without a body there is no media type');
  assert.deepEqual(failuresAt('/ai/v1/result', 'get'), {
    ...ANYWHERE,
    400: 'session_required, unknown_field, invalid_request, invalid_idempotency_key, unsupported_version',
    404: 'session_not_found',
    409: 'result_not_ready',
    410: 'session_expired',
    503: 'upstream_unavailable, overloaded, storage_unavailable',
  });
  for (const path of ['/ai/v1/schema', '/ai/v1/terms']) {
    assert.deepEqual(failuresAt(path, 'get'), {
      ...ANYWHERE,
      400: 'unknown_field, invalid_request, invalid_idempotency_key, unsupported_version',
      503: 'overloaded',
    });
  }
});

test('search fails with a status of its own only at the gate and for another method', () => {
  for (const method of ['post', 'get']) {
    assert.deepEqual(failuresAt('/ai/v1/search', method), {
      403: 'access_denied',
      405: 'method_not_allowed',
    });
  }
});

test('a failure is a Problem, an answer one of the bodies of its operation', () => {
  const schemaOf = (path: string, method: string, status: string) =>
    at(path, method).responses[status]?.content?.['application/json']?.schema;
  assert.deepEqual(schemaOf('/ai/v1/result', 'get', '409'), { $ref: '#/components/schemas/Problem' });
  assert.deepEqual(schemaOf('/ai/v1/result', 'get', '200'), { $ref: '#/components/schemas/ResultBody' });
  assert.deepEqual(schemaOf('/ai/v1/search', 'get', '200'), {
    anyOf: [
      { $ref: '#/components/schemas/SearchStep' },
      { $ref: '#/components/schemas/ResultBody' },
      { $ref: '#/components/schemas/SearchProblem' },
    ],
  });
});

test('only documents that callers keep have 304, which has no body', () => {
  const kept = Object.keys(paths).filter((path) =>
    Object.keys(paths[path] ?? {}).some((method) => at(path, method).responses['304']),
  );
  assert.deepEqual(kept, ['/ai/v1/schema', '/ai/v1/terms']);
  assert.equal(at('/ai/v1/schema', 'get').responses['304']?.content, undefined);
});

test('only POST has a body, and only where the operation takes one', () => {
  const withBody = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods)
      .filter((method) => at(path, method).requestBody)
      .map((method) => `${method} ${path}`),
  );
  assert.deepEqual(withBody, ['post /ai/v1/auth', 'post /ai/v1/search']);
  assert.equal(at('/ai/v1/search', 'post').requestBody?.required, false);
});

test('an operation with two methods has two identifiers', () => {
  assert.equal(at('/ai/v1/search', 'post').operationId, 'search');
  assert.equal(at('/ai/v1/search', 'get').operationId, 'searchByGet');
  assert.equal(at('/ai/v1/auth', 'get').operationId, 'openSessionByGet');
  assert.equal(at('/ai/v1/result', 'get').operationId, 'readResult');
});

test('parameters and headers are described', () => {
  assert.deepEqual(at('/ai/v1/result', 'get').parameters[0], {
    name: 'session',
    in: 'query',
    required: true,
    description: 'The session token of auth.',
    schema: { type: 'string' },
  });
  const types = Object.entries(components.headers).map(([name, { schema }]) => `${name}: ${schema.type}`);
  assert.deepEqual(types, [
    'X-RateLimit-Limit: integer',
    'X-RateLimit-Remaining: integer',
    'X-RateLimit-Reset: integer',
    'X-API-Version: string',
    'X-Request-Id: string',
    'Idempotency-Key: string',
    'X-Result-Current: string',
  ]);
  const headersAt = (path: string) => Object.keys(at(path, 'get').responses['200']?.headers ?? {});
  assert.deepEqual(headersAt('/ai/v1/result').slice(-1), ['X-Result-Current']);
  assert.equal(headersAt('/ai/v1/search').includes('X-Result-Current'), false);
});

test('every parameter of an operation is listed, with both methods', () => {
  const namesAt = (path: string, method: string) =>
    at(path, method).parameters.map((parameter) => Reflect.get(parameter, 'name'));
  for (const method of ['post', 'get']) {
    assert.deepEqual(namesAt('/ai/v1/auth', method), ['source', 'idempotency_key', 'api_version', 'view']);
    assert.deepEqual(namesAt('/ai/v1/search', method), [
      'session',
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
    ]);
  }
  assert.deepEqual(namesAt('/ai/v1/terms', 'get'), ['idempotency_key', 'api_version', 'view']);
});

const { components: namedComponents, referring } = namedSchemas();

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
  const option = namedComponents.Option as { type: string; properties: Record<string, unknown> };
  assert.equal(option.type, 'object');
  assert.deepEqual(option.properties.quote, { $ref: '#/components/schemas/Quote' });
  assert.deepEqual(option.properties.rank, {
    type: 'integer',
    description: 'Position in the supplied order. Rank 1 is the lowest stay total.',
  });
});

test('the names that types are generated from', () => {
  assert.deepEqual(Object.keys(namedComponents), [
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
