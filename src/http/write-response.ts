import type { ServerResponse } from 'node:http';
import { type ErrorEndpoint, NOT_MODIFIED, OK, statusOf } from '../contract/errors.ts';
import type { Answer } from '../contract/exchange.ts';
import { API_VERSION } from '../contract/version.ts';
import type { RateReading } from '../sessions/rate-windows.ts';

/** An answer as HTTP sends it. */
export type HttpResponse = {
  readonly status: number;
  readonly body: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
};

/** What every response says besides. */
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

/** Status and headers of an answer. `ifNoneMatch` lists the tags of the copies that the caller has. */
export function responseTo(answer: Answer, endpoint: ErrorEndpoint, ifNoneMatch?: string): HttpResponse {
  const status = answer.error === null ? OK : statusOf(answer.error, endpoint);
  if (answer.tag !== null) return documentResponse(answer, answer.tag, status, ifNoneMatch);
  const headers: Record<string, string> = {};
  if (answer.replayed) headers['idempotent-replayed'] = 'true';
  if (answer.retryAfterSeconds !== null) headers['retry-after'] = String(answer.retryAfterSeconds);
  return { status, body: answer.body, headers };
}

export function standardHeaders({ requestId, rate, key }: ResponseContext): Record<string, string | number> {
  return {
    ...HEADERS_OF_EVERY_ANSWER,
    'x-request-id': requestId,
    'x-ratelimit-limit': rate.limit,
    'x-ratelimit-remaining': rate.remaining,
    'x-ratelimit-reset': rate.resetAt,
    ...(key === null ? {} : { 'idempotency-key': key }),
  };
}

/** Straight to Node: there is nothing left for Fastify to serialise, and head and text then leave in one piece. */
export function writeResponse(
  raw: ServerResponse,
  { status, body, headers }: HttpResponse,
  context: ResponseContext & { readonly closing: boolean },
): void {
  raw.writeHead(status, {
    ...standardHeaders(context),
    ...(status === NOT_MODIFIED ? {} : { 'content-length': Buffer.byteLength(body) }),
    ...headers,
    // Otherwise a connection that is kept alive would hold up the end until its client lets go.
    ...(context.closing ? { connection: 'close' } : {}),
  });
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
