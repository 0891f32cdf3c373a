import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { OPERATIONS, type OperationName, operationAt } from '../contract/operations.ts';
import { BODY_LIMIT_BYTES } from '../contract/vocabulary.ts';
import type { IncomingRequest } from './incoming-request.ts';
import { ordinaryQuery, type Query } from './query.ts';

const JSON_TYPES: ReadonlySet<string | undefined> = new Set([
  'application/json',
  'application/json; charset=utf-8',
  'application/json;charset=utf-8',
]);
const LENGTH = /^[1-9]\d{0,6}$/;

/**
 * A request in the form that nearly all have: an operation by the address that we publish, with a small JSON body or none. For
 * these Fastify has nothing to find out, and passing them through it is a large part of the processor time of a step. Whatever
 * is written in another way, or might be wrong, is left to it.
 */
export class OrdinaryRequest implements IncomingRequest {
  readonly id: string;
  readonly operation: OperationName;
  readonly method: string;
  readonly url: string;
  readonly query: Query;
  readonly raw: IncomingMessage;
  body: Buffer | undefined;

  constructor(id: string, operation: OperationName, query: Query, raw: IncomingMessage) {
    this.id = id;
    this.operation = operation;
    this.method = raw.method ?? '';
    this.url = raw.url ?? '';
    this.query = query;
    this.raw = raw;
  }

  get headers(): IncomingHttpHeaders {
    return this.raw.headers;
  }

  get socket(): Socket {
    return this.raw.socket;
  }
}

export function ordinaryRequest(raw: IncomingMessage, newId: () => string): OrdinaryRequest | null {
  const { url = '', method } = raw;
  const end = url.indexOf('?');
  const operation = operationAt(end === -1 ? url : url.slice(0, end));
  if (operation === undefined || !isMethodOf(operation, method) || !hasOrdinaryBody(raw)) return null;
  const query = ordinaryQuery(end === -1 ? '' : url.slice(end + 1));
  return query && new OrdinaryRequest(newId(), operation, query, raw);
}

/** Undefined for a request without a body. Rejects when the connection breaks before the rest of it has come. */
export async function readBody(raw: IncomingMessage): Promise<Buffer | undefined> {
  if (raw.headers['content-length'] === undefined) return undefined;
  // Nearly always the body came with its head, and the parser has reached its end: then there is no need to listen for its parts.
  if (raw.complete) return raw.read() ?? undefined;
  const parts: Buffer[] = [];
  for await (const part of raw) parts.push(part);
  return Buffer.concat(parts);
}

function isMethodOf(operation: OperationName, method: string | undefined): boolean {
  return (OPERATIONS[operation].methods as readonly (string | undefined)[]).includes(method);
}

function hasOrdinaryBody({ headers, method }: IncomingMessage): boolean {
  if (headers['transfer-encoding'] !== undefined || headers.expect !== undefined) return false;
  const length = headers['content-length'];
  const type = headers['content-type'];
  if (length === undefined || length === '0') return method === 'GET' || type === undefined;
  return (
    method === 'POST' && JSON_TYPES.has(type) && LENGTH.test(length) && Number(length) <= BODY_LIMIT_BYTES
  );
}
