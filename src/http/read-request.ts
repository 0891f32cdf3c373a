import type { FastifyRequest } from 'fastify';
import type { Caller, OperationRequest, RequestFault, RequestValues } from '../contract/exchange.ts';
import { OPERATIONS, type Operation, type OperationName } from '../contract/operations.ts';
import { operationRequest } from '../operations/operation-request.ts';
import { invalid, type Reading, valid } from '../reading/reading.ts';

export type RequestBody = Reading<RequestValues, RequestFault>;

const NO_VALUES: RequestBody = valid(new Map());
export const UNREADABLE: RequestBody = invalid('invalid_request');
export const UNSUPPORTED_MEDIA_TYPE: RequestBody = invalid('unsupported_media_type');

const PARAMETERS = ['session', 'idempotency_key', 'field', 'value', 'api_version'] as const;
type Query = Readonly<Partial<Record<(typeof PARAMETERS)[number], string>>>;

const NONE: readonly string[] = [];
const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

export function readRequest(
  operation: OperationName,
  request: FastifyRequest,
  caller: Caller,
  body: RequestBody = bodyOf(request),
): OperationRequest {
  const query = queryOf(request);
  const parameters = query.kind === 'valid' ? query.value : {};
  const read = operationRequest({
    id: request.id,
    operation,
    caller,
    token: parameters.session,
    keys: keysOf(request, parameters),
    versions: sentValues(parameters.api_version, headerOf(request, 'x-api-version')),
    values: operation === 'search' ? valuesOf(body, parameters) : body,
    method: request.method,
  });
  // A query that cannot be read comes before whatever else is wrong.
  return query.kind === 'valid' ? read : { ...read, values: query };
}

/** From the query and from the header, which may be a quoted string. */
export function keysOf(
  request: FastifyRequest,
  parameters: Query = parametersOf(request),
): readonly string[] {
  const header = headerOf(request, 'idempotency-key');
  return sentValues(parameters.idempotency_key, header?.replace(/^"(.*)"$/, '$1'));
}

export function pathOf(request: FastifyRequest): string {
  const end = request.url.indexOf('?');
  return end === -1 ? request.url : request.url.slice(0, end);
}

export function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

/** HEAD is allowed where GET is the only method, because then GET changes nothing. */
export function methodsOf({ methods }: Operation): readonly string[] {
  return methods.length === 1 && methods[0] === 'GET' ? ['GET', 'HEAD'] : methods;
}

export function operationAt(path: string | undefined): OperationName | undefined {
  return (Object.keys(OPERATIONS) as OperationName[]).find((name) => OPERATIONS[name].path === path);
}

/** Values in the body take precedence over `field` and `value` in the query. */
function valuesOf(body: RequestBody, { field, value }: Query): RequestBody {
  if (body.kind === 'invalid' || body.value.size > 0) return body;
  if (field === undefined && value === undefined) return body;
  const pair = new Map<string, unknown>();
  if (field !== undefined) pair.set('field', field);
  if (value !== undefined) pair.set('value', value);
  return valid(pair);
}

/** Unknown parameters are ignored. A repeated one makes the request unreadable. */
function queryOf(request: FastifyRequest): Reading<Query, RequestFault> {
  const all = (request.query ?? {}) as Readonly<Record<string, string | string[] | undefined>>;
  const query: Record<string, string> = {};
  for (const name of PARAMETERS) {
    const value = all[name];
    if (Array.isArray(value)) return invalid('invalid_request');
    if (value !== undefined) query[name] = value;
  }
  return valid(query);
}

function parametersOf(request: FastifyRequest): Query {
  const query = queryOf(request);
  return query.kind === 'valid' ? query.value : {};
}

/** Accepts a JSON object or an empty body. */
function bodyOf({ body }: FastifyRequest): RequestBody {
  if (body === UNSUPPORTED_MEDIA_TYPE) return UNSUPPORTED_MEDIA_TYPE;
  if (!(body instanceof Uint8Array) || body.length === 0) return NO_VALUES;
  try {
    const value: unknown = JSON.parse(strictUtf8.decode(body));
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? valid(new Map(Object.entries(value))) : UNREADABLE;
  } catch {
    return UNREADABLE;
  }
}

function sentValues(inQuery: string | undefined, inHeader: string | undefined): readonly string[] {
  if (inQuery === undefined) return inHeader === undefined ? NONE : [inHeader];
  return inHeader === undefined ? [inQuery] : [inQuery, inHeader];
}
