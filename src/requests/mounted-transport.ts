import type { ErrorCode } from '../contract/errors.ts';
import type { Caller } from '../contract/exchange.ts';
import type { WaitingClient } from '../limits/deadline.ts';
import type { OperationAnswer } from './serve-operation.ts';

/**
 * Another door at an address of its own, for the same callers. It is given a request of the web's standard form and gives
 * back a response of that form, which may be a stream.
 */
export type MountedTransport = {
  readonly path: string;
  /** What the log and the metrics call it. */
  readonly name: 'mcp';
  handle(message: ReceivedMessage): Promise<TransportResponse>;
  /** How often the message counts for its caller; 0 where operations count what it asks for, each by its own session. */
  countOf(message: unknown): number;
  /** The tools that the message calls, each once, for the audit log; `unknown` for names that are none of ours. */
  toolsIn(message: unknown): readonly string[];
  /** Why the message was refused, by its answer or by a part of it that is streamed; null where it was not. */
  errorIn(answer: string, message: unknown): ErrorCode | null;
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

export type TransportResponse = {
  readonly response: Response;
  /** The last operation of the exchange so far; null when it needed none. */
  readonly lastServed: () => OperationAnswer | null;
};
