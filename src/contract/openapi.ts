import type { TSchema } from 'typebox';
import { ERRORS, type ErrorCode, type ErrorEndpoint, NOT_MODIFIED, OK, statusOf } from './errors.ts';
import { OPERATIONS, type Operation, type OperationName } from './operations.ts';
import { Option, Quote } from './option.ts';
import { AmenityOffer } from './payload-fields.ts';
import { Problem } from './problem-body.ts';
import recorded from './recorded-examples.json' with { type: 'json' };
import { FieldRefusal, RefusalReason } from './refusal-reasons.ts';
import { Access, AskAgain, Change, ClearFilters, ComparisonSet, Coverage, Refine } from './result-body.ts';
import {
  AllowedValues,
  NextCall,
  OfferedRequest,
  Place,
  Received,
  ResultLink,
  SearchRequest,
} from './search-body.ts';
import { AuthRequest } from './session-body.ts';
import { API_VERSION } from './vocabulary.ts';

const STANDARD_HEADERS = {
  'X-RateLimit-Limit': [
    'integer',
    'Requests in a window: that of the session or caller, or that of its assistant when it refuses.',
  ],
  'X-RateLimit-Remaining': ['integer', 'Requests left in the window.'],
  'X-RateLimit-Reset': ['integer', 'End of the window in epoch seconds.'],
  'X-API-Version': ['string', 'Version date.'],
  'X-Request-Id': ['string', 'Identifier of the request, req_….'],
  'Idempotency-Key': ['string', 'Echo of the key supplied.'],
} as const;

/** Sent with only some answers of an endpoint. */
const RESULT_HEADERS = {
  'X-Result-Current': ['string', 'false when the search has changed since this result; otherwise absent.'],
} as const;

const CACHEABLE_ENDPOINTS: readonly ErrorEndpoint[] = ['schema', 'terms'];

const TAGS = {
  Search: 'Open a session, answer what is asked, read the comparison set.',
  Reference: 'What the interface says about itself.',
} as const;

const TAG_OF: Readonly<Record<Operation['endpoint'], keyof typeof TAGS>> = {
  auth: 'Search',
  search: 'Search',
  result: 'Search',
  schema: 'Reference',
  terms: 'Reference',
};

/**
 * Built from the table of operations, with recorded answers of a running service as examples. The document without a public address
 * is committed, and a test compares the two.
 */
export function openApiDocument(publicUrl: string | null = null) {
  const named = namedSchemas();
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [name, operation] of Object.entries(OPERATIONS) as [OperationName, Operation][]) {
    paths[operation.path] = Object.fromEntries(
      operation.methods.map((method) => [
        method.toLowerCase(),
        describe({ name, operation, method, named, publicUrl }),
      ]),
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
    servers: [{ url: publicUrl ?? '/' }],
    // Clients send no credential: assistants are recognised by the headers and addresses of their platform.
    security: [],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      headers: Object.fromEntries(
        Object.entries({ ...STANDARD_HEADERS, ...RESULT_HEADERS }).map(([name, [type, description]]) => [
          name,
          { description, schema: { type } },
        ]),
      ),
      schemas: named.components,
    },
  };
}

function describe({
  name,
  operation,
  method,
  named,
  publicUrl,
}: {
  readonly name: OperationName;
  readonly operation: Operation;
  readonly method: 'GET' | 'POST';
  readonly named: NamedSchemas;
  readonly publicUrl: string | null;
}) {
  const [first, ...others] = operation.answers.map(({ schema }) => named.referring(schema));
  const examples = examplesOf(name, method);
  const [usual] = examples;
  const answer = (status: number, description: string, schema: unknown, moreHeaders?: readonly string[]) =>
    answerWith({
      description,
      schema,
      moreHeaders,
      examples: examples.filter((example) => example.status === status),
    });
  return {
    operationId: operation.methods.length > 1 && method === 'GET' ? `${name}ByGet` : name,
    tags: [TAG_OF[operation.endpoint]],
    summary: operation.summary,
    parameters: operation.query.map((parameter) => ({
      name: parameter.name,
      in: 'query',
      required: parameter.required,
      description: parameter.meaning,
      schema: { type: 'string' },
    })),
    ...(operation.body && method === 'POST'
      ? {
          requestBody: {
            required: false,
            content: {
              'application/json': {
                schema: named.referring(operation.body),
                ...withExamples(examples, (example) => example.request.body),
              },
            },
          },
        }
      : {}),
    responses: {
      [OK]: answer(
        OK,
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
          answer(Number(status), codes.join(', '), named.referring(operation.problem)),
        ]),
      ),
    },
    // Reference pages show it beside the operation, because browsers may not send the call.
    ...(usual
      ? { 'x-codeSamples': [{ lang: 'Shell', label: 'curl', source: curlCommand(usual, publicUrl) }] }
      : {}),
  };
}

