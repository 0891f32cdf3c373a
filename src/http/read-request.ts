import { isAscii } from 'node:buffer';
import type { RequestFault } from '../contract/errors.ts';
import type { Caller, OperationRequest, RequestValues, View } from '../contract/exchange.ts';
import { COMMON_PARAMETERS, OPERATIONS, type Operation, type OperationName } from '../contract/operations.ts';
import type { WaitingClient } from '../limits/deadline.ts';
import { repeatedMembers } from '../parsing/read-file.ts';
import { invalid, type Reading, valid } from '../parsing/reading.ts';
import { operationRequest } from '../requests/operation-request.ts';
import { type IncomingRequest, type Query, queryOf } from './incoming-request.ts';

const NO_VALUES: RequestBody = valid(new Map());
export const UNREADABLE: RequestBody = invalid('unreadable_body');
export const TOO_LARGE: RequestBody = invalid('body_too_large');
export const UNSUPPORTED_MEDIA_TYPE: RequestBody = invalid('unsupported_media_type');

const REPEATED_PARAMETER: RequestBody = invalid('repeated_parameter');
const REPEATED_MEMBER: RequestBody = invalid('repeated_member');
const TWO_SESSIONS: RequestBody = invalid('two_sessions');
const NONE: readonly string[] = [];
/** Includes those that every operation accepts. */
const PARAMETERS_OF: ReadonlyMap<OperationName, ReadonlySet<string>> = new Map(
  (Object.keys(OPERATIONS) as OperationName[]).map((name) => [
    name,
    new Set([...COMMON_PARAMETERS, ...OPERATIONS[name].query.map((parameter) => parameter.name)]),
  ]),
);
const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

export function readRequest(
  operation: OperationName,
  request: IncomingRequest,
  caller: Caller,
  body: RequestBody = bodyOf(request),
  client?: WaitingClient,
): OperationRequest {
  const query = queryOf(request);
  // An unclear query is reported before any other fault.
  const unclear = unclearParameter(operation, query) ?? unclearSession(operation, query, body);
  return operationRequest({
    id: request.id,
    operation,
    caller,
    ...(client ? { client } : {}),
    token: namedSession(query, body),
    keys: keysOf(request, query),
    versions: sentValues(query.once.get('api_version'), headerValues(request, 'x-api-version')),
    values: unclear?.fault ?? requestValues(operation, body, query),
    method: request.method,
    view: query.once.get('view'),
    unknownParameter: operation === 'search' ? null : unknownParameter(operation, query),
    faultyParameter: unclear?.parameter ?? null,
  });
}

/** Idempotency keys of the query and the header, unchecked. */
export function keysOf(request: IncomingRequest, query: Query = queryOf(request)): readonly string[] {
  return sentValues(query.once.get('idempotency_key'), headerValues(request, 'idempotency-key'));
}

/** The session token, unchecked. */
export function sessionOf(request: IncomingRequest): string | undefined {
  return namedSession(queryOf(request), bodyOf(request));
}

/** The view that the query names; `full` if there is no such view. */
export function viewOf(request: IncomingRequest): View {
  return queryOf(request).once.get('view') === 'compact' ? 'compact' : 'full';
}

/** Without the host that a target may name: `http://host/path`. */
export function pathOf({ url }: IncomingRequest): string {
  const end = url.indexOf('?');
  const target = end === -1 ? url : url.slice(0, end);
  return target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/]*/i, '');
}

