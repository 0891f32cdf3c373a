import { ServerResponse, STATUS_CODES } from 'node:http';
import { type ErrorEndpoint, NO_CONTENT, NOT_MODIFIED, OK, statusOf } from '../contract/errors.ts';
import type { Answer } from '../contract/exchange.ts';
import { API_VERSION } from '../contract/versions.ts';
import type { HttpResponse } from '../limits/broken-http.ts';
import type { RateReading } from '../sessions/rate-windows.ts';
import { type CompressBody, isWorthCompressing } from './compress-body.ts';
import type { ContentEncoding } from './content-encoding.ts';

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
  // No page may show, embed or load an answer.
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  vary: 'Accept-Encoding',
};

/** What the request says about the form of its answer. */
export type ResponsePreferences = {
  readonly ifNoneMatch?: string | undefined;
  readonly encoding: ContentEncoding | null;
};

const NO_PREFERENCES: ResponsePreferences = { encoding: null };

/** Status and headers of an answer. */
export function responseTo(
  answer: Answer,
  endpoint: ErrorEndpoint,
  preferences: ResponsePreferences = NO_PREFERENCES,
): HttpResponse {
  const status = answer.error === null ? OK : statusOf(answer.error, endpoint);
  if (answer.tag !== null) return documentResponse(answer, answer.tag, status, preferences);
  const { body, replayed, retryAfterSeconds, current } = answer;
  const isPlain = !replayed && retryAfterSeconds === null && current !== false;
  if (isPlain) return { status, body };
  const headers: Record<string, string> = {};
  if (replayed) headers['idempotent-replayed'] = 'true';
  if (retryAfterSeconds !== null) headers['retry-after'] = String(retryAfterSeconds);
  if (current === false && endpoint === 'result') headers['x-result-current'] = 'false';
  return { status, body, headers };
}

/** The response in the encoding that the caller prefers, where that makes it smaller. */
export async function encodedResponse(
  response: HttpResponse,
  encoding: ContentEncoding,
  compress: CompressBody,
): Promise<HttpResponse> {
  if (!isWorthCompressing(response.body)) return response;
  const body = await compress(response.body, encoding);
  return { ...response, body, headers: { ...response.headers, 'content-encoding': encoding } };
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

const LINES_OF_EVERY_ANSWER = headerLines(HEADERS_OF_EVERY_ANSWER);

/**
 * Node adds the lines that depend on the connection to those that it is given. There is no documented way to give it lines
 * instead of names and values, each of which it looks through.
 */
type HeadStoring = ServerResponse & {
  _storeHeader?(firstLines: string, headers: readonly (string | number)[]): void;
};

/** Bypasses Fastify, because the body is already serialised. Head and body then go out in one write. */
export function writeResponse(
  raw: HeadStoring,
  { status, body, headers }: HttpResponse,
  context: ResponseContext,
  closing: boolean,
): void {
  const hasBody = status !== NOT_MODIFIED && status !== NO_CONTENT;
  if (hasBody && headers === undefined && !closing && raw._storeHeader && isNodesOwn(raw)) {
    raw.statusCode = status;
    raw._storeHeader(headOf(status, context), ['content-length', Buffer.byteLength(body)]);
    return void raw.end(body);
  }
  const all = standardHeaders(context);
  if (hasBody) all['content-length'] = Buffer.byteLength(body);
  Object.assign(all, headers);
  // Otherwise an open keep-alive connection would delay the shutdown.
  if (closing) all.connection = 'close';
  raw.writeHead(status, all);
  raw.end(body);
}

/** Who replaces `writeHead`, as Fastify's `inject` does, wants to be called. */
function isNodesOwn({ writeHead }: ServerResponse): boolean {
  return writeHead === ServerResponse.prototype.writeHead;
}

/** The lines of `standardHeaders`, of which the key is the only one that somebody else wrote; `readKey` has checked it. */
function headOf(status: number, { requestId, rate, key }: ResponseContext): string {
  return (
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${LINES_OF_EVERY_ANSWER}x-request-id: ${requestId}\r\n` +
    `x-ratelimit-limit: ${rate.limit}\r\nx-ratelimit-remaining: ${rate.remaining}\r\nx-ratelimit-reset: ${rate.resetAt}\r\n` +
    (key === null ? '' : `idempotency-key: ${key}\r\n`)
  );
}

function headerLines(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
}

function documentResponse(
  { body }: Answer,
  tag: string,
  status: number,
  preferences: ResponsePreferences,
): HttpResponse {
  const headers = { 'cache-control': 'private, max-age=300' };
  return revalidated({ status, body, headers }, tag, preferences);
}

/** The response with its tag, or 304 to a caller that has these very bytes. */
export function revalidated(
  { status, body, headers }: HttpResponse,
  tag: string,
  { ifNoneMatch, encoding }: ResponsePreferences,
): HttpResponse {
  const strong = `"${tag}"`;
  // A strong tag stands for the very bytes, which differ between encodings.
  const tagged = { ...headers, etag: encoding === null ? strong : `W/${strong}` };
  const isKnown = ifNoneMatch
    ?.split(',')
    .map((listed) => listed.trim().replace(/^W\//, ''))
    .some((listed) => listed === strong || listed === '*');
  return isKnown ? { status: NOT_MODIFIED, body: '', headers: tagged } : { status, body, headers: tagged };
}
