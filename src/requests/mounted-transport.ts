import type { ErrorCode } from '../contract/errors.ts';
import type { Caller } from '../contract/exchange.ts';
import type { WaitingClient } from '../limits/deadline.ts';
import type { OperationAnswer } from './serve-operation.ts';

/**
 * Another transport at an address of its own, for the same callers. It takes a web-standard request and returns a web-standard
 * response, which may be a stream.
 */
export type MountedTransport = {
  readonly path: string;
  /** Its name in the log and the metrics. */
  readonly name: 'mcp';
  handle(message: ReceivedMessage): Promise<TransportResponse>;
  /** How many requests the message counts as; 0 where its operations count themselves, each by its own session. */
  countOf(message: unknown): number;
  /** The tools that the message calls, each once, for the audit log; `unknown` for names that are none of ours. */
  toolsIn(message: unknown): readonly string[];
  /** Whether the client wants events before the answer. Otherwise a stream is sent whole, and compressed. */
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
  /** Why the message was refused, by what was answered so far; null where it was not. */
  readonly error: () => ErrorCode | null;
};