export function headerOf(request: IncomingRequest, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

/** HEAD is allowed where GET is the only method, because then GET changes nothing. */
export function methodsOf({ methods }: Operation): readonly string[] {
  return methods.length === 1 && methods[0] === 'GET' ? ['GET', 'HEAD'] : methods;
}

function unknownParameter(operation: OperationName, query: Query): string | null {
  const known = PARAMETERS_OF.get(operation);
  for (const name of query.once.keys()) if (!known?.has(name)) return name;
  for (const name of query.repeated.keys()) if (!known?.has(name)) return name;
  return null;
}

/** The token of the query, or else of the body. */
function namedSession(query: Query, body: RequestBody): string | undefined {
  const inBody = sessionInBody(body);
  return query.once.get('session') || (typeof inBody === 'string' ? inBody : undefined);
}

function sessionInBody(body: RequestBody): unknown {
  return body.kind === 'valid' ? body.value.get('session') : undefined;
}

type UnclearParameter = { readonly parameter: string; readonly fault: RequestBody };

/** Finds a parameter with two values, which could mean either. The search itself judges repeated fields. */
function unclearParameter(operation: OperationName, { repeated }: Query): UnclearParameter | undefined {
  const isJudgedBySearch = (name: string) =>
    operation === 'search' && !COMMON_PARAMETERS.includes(name) && !OFFERED_PAIR.includes(name);
  for (const name of repeated.keys()) {
    if (!isJudgedBySearch(name)) return { parameter: name, fault: REPEATED_PARAMETER };
  }
  return undefined;
}

/** Two different sessions: the values could be meant for either. */
function unclearSession(
  operation: OperationName,
  query: Query,
  body: RequestBody,
): UnclearParameter | undefined {
  const inQuery = query.once.get('session');
  if (operation !== 'search' || !inQuery) return undefined;
  const inBody = sessionInBody(body);
  return inBody === undefined || inBody === null || inBody === '' || inBody === inQuery
    ? undefined
    : { parameter: 'session', fault: TWO_SESSIONS };
}

/** Accepts a JSON object or an empty body. */
function bodyOf({ body }: IncomingRequest): RequestBody {
  if (body === UNSUPPORTED_MEDIA_TYPE) return UNSUPPORTED_MEDIA_TYPE;
  if (!Buffer.isBuffer(body) || body.length === 0) return NO_VALUES;
  try {
    const text = isAscii(body) ? body.toString('latin1') : strictUtf8.decode(body);
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return UNREADABLE;
    const members = new Map(Object.entries(value));
    return hasRepeatedMember(text, members.size) ? REPEATED_MEMBER : valid(members);
  } catch {
    return UNREADABLE;
  }
}

/** Each member has a colon, so most bodies, with no more colons than members, need not be scanned again. */
function hasRepeatedMember(text: string, members: number): boolean {
  return text.split(':', members + 2).length > members + 1 && repeatedMembers(text).length > 0;
}

/** Every value of a repeated header. Node joins them with a comma, which a single value may contain too. */
function headerValues(request: IncomingRequest, name: string): readonly string[] {
  const joined = headerOf(request, name);
  if (joined === undefined) return NONE;
  if (!joined.includes(', ')) return [joined];
  const { rawHeaders } = request.raw;
  return rawHeaders.filter((_, position) => position % 2 === 1 && isNamed(rawHeaders[position - 1], name));
}

function isNamed(header: string | undefined, name: string): boolean {
  return header?.toLowerCase() === name;
}

function sentValues(inQuery: string | undefined, inHeader: readonly string[]): readonly string[] {
  return inQuery === undefined ? inHeader : [inQuery, ...inHeader];
}

export type RequestBody = Reading<RequestValues, RequestFault>;

const OFFERED_PAIR: readonly string[] = ['field', 'value'];

/** The values of body and query. Where both name the same one, the body wins. */
export function requestValues(operation: OperationName, body: RequestBody, query: Query): RequestBody {
  if (body.kind === 'invalid') return body;
  switch (operation) {
    case 'openSession':
      return valid(withSource(body.value, query));
    case 'search':
      return valid(withFields(body.value, query));
    default:
      return body;
  }
}

function withSource(body: RequestValues, query: Query): RequestValues {
  const source = query.once.get('source');
  return source === undefined || body.has('source') ? body : new Map([...body, ['source', source]]);
}

/** Includes parameters that are no field of the search: the search refuses them by name. */
function withFields(body: RequestValues, query: Query): RequestValues {
  if (!body.has('session') && hasOnlyCommonParameters(query)) return body;
  const values = new Map(body);
  values.delete('session');
  // A caller may follow an offered address with another value in the body: any value there replaces the pair of the address.
  if (values.size === 0) for (const name of OFFERED_PAIR) copy(name, query, values);
  const inBody = body.get('field');
  for (const names of [query.once, query.repeated]) {
    for (const name of names.keys()) {
      const isField = !OFFERED_PAIR.includes(name) && !COMMON_PARAMETERS.includes(name);
      if (isField && !body.has(name) && name !== inBody) copy(name, query, values);
    }
  }
  return values;
}

function hasOnlyCommonParameters({ once, repeated }: Query): boolean {
  for (const name of once.keys()) if (!COMMON_PARAMETERS.includes(name)) return false;
  return repeated.size === 0;
}

function copy(name: string, from: Query, to: Map<string, unknown>): void {
  const value = from.once.get(name) ?? from.repeated.get(name);
  if (value !== undefined) to.set(name, value);
}