/** Failures by status. Search has few statuses other than 200. */
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

/** `not_found` answers only unknown addresses, and only a body has a media type. */
function neverHappensOn(code: ErrorCode, method: 'GET' | 'POST'): boolean {
  return code === 'not_found' || (code === 'unsupported_media_type' && method === 'GET');
}

function answerWith({
  description,
  schema,
  moreHeaders = [],
  examples,
}: {
  readonly description: string;
  readonly schema: unknown;
  readonly moreHeaders: readonly string[] | undefined;
  readonly examples: readonly RecordedExample[];
}) {
  return {
    ...answerWithoutBody(description, moreHeaders),
    content: { 'application/json': { schema, ...withExamples(examples, ({ answer }) => answer) } },
  };
}

function withExamples(examples: readonly RecordedExample[], shownOf: (example: RecordedExample) => unknown) {
  const shown = examples.flatMap((example) => {
    const value = shownOf(example);
    return value === null ? [] : [[example.name, { summary: example.summary, value }] as const];
  });
  return shown.length === 0 ? {} : { examples: Object.fromEntries(shown) };
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

/** A request with the recorded answer of a running service. */
export type RecordedExample = {
  readonly operation: OperationName;
  readonly method: 'GET' | 'POST';
  readonly name: string;
  readonly summary: string;
  readonly request: { readonly url: string; readonly body: object | null };
  readonly status: number;
  readonly answer: object;
};

// The compiler's inferred type of the file has every member of every answer.
const EXAMPLES: readonly RecordedExample[] = recorded as readonly object[] as readonly RecordedExample[];

/** In the order of recording: the usual call comes first. */
function examplesOf(operation: OperationName, method: 'GET' | 'POST'): readonly RecordedExample[] {
  return EXAMPLES.filter((example) => example.operation === operation && example.method === method);
}

/** Where `npm start` and the service without settings listen. */
const LOCAL_ORIGIN = 'http://127.0.0.1:8080';

/** The recorded request as a command for a POSIX shell. */
function curlCommand({ method, request }: RecordedExample, publicUrl: string | null): string {
  const lines = [`curl ${quoted(`${publicUrl ?? LOCAL_ORIGIN}${request.url}`)}`];
  if (request.body !== null) {
    lines.push(
      `  -H ${quoted('content-type: application/json')}`,
      `  -d ${quoted(JSON.stringify(request.body))}`,
    );
  } else if (method === 'POST') lines.push('  -X POST');
  return lines.join(' \\\n');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Parts that get a name besides the answers, because types are generated from the OpenAPI document. */
const NAMED_PARTS: Readonly<Record<string, TSchema>> = {
  Access,
  AllowedValues,
  AmenityOffer,
  AskAgain,
  AuthRequest,
  Change,
  ClearFilters,
  ComparisonSet,
  Coverage,
  FieldRefusal,
  NextCall,
  OfferedRequest,
  Option,
  Place,
  Problem,
  Quote,
  Received,
  Refine,
  RefusalReason,
  ResultLink,
  SearchRequest,
};

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

type NamedSchemas = {
  /** For `components.schemas`, in the order of their names. */
  readonly components: Readonly<Record<string, Json>>;
  /** The schema with a reference in the place of everything that has a name. */
  referring(schema: TSchema): Json;
};

/** Bodies and their parts by name. Parts are matched by content, because TypeBox copies schemas when it combines them. */
function namedSchemas(): NamedSchemas {
  const operations: readonly Operation[] = Object.values(OPERATIONS);
  const bodies = operations.flatMap(({ answers }) =>
    answers.map(({ name, schema }) => [name, schema] as const),
  );
  const all = { ...NAMED_PARTS, ...Object.fromEntries(bodies) };
  const names = new Map(Object.entries(all).map(([name, schema]) => [JSON.stringify(schema), name]));
  const sorted = Object.entries(all).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return {
    components: Object.fromEntries(sorted.map(([name, schema]) => [name, membersOf(plain(schema))])),
    referring: (schema) => refer(plain(schema)),
  };

  function refer(node: Json): Json {
    const name = names.get(JSON.stringify(node));
    return name === undefined ? membersOf(node) : { $ref: `#/components/schemas/${name}` };
  }

  function membersOf(node: Json): Json {
    if (Array.isArray(node)) return node.map(refer);
    if (typeof node !== 'object' || node === null) return node;
    return Object.fromEntries(Object.entries(node).map(([key, member]) => [key, refer(member)]));
  }
}

function plain(schema: TSchema): Json {
  return JSON.parse(JSON.stringify(schema));
}
