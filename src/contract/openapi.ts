import type { TSchema } from 'typebox';
import { ERRORS, type ErrorCode, type ErrorEndpoint, NOT_MODIFIED } from './errors.ts';
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
        Object.entries(STANDARD_HEADERS).map(([name, [type, description]]) => [
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
      200: answer('The answer.', others.length ? { anyOf: [first, ...others] } : first),
      ...(CACHEABLE_ENDPOINTS.includes(operation.endpoint)
        ? { [NOT_MODIFIED]: answerWithoutBody('The copy that If-None-Match names is current.') }
        : {}),
      ...Object.fromEntries(
        failuresOf(operation.endpoint).map(([status, codes]) => [
          status,
          answer(codes.join(', '), { $ref: '#/components/schemas/Problem' }),
        ]),
      ),
    },
  };
}

function failuresOf(endpoint: ErrorEndpoint): [string, ErrorCode[]][] {
  const codes = new Map<number, ErrorCode[]>();
  for (const code of Object.keys(ERRORS) as ErrorCode[]) {
    const { endpoints, status } = ERRORS[code];
    const applies =
      endpoint === 'search'
        ? code === 'access_denied'
        : endpoints.includes('any') || endpoints.includes(endpoint);
    if (applies) codes.set(status, [...(codes.get(status) ?? []), code]);
  }
  return [...codes].map(([status, list]) => [String(status), list]);
}

function answer(description: string, schema: unknown) {
  return { ...answerWithoutBody(description), content: { 'application/json': { schema } } };
}

function answerWithoutBody(description: string) {
  return {
    description,
    headers: Object.fromEntries(
      Object.keys(STANDARD_HEADERS).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
    ),
  };
}
