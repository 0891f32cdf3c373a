import type { WaitingClient } from '../limits/deadline.ts';
import type { Reading } from '../parsing/reading.ts';
import type { ErrorCode, RequestFault } from './errors.ts';
import type { OperationName } from './operations.ts';
import type { Problem } from './problem-body.ts';
import type { ResultBody } from './result-body.ts';
import type { SearchProblem, SearchStep } from './search-body.ts';
import type { SessionBody } from './session-body.ts';

/** A call of one operation by an approved caller, as plain data that is the same for every transport. */
export type OperationRequest = {
  /** Shown in the log and to the caller. */
  readonly id: string;
  readonly operation: OperationName;
  readonly caller: Caller;
  readonly client: WaitingClient;
  /** The session token as sent, not yet checked. */
  readonly token: string | undefined;
  readonly key: string | null;
  /** Every version of the interface that the call pins. */
  readonly versions: readonly string[];
  readonly values: Reading<RequestValues, RequestFault>;
  /** Whether all amenities of the request are applied, instead of one. */
  readonly amenitiesAtOnce: boolean;
  /** Echoed in the answer. */
  readonly method: string;
  readonly view: View;
  /** A parameter that the operation does not have. Search refuses it like any unknown field. */
  readonly unknownParameter: string | null;
  /** The parameter that makes the values unreadable. */
  readonly faultyParameter: string | null;
};

/** How much an answer shows. The compact view leaves out all pictures but the first, and long lists of addresses. */
export type View = 'full' | 'compact';

export type Caller = { readonly assistant: string; readonly address: string };

/** A map, so that a member named `__proto__` has no special meaning. */
export type RequestValues = ReadonlyMap<string, unknown>;

/** A body of the interface, as data that each transport writes in its own way. */
export type Body = SessionBody | SearchStep | SearchProblem | Problem | ResultBody;

/** A body that is text already, to be sent unchanged: a stored result, a document, or a step that many sessions are at. */
export type WrittenBody = {
  readonly text: string | Uint8Array;
  /** For transports that do not send the text. */
  readonly read: () => Body;
};

/** The body, and what the transport may have to express in headers. */
export type Answer = {
  readonly body: Body | WrittenBody;
  /** Null when the request succeeded. */
  readonly error: ErrorCode | null;
  readonly replayed: boolean;
  readonly retryAfterSeconds: number | null;
  /** Version tag of a document that changes only with a restart; null for all other answers. */
  readonly tag: string | null;
  /** Whether a result answers the current state of the search; null where that does not apply. */
  readonly current: boolean | null;
};

export function answerWith(
  body: Answer['body'],
  {
    error = null,
    replayed = false,
    retryAfterSeconds = null,
    tag = null,
    current = null,
  }: Partial<Omit<Answer, 'body'>> = {},
): Answer {
  return { body, error, replayed, retryAfterSeconds, tag, current };
}

/** A body as data. */
export function bodyOf({ body }: Pick<Answer, 'body'>): Body {
  return 'read' in body ? body.read() : body;
}

/** A body as JSON. */
export function textOf({ body }: Pick<Answer, 'body'>): string | Uint8Array {
  return 'read' in body ? body.text : JSON.stringify(body);
}
