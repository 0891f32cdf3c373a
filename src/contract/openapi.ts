import type { TSchema } from 'typebox';
import { ERRORS, type ErrorCode, type ErrorEndpoint, NOT_MODIFIED, OK, statusOf } from './errors.ts';
import { OPERATIONS, type Operation } from './operations.ts';
import { API_VERSION } from './version.ts';

const STANDARD_HEADERS = {
  'X-RateLimit-Limit': ['integer', 'Requests in a window.'],
  'X-RateLimit-Remaining': ['integer', 'Requests left in the window.'],
  'X-RateLimit-Reset': ['integer', 'End of the window in epoch seconds.'],
  'X-API-Version': ['string', 'Version date.'],
  'X-Request-Id': ['string', 'Identifier of the request, req_….'],
  'Idempotency-Key': ['string', 'Echo of the key supplied.'],
} as const;

/** Sent with some answers of an endpoint only. */
const RESULT_HEADERS = {
  'X-Result-Current': ['string', 'false when the search has changed since this result; otherwise absent.'],
} as const;

const CACHEABLE_ENDPOINTS: readonly ErrorEndpoint[] = ['schema', 'terms'];

/** Built from the table of operations. The document is committed, and a test compares it with this. */
export function openApiDocument() {
  const schemas: Record<string, TSchema> = {};
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [name, operation] of Object.entries(OPERATIONS) as [string, Operation][]) {
    for (const answer of operation.answers) schemas[answer.name] = answer.schema;
    schemas.Problem = operation.problem;
    paths[operation.path] = Object.fromEntries(
      operation.methods.map((method) => [method.toLowerCase(), describe(name, operation, method)]),
    );
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Staywire',
      version: API_VERSION,
      summary: 'Short-term rental search with live, final prices, for approved AI assistants.',
      description:
        'Open a session, answer one field at a time, read one comparison set ranked by total price. The booking is made on the operator’s website.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    // Clients send no credential: assistants are recognised by what their platform sends and from where.
    security: [],
    paths,
    components: {
      headers: Object.fromEntries(
        Object.entries({ ...STANDARD_HEADERS, ...RESULT_HEADERS }).map(([name, [type, description]]) => [
          name,
          { description, schema: { type } },
        ]),
      ),
      schemas,
    },
  };
}

function describe(name: string, operation: Operation, method: 'GET' | 'POST') {
  const [first, ...others] = operation.answers.map((answer) => ({
    $ref: `#/components/schemas/${answer.name}`,
  }));
  return {
    operationId: operation.methods.length > 1 && method === 'GET' ? `${name}ByGet` : name,
    summary: operation.summary,
    parameters: operation.query.map((parameter) => ({
      name: parameter.name,
      in: 'query',
      required: parameter.required,
      description: parameter.meaning,
      schema: { type: 'string' },
    })),
    ...(operation.body && method === 'POST'
      ? { requestBody: { required: false, content: { 'application/json': { schema: operation.body } } } }
      : {}),
    responses: {
      [OK]: answer(
        'The answer.',
        others.length ? { anyOf: [first, ...others] } : first,
        operation.endpoint === 'result' ? Object.keys(RESULT_HEADERS) : [],
      ),
      ...(CACHEABLE_ENDPOINTS.includes(operation.endpoint)
        ? { [NOT_MODIFIED]: answerWithoutBody('The copy that If-None-Match names is current.') }
        : {}),
      ...Object.fromEntries(
        failuresOf(operation.endpoint, method).map(([status, codes]) => [
          status,
          answer(codes.join(', '), { $ref: '#/components/schemas/Problem' }),
        ]),
      ),
    },
  };
}

/** Search has few statuses other than 200. */
function failuresOf(endpoint: ErrorEndpoint, method: 'GET' | 'POST'): [string, ErrorCode[]][] {
  const codes = new Map<number, ErrorCode[]>();
  for (const code of Object.keys(ERRORS) as ErrorCode[]) {
    const { endpoints } = ERRORS[code];
    const status = statusOf(code, endpoint);
    const applies = endpoints.includes('any') || endpoints.includes(endpoint);
    if (!applies || status === OK || neverHappensOn(code, method)) continue;
    codes.set(status, [...(codes.get(status) ?? []), code]);
  }
  return [...codes].map(([status, list]) => [String(status), list]);
}

/** `not_found` is the answer where there is no operation, and only a body has a media type. */
function neverHappensOn(code: ErrorCode, method: 'GET' | 'POST'): boolean {
  return code === 'not_found' || (code === 'unsupported_media_type' && method === 'GET');
}

function answer(description: string, schema: unknown, moreHeaders: readonly string[] = []) {
  return {
    ...answerWithoutBody(description, moreHeaders),
    content: { 'application/json': { schema } },
  };
}

function answerWithoutBody(description: string, moreHeaders: readonly string[] = []) {
  return {
    description,
    headers: Object.fromEntries(
      [...Object.keys(STANDARD_HEADERS), ...moreHeaders].map((name) => [
        name,
        { $ref: `#/components/headers/${name}` },
      ]),
    ),
  };
}
