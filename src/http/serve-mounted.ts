import type { AccessDecision } from '../access/caller-facts.ts';
import { type Clock, timeOn } from '../clock.ts';
import type { ErrorCode, RequestFault } from '../contract/errors.ts';
import type { HttpResponse } from '../limits/broken-http.ts';
import { invalid, type Reading, valid } from '../parsing/reading.ts';
import type { MountedTransport, ReceivedMessage } from '../requests/mounted-transport.ts';
import { readKey } from '../sessions/idempotency.ts';
import type { RateReading } from '../sessions/rate-windows.ts';
import type { RequestLimits } from '../sessions/request-limits.ts';
import type { OpenRequest } from './open-requests.ts';
import { keysOf } from './read-request.ts';
import { isEventStream, standardRequest } from './web-exchange.ts';

type ServedMessage =
  | { readonly kind: 'limited'; readonly retryAfterSeconds: number }
  | ((
      | { readonly kind: 'whole'; readonly response: HttpResponse; readonly error: ErrorCode | null }
      | {
          readonly kind: 'stream';
          readonly response: Response;
          /** To be called when it was sent. */
          readonly ended: () => Promise<void>;
          /** What has gone wrong by the time that this part of it is sent. */
          readonly errorAfter: (part: string) => ErrorCode | null;
        }
    ) & { readonly rate: RateReading });

/** `bodyFault` is the framework's code for a body that it could not read. */
export function receivedMessage(
  client: OpenRequest,
  { assistant, address }: AccessDecision & { readonly kind: 'approved' },
  bodyFault: string | null,
): Reading<ReceivedMessage, RequestFault> {
  if (bodyFault === 'FST_ERR_CTP_BODY_TOO_LARGE') return invalid('body_too_large');
  if (bodyFault !== null) return invalid('unreadable_body');
  const { request, route } = client;
  const { body } = request;
  if (body !== undefined && !Buffer.isBuffer(body)) return invalid('unsupported_media_type');
  const key = readKey(keysOf(request));
  if (key.kind === 'invalid') return invalid('invalid_idempotency_key');
  const { method, headers } = request;
  const path = route ?? '/';
  return valid({
    id: request.id,
    caller: { assistant, address },
    client,
    key: key.value,
    request: standardRequest({ method, path, headers, body }, client.departure()),
    message: body && parsedJson(body),
  });
}

/** Within the caller's limits, which the operations behind a message count themselves. */
export function createServeMessage({
  requestLimits,
  clock,
}: {
  readonly requestLimits: RequestLimits;
  readonly clock: Clock;
}): (door: MountedTransport, received: ReceivedMessage) => Promise<ServedMessage> {
  return async (door, received) => {
    const take = (requests?: number) => requestLimits.count(received.caller, null, timeOn(clock), requests);
    const messages = door.countOf(received.message);
    const counted = messages === 0 ? null : await take(messages);
    if (counted && !counted.allowed) return { kind: 'limited', retryAfterSeconds: counted.retryAfterSeconds };
    const { response, lastServed } = await door.handle(received);
    // Its head goes out before the first operation, so it says what is left to the caller as a whole. Whoever has nothing left gets
    // no stream, because what leads to no operation is refused only where the answer is known first.
    const left = counted ?? (await requestLimits.peek(received.caller, timeOn(clock)));
    if (left.allowed && isEventStream(response) && door.isListening(received.message)) {
      const rate = left;
      const ended = async () => {
        if (!counted && lastServed() === null) await take();
      };
      let refused: ErrorCode | null = null;
      const errorAfter = (part: string) => {
        refused ??= door.errorIn(part, received.message);
        return lastServed()?.error ?? refused;
      };
      return { kind: 'stream', response, rate, ended, errorAfter };
    }
    const body = await response.text();
    const headers = { 'content-type': response.headers.get('content-type') ?? 'application/json' };
    const last = lastServed();
    // What led to no operation counts as well, as it does after a stream: nothing is free of limits.
    const rate = last?.rate ?? counted ?? (await take());
    if (!rate.allowed && last === null) {
      return { kind: 'limited', retryAfterSeconds: rate.retryAfterSeconds };
    }
    return {
      kind: 'whole',
      response: { status: response.status, body, headers },
      rate,
      error: last?.error ?? door.errorIn(body, received.message) ?? (response.ok ? null : 'invalid_request'),
    };
  };
}

/** Decodes as `Request.json` does, without a byte-order mark, so that the MCP package never parses a message that the rate limit did not count. */
function parsedJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
}
