import type { ServerResponse } from 'node:http';
import type { AccessDecision } from '../access/caller-facts.ts';
import { type Clock, timeOn } from '../clock.ts';
import type { ErrorCode, RequestFault } from '../contract/errors.ts';
import { invalid, type Reading, valid } from '../parsing/reading.ts';
import type { MountedTransport, ReceivedMessage } from '../requests/mounted-transport.ts';
import { readKey } from '../sessions/idempotency.ts';
import type { RateReading, RequestLimits } from '../sessions/rate-windows.ts';
import type { IncomingRequest } from './incoming-request.ts';
import { keysOf } from './read-request.ts';
import type { HttpResponse } from './write-response.ts';

type ServedMessage =
  | { readonly kind: 'limited'; readonly retryAfterSeconds: number }
  | ((
      | { readonly kind: 'whole'; readonly response: HttpResponse; readonly error: ErrorCode | null }
      | {
          readonly kind: 'stream';
          readonly response: Response;
          /** To be called after the whole stream was sent. */
          readonly ended: () => Promise<void>;
          /** The error so far. */
          readonly error: () => ErrorCode | null;
        }
    ) & { readonly rate: RateReading });

export function receivedMessage(
  request: IncomingRequest,
  { assistant, address }: AccessDecision & { readonly kind: 'approved' },
  path: string,
): Reading<ReceivedMessage, RequestFault> {
  const { method, raw } = request;
  if (request.body === 'too_large') return invalid('body_too_large');
  if (request.body === 'invalid_type') return invalid('unreadable_body');
  if (request.body === 'other_type') return invalid('unsupported_media_type');
  const body = request.body === 'none' ? undefined : request.body;
  const key = readKey(keysOf(request));
  if (key.kind === 'invalid') return invalid('invalid_idempotency_key');
  return valid({
    id: request.id,
    caller: { assistant, address },
    client: request,
    key: key.value,
    request: standardRequest({ method, path, headers: raw.headers, body }, request.departure()),
    message: body && parsedJson(body),
  });
}

/** Serves messages within the caller's limits. Operations behind a message count themselves. */
export function createServeMessage({
  requestLimits,
  clock,
}: {
  readonly requestLimits: RequestLimits;
  readonly clock: Clock;
}): (transport: MountedTransport, received: ReceivedMessage) => Promise<ServedMessage> {
  return async (transport, received) => {
    const take = (requests?: number) => requestLimits.count(received.caller, null, timeOn(clock), requests);
    const messages = transport.countOf(received.message);
    const counted = messages === 0 ? null : await take(messages);
    if (counted && !counted.allowed) return { kind: 'limited', retryAfterSeconds: counted.retryAfterSeconds };
    const { response, lastServed, error } = await transport.handle(received);
    // The head of a stream goes out before the first operation, so it states what the caller has left as a whole. A caller with nothing
    // left gets no stream, because a message without operations can be refused only before its answer is sent.
    const left = counted ?? (await requestLimits.peek(received.caller, timeOn(clock)));
    if (left.allowed && isEventStream(response) && transport.isListening(received.message)) {
      const rate = left;
      const ended = async () => {
        if (!counted && lastServed() === null) await take();
      };
      return { kind: 'stream', response, rate, ended, error };
    }
    const body = await response.text();
    const headers = { 'content-type': response.headers.get('content-type') ?? 'application/json' };
    const last = lastServed();
    // A message that led to no operation counts too, as after a stream, so that no message escapes the limits.
    const rate = last?.rate ?? counted ?? (await take());
    if (!rate.allowed && last === null) {
      return { kind: 'limited', retryAfterSeconds: rate.retryAfterSeconds };
    }
    return {
      kind: 'whole',
      response: { status: response.status, body, headers },
      rate,
      error: error(),
    };
  };
}

/** Decodes as `Request.json` does, without a byte-order mark, so that the MCP package parses no message that the rate limit did not count. */
function parsedJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
}

const EVENT_STREAM = 'text/event-stream';

export function isEventStream(response: Response): boolean {
  return response.headers.get('content-type')?.startsWith(EVENT_STREAM) ?? false;
}

/** Leaves out the host: code must not rely on what a client sends there. */
export function standardRequest(
  {
    method,
    path,
    headers,
    body,
  }: {
    readonly method: string;
    readonly path: string;
    readonly headers: Readonly<Record<string, string | string[] | undefined>>;
    readonly body: Uint8Array | undefined;
  },
  signal: AbortSignal,
): Request {
  const known = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined || name.startsWith(':')
      ? []
      : [[name, Array.isArray(value) ? value.join(', ') : value]],
  );
  return new Request(new URL(path, 'http://localhost'), {
    method,
    headers: known,
    signal,
    ...(body === undefined || method === 'GET' || method === 'HEAD' ? {} : { body: Buffer.from(body) }),
  });
}

/** Sends each part as it comes, no faster than the client reads. */
export async function writeStream(
  raw: ServerResponse,
  response: Response,
  headers: Readonly<Record<string, string | number>>,
  beforePart: () => void = () => {},
): Promise<void> {
  const all = {
    ...Object.fromEntries(response.headers),
    ...headers,
    'content-type': EVENT_STREAM,
    // Keeps proxies from buffering the stream to compress it.
    'cache-control': 'no-store, no-transform',
  };
  raw.setHeaders(new Map(Object.entries(all)));
  raw.writeHead(response.status);
  raw.flushHeaders();
  const reader = response.body?.getReader();
  if (!reader) return void raw.end();
  const stop = () => void reader.cancel().catch(() => {});
  raw.once('close', stop);
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      beforePart();
      if (!raw.write(part.value)) await drained(raw);
    }
  } finally {
    raw.off('close', stop);
    raw.end();
  }
}

function drained(raw: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      raw.off('drain', go);
      raw.off('close', go);
      resolve();
    };
    raw.once('drain', go);
    raw.once('close', go);
  });
}
