import type { TSchema } from 'typebox';
import type { ErrorEndpoint } from './errors.ts';
import { FIELDS, SEARCH_FIELDS } from './payload-fields.ts';
import { Problem } from './problem-body.ts';
import { SchemaBody, TermsBody } from './reference-bodies.ts';
import { ResultBody } from './result-body.ts';
import { SearchProblem, SearchRequest, SearchStep } from './search-body.ts';
import { AuthRequest, SessionBody } from './session-body.ts';
import { PATHS } from './vocabulary.ts';

/** One entry of the table of operations, from which routes, the OpenAPI document and `/schema` are built. */
export type Operation = {
  readonly endpoint: Exclude<ErrorEndpoint, 'any'>;
  readonly path: string;
  readonly methods: readonly ('GET' | 'POST')[];
  readonly summary: string;
  readonly query: readonly QueryParameter[];
  readonly body: TSchema | null;
  /** The bodies of HTTP 200. */
  readonly answers: readonly { readonly name: string; readonly schema: TSchema }[];
  /** The body of every other status. */
  readonly problem: TSchema;
};

export type QueryParameter = { readonly name: string; readonly required: boolean; readonly meaning: string };

const session: QueryParameter = { name: 'session', required: true, meaning: 'The session token of auth.' };
const idempotencyKey: QueryParameter = {
  name: 'idempotency_key',
  required: false,
  meaning: 'Makes a repeat safe. May also be sent as the Idempotency-Key header.',
};
const version: QueryParameter = {
  name: 'api_version',
  required: false,
  meaning: 'Pins the version, as the X-API-Version header does.',
};
const view: QueryParameter = {
  name: 'view',
  required: false,
  meaning: 'full (the default), or compact for a smaller answer. The addresses in the answer carry it on.',
};
const ofEveryOperation = [idempotencyKey, version, view];

/** Shows what a field could be. */
export const CHOICES_PARAMETER = 'choices';

/** Where a parameter has no meaning it is still accepted, because clients add these to every address. */
export const COMMON_PARAMETERS: readonly string[] = [session, ...ofEveryOperation].map(({ name }) => name);

const fieldsByName: readonly QueryParameter[] = SEARCH_FIELDS.map((field) => ({
  name: field,
  required: false,
  meaning: `${FIELDS[field].description.meaning} The field by its name, alone or with others. A value in the body wins.`,
}));

export const OPERATIONS = {
  openSession: {
    endpoint: 'auth',
    path: PATHS.auth,
    methods: ['POST', 'GET'],
    summary: 'Open a session, for one brand (source) or for every brand.',
    query: [
      { name: 'source', required: false, meaning: 'The brand of the entry. A source in the body wins.' },
      ...ofEveryOperation,
    ],
    body: AuthRequest,
    answers: [{ name: 'SessionBody', schema: SessionBody }],
    problem: Problem,
  },
  search: {
    endpoint: 'search',
    path: PATHS.search,
    methods: ['POST', 'GET'],
    summary:
      'Take one step of the guided search, or narrow a result by one amenity. Always HTTP 200 for an approved caller.',
    query: [
      session,
      { name: 'field', required: false, meaning: 'The field that value is for. Any value in the body wins.' },
      { name: 'value', required: false, meaning: 'The value of field.' },
      {
        name: CHOICES_PARAMETER,
        required: false,
        meaning:
          'The name of a field, without values: shows what it could be, answered or not, each value with its address. Nothing changes.',
      },
      ...fieldsByName,
      ...ofEveryOperation,
    ],
    body: SearchRequest,
    answers: [
      { name: 'SearchStep', schema: SearchStep },
      { name: 'ResultBody', schema: ResultBody },
      { name: 'SearchProblem', schema: SearchProblem },
    ],
    problem: Problem,
  },
  readResult: {
    endpoint: 'result',
    path: PATHS.result,
    methods: ['GET'],
    summary:
      'Read the last complete comparison set: the same bytes at every reading, until a new set replaces it. X-Result-Current: false tells that the search has moved on since.',
    query: [session, ...ofEveryOperation],
    body: null,
    answers: [{ name: 'ResultBody', schema: ResultBody }],
    problem: Problem,
  },
  readSchema: {
    endpoint: 'schema',
    path: PATHS.schema,
    methods: ['GET'],
    summary: 'Fields, result fields with their meaning, error codes, limits and versions, for machines.',
    query: ofEveryOperation,
    body: null,
    answers: [{ name: 'SchemaBody', schema: SchemaBody }],
    problem: Problem,
  },
  readTerms: {
    endpoint: 'terms',
    path: PATHS.terms,
    methods: ['GET'],
    summary: 'The terms of use.',
    query: ofEveryOperation,
    body: null,
    answers: [{ name: 'TermsBody', schema: TermsBody }],
    problem: Problem,
  },
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof OPERATIONS;

const OPERATION_AT: ReadonlyMap<string, OperationName> = new Map(
  (Object.keys(OPERATIONS) as OperationName[]).map((name) => [OPERATIONS[name].path, name]),
);

export function operationAt(path: string | undefined): OperationName | undefined {
  return path === undefined ? undefined : OPERATION_AT.get(path);
}
