import type { FastifyRequest } from 'fastify';
import type { AccessDecision } from '../access/caller-facts.ts';
import { type Clock, timeOn } from '../clock.ts';
import type { ErrorCode } from '../contract/errors.ts';
import type { Caller } from '../contract/exchange.ts';
import type { RequestFault } from '../contract/request-faults.ts';
import type { WaitingClient } from '../contract/waiting-client.ts';
import type { OperationAnswer } from '../operations/serve-operation.ts';
import { invalid, type Reading, valid } from '../reading/reading.ts';
import { readKey } from '../sessions/idempotency.ts';
import { callerWindow, type RateReading, type RateWindows } from '../sessions/rate-windows.ts';
import { keysOf } from './read-request.ts';
import { isEventStream, standardRequest } from './web-exchange.ts';
import type { HttpResponse } from './write-response.ts';

/**
 * Another door at an address of its own, for the same callers. It is given a request of the web's standard form and gives
 * back a response of that form, which may be a stream.
 */
export type MountedDoor = {
  readonly path: string;
  handle(message: ReceivedMessage): Promise<DoorResponse>;
  /** How often the message counts for its caller; 0 where operations count what it asks for, each by its own session. */
  countOf(message: unknown): number;
  /** Whether somebody waits for what comes before the answer. Otherwise a stream is sent whole, and compressed. */
  isListening(message: unknown): boolean;
};

export type ReceivedMessage = {
  readonly id: string;
  readonly caller: Caller;
  readonly client: WaitingClient;
  readonly key: string | null;
  readonly request: Request;
  /** The body as data; undefined when it is no JSON. */
  readonly message: unknown;
};

export type DoorResponse = {
  readonly response: Response;
  /** The last operation of the exchange so far; null when it needed none. */
  readonly lastServed: () => OperationAnswer | null;
};

type ServedMessage =
  | { readonly kind: 'limited'; readonly retryAfterSeconds: number }
  | ((
      | { readonly kind: 'whole'; readonly response: HttpResponse }
      | {
          readonly kind: 'stream';
          readonly response: Response;
          /** To be called when it was sent. */
          readonly ended: () => Promise<void>;
        }
    ) & { readonly rate: RateReading; readonly error: ErrorCode | null });

/** `bodyFault` is the framework's code for a body that it could not read. */
export function receivedMessage(
  request: FastifyRequest,
  client: Omit<WaitingClient, 'departure'> & { departure(): AbortSignal },
  { assistant, address }: AccessDecision & { readonly kind: 'approved' },
  bodyFault: string | null,
): Reading<ReceivedMessage, RequestFault> {
  if (bodyFault === 'FST_ERR_CTP_BODY_TOO_LARGE') return invalid('body_too_large');
  if (bodyFault !== null) return invalid('unreadable_body');
  const { body } = request;
  if (body !== undefined && !Buffer.isBuffer(body)) return invalid('unsupported_media_type');
  const key = readKey(keysOf(request));
  if (key.kind === 'invalid') return invalid('invalid_idempotency_key');
  const { method, headers } = request;
  const path = request.routeOptions.url ?? '/';
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
  rateWindows,
  clock,
}: {
  readonly rateWindows: RateWindows;
  readonly clock: Clock;
}): (door: MountedDoor, received: ReceivedMessage) => Promise<ServedMessage> {
  return async (door, received) => {
    const window = callerWindow(received.caller);
    const take = () => rateWindows.take(window, timeOn(clock));
    let counted: RateReading | null = null;
    for (let count = door.countOf(received.message); count > 0 && counted?.allowed !== false; count -= 1) {
      counted = await take();
    }
    if (counted && !counted.allowed) return { kind: 'limited', retryAfterSeconds: counted.retryAfterSeconds };
    const { response, lastServed } = await door.handle(received);
    if (isEventStream(response) && door.isListening(received.message)) {
      // Its head goes out before the first operation, so it says what is left to the caller as a whole.
      const rate = counted ?? (await rateWindows.peek(window, timeOn(clock)));
      const ended = async () => {
        if (!counted && lastServed() === null) await take();
      };
      return { kind: 'stream', response, rate, error: null, ended };
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
      error: last?.error ?? null,
    };
  };
}

function parsedJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString());
  } catch {
    return undefined;
  }
}
