import type { ServerResponse } from 'node:http';
import { type ErrorEndpoint, NOT_MODIFIED, OK, statusOf } from '../contract/errors.ts';
import type { Answer } from '../contract/exchange.ts';
import { API_VERSION } from '../contract/version.ts';
import type { RateReading } from '../sessions/rate-windows.ts';

export type HttpResponse = {
  readonly status: number;
  readonly body: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
};

/** For the standard headers. */
export type ResponseContext = {
  readonly requestId: string;
  readonly rate: RateReading;
  readonly key: string | null;
};

const HEADERS_OF_EVERY_ANSWER = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'x-api-version': API_VERSION,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

const REPLAYED = { 'idempotent-replayed': 'true' };

/** Status and headers of an answer. `ifNoneMatch` is the header of the request. */
export function responseTo(answer: Answer, endpoint: ErrorEndpoint, ifNoneMatch?: string): HttpResponse {
  const status = answer.error === null ? OK : statusOf(answer.error, endpoint);
  if (answer.tag !== null) return documentResponse(answer, answer.tag, status, ifNoneMatch);
  const { body, replayed, retryAfterSeconds } = answer;
  if (replayed) return { status, body, headers: REPLAYED };
  if (retryAfterSeconds === null) return { status, body };
  return { status, body, headers: { 'retry-after': String(retryAfterSeconds) } };
}

export function standardHeaders({ requestId, rate, key }: ResponseContext): Record<string, string | number> {
  const headers: Record<string, string | number> = {
    ...HEADERS_OF_EVERY_ANSWER,
    'x-request-id': requestId,
    'x-ratelimit-limit': rate.limit,
    'x-ratelimit-remaining': rate.remaining,
    'x-ratelimit-reset': rate.resetAt,
  };
  if (key !== null) headers['idempotency-key'] = key;
  return headers;
}

/** Bypasses Fastify, because the body is already serialised. Head and body then go out in one write. */
export function writeResponse(
  raw: ServerResponse,
  { status, body, headers }: HttpResponse,
  context: ResponseContext & { readonly closing: boolean },
): void {
  const all = standardHeaders(context);
  if (status !== NOT_MODIFIED) all['content-length'] = Buffer.byteLength(body);
  Object.assign(all, headers);
  // Otherwise an open keep-alive connection would delay the shutdown.
  if (context.closing) all.connection = 'close';
  raw.writeHead(status, all);
  raw.end(body);
}

function documentResponse(
  { body }: Answer,
  tag: string,
  status: number,
  ifNoneMatch: string | undefined,
): HttpResponse {
  const etag = `"${tag}"`;
  const headers = { etag, 'cache-control': 'private, max-age=300' };
  const isKnown = ifNoneMatch
    ?.split(',')
    .map((listed) => listed.trim().replace(/^W\//, ''))
    .some((listed) => listed === etag || listed === '*');
  return isKnown ? { status: NOT_MODIFIED, body: '', headers } : { status, body, headers };
}
