import { isAscii } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { RequestFault } from '../contract/errors.ts';
import type { Caller, OperationRequest, RequestValues, View } from '../contract/exchange.ts';
import { COMMON_PARAMETERS, OPERATIONS, type OperationName } from '../contract/operations.ts';
import { repeatedMembers } from '../parsing/read-file.ts';
import { invalid, type Reading } from '../parsing/reading.ts';
import { operationRequest } from '../requests/serve-operation.ts';
import type { IncomingRequest, Query, SentBody } from './incoming-request.ts';

export type RequestBody = Reading<RequestValues, RequestFault>;

const NO_VALUES: RequestBody = { kind: 'valid', value: new Map() };
const UNREADABLE: RequestBody = invalid('unreadable_body');
const TOO_LARGE: RequestBody = invalid('body_too_large');
const UNSUPPORTED_MEDIA_TYPE: RequestBody = invalid('unsupported_media_type');
const REPEATED_PARAMETER: RequestBody = invalid('repeated_parameter');
const REPEATED_MEMBER: RequestBody = invalid('repeated_member');
const TWO_SESSIONS: RequestBody = invalid('two_sessions');

const NONE: readonly string[] = [];
const NO_SESSION: readonly unknown[] = [undefined, null, ''];
const OFFERED_PAIR: readonly string[] = ['field', 'value'];
const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

export function readRequest(
  operation: OperationName,
  request: IncomingRequest,
  caller: Caller,
): OperationRequest {
  const { id, method, query, raw } = request;
  const { once, repeated } = query;
  const body = readValues(request.body);
  const sessionInQuery = once.get('session');
  const sessionInBody = body.kind === 'valid' ? body.value.get('session') : undefined;
  // An unclear query is reported before any other fault.
  let values: RequestBody | undefined;
  let faultyParameter: string | null = null;
  if (repeated.size > 0) faultyParameter = unclearParameter(operation, repeated.keys());
  if (faultyParameter !== null) values = REPEATED_PARAMETER;
  else if (operation === 'search' && sessionInQuery && sessionInBody !== sessionInQuery) {
    // Different ones: the values could be meant for either.
    if (!NO_SESSION.includes(sessionInBody)) [values, faultyParameter] = [TWO_SESSIONS, 'session'];
  }
  const version = once.get('api_version');
  const versions = raw.headers['x-api-version'] === undefined ? NONE : headerValues(raw, 'x-api-version');
  return operationRequest({
    id,
    operation,
    caller,
    client: request,
    token: sessionInQuery || (typeof sessionInBody === 'string' ? sessionInBody : undefined),
    keys: keysOf(request),
    versions: version === undefined ? versions : [version, ...versions],
    values: values ?? requestValues(operation, body, query),
    method,
    view: once.get('view'),
    unknownParameter: operation === 'search' ? null : unknownParameter(operation, query),
    faultyParameter,
  });
}

/** Idempotency keys of the query and the header, unchecked. */
export function keysOf({ query, raw }: Pick<IncomingRequest, 'query' | 'raw'>): readonly string[] {
  const inQuery = query.once.get('idempotency_key');
  const inHeader = raw.headers['idempotency-key'] === undefined ? NONE : headerValues(raw, 'idempotency-key');
  return inQuery === undefined ? inHeader : [inQuery, ...inHeader];
}

/** The session token, unchecked. */
export function sessionOf({ query, body }: Pick<IncomingRequest, 'query' | 'body'>): string | undefined {
  const values = readValues(body);
  const inBody = values.kind === 'valid' ? values.value.get('session') : undefined;
  return query.once.get('session') || (typeof inBody === 'string' ? inBody : undefined);
}

/** The view that the query names; `full` if there is no such view. */
export function viewOf({ query }: Pick<IncomingRequest, 'query'>): View {
  return query.once.get('view') === 'compact' ? 'compact' : 'full';
}

/** A parameter that no operation of this name has. The search itself judges its own, because they are fields. */
function unknownParameter(operation: OperationName, { once, repeated }: Query): string | null {
  for (const name of [...once.keys(), ...repeated.keys()]) {
    const isKnown =
      COMMON_PARAMETERS.includes(name) || OPERATIONS[operation].query.some((known) => known.name === name);
    if (!isKnown) return name;
  }
  return null;
}

/** A parameter with two values, which could mean either. The search itself judges repeated fields. */
function unclearParameter(operation: OperationName, repeated: Iterable<string>): string | null {
  for (const name of repeated) {
    const isJudgedBySearch =
      operation === 'search' && !COMMON_PARAMETERS.includes(name) && !OFFERED_PAIR.includes(name);
    if (!isJudgedBySearch) return name;
  }
  return null;
}

/** Accepts a JSON object or an empty body. */
function readValues(body: SentBody): RequestBody {
  if (body === 'none' || body.length === 0) return NO_VALUES;
  if (body === 'too_large') return TOO_LARGE;
  if (typeof body === 'string') return UNSUPPORTED_MEDIA_TYPE;
  try {
    const text = isAscii(body) ? body.toString('latin1') : strictUtf8.decode(body);
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return UNREADABLE;
    const members = new Map(Object.entries(value));
    // Each member has a colon, so most bodies, with no more colons than members, need not be scanned again.
    const mayRepeat = text.split(':', members.size + 2).length > members.size + 1;
    return mayRepeat && repeatedMembers(text).length > 0
      ? REPEATED_MEMBER
      : { kind: 'valid', value: members };
  } catch {
    return UNREADABLE;
  }
}

/** Every value of a repeated header. Node joins them with a comma, which a single value may contain too. */
function headerValues({ headers, rawHeaders }: IncomingMessage, name: string): readonly string[] {
  const joined = headers[name];
  if (!joined?.includes(', ')) return joined === undefined ? NONE : [String(joined)];
  return rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name);
}

/** The values of body and query. Where both name the same one, the body wins. */
export function requestValues(operation: OperationName, body: RequestBody, query: Query): RequestBody {
  if (body.kind === 'invalid') return body;
  const sent = body.value;
  if (operation === 'openSession') {
    const source = query.once.get('source');
    if (source === undefined || sent.has('source')) return body;
    return { kind: 'valid', value: new Map([...sent, ['source', source]]) };
  }
  if (operation !== 'search') return body;
  const values = new Map(sent);
  values.delete('session');
  // A caller may follow an offered address with another value in the body: any value there replaces the pair of the address.
  if (values.size === 0) {
    for (const name of OFFERED_PAIR) {
      const value = query.once.get(name) ?? query.repeated.get(name);
      if (value !== undefined) values.set(name, value);
    }
  }
  const inBody = sent.get('field');
  for (const parameters of [query.once, query.repeated]) {
    for (const [name, value] of parameters) {
      // Includes parameters that are no field of the search: the search refuses them by name.
      const isField = !OFFERED_PAIR.includes(name) && !COMMON_PARAMETERS.includes(name);
      if (isField && !sent.has(name) && name !== inBody) values.set(name, value);
    }
  }
  return { kind: 'valid', value: values };
}
