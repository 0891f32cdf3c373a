import type { Answer, Caller, View } from '../contract/exchange.ts';
import type { WaitingClient } from '../limits/deadline.ts';
import type { IssuedQuote } from '../sessions/quote-ledger.ts';
import type { Session } from '../sessions/session.ts';
import type { SessionChange } from '../sessions/session-store.ts';
import type { CarriedOut } from './search-observer.ts';
import type { SuppliedValue } from './supplied-values.ts';

/** A search request with the session as last read. */
export type StepRequest = {
  readonly session: Session;
  readonly caller: Caller;
  readonly client: WaitingClient;
  readonly token: string;
  readonly method: string;
  readonly view: View;
  readonly key: string | null;
  /** The revision of the session that offered the followed address; undefined without a key, or with one of the client's own. */
  readonly offeredAt: number | undefined;
  /** The stored form of the key; null for a request without a key or without values. */
  readonly usedKey: SessionChange['usedKey'];
  readonly supplied: readonly SuppliedValue[];
};

export type StepOutcome =
  | { readonly kind: 'answered'; readonly answer: Answer }
  | { readonly kind: 'session_expired' }
  /** The session was deleted since the request was received. */
  | { readonly kind: 'session_gone' }
  /** The session's queue of waiting requests is full. */
  | { readonly kind: 'queue_full'; readonly retryAfterSeconds: number }
  /** The assistant has reached its limit of searches under way: no operator was asked, and nothing changed. */
  | { readonly kind: 'too_many_searches'; readonly retryAfterSeconds: number }
  /** The session has reached its limit of results, or of client keys. */
  | { readonly kind: 'session_used_up' };

/** The end of a request that was carried out. */
export type StepEnd = {
  readonly outcome: StepOutcome;
  /** To be stored before the outcome is returned. */
  readonly change?: StepChange | undefined;
  /** To be reported once the change is stored. */
  readonly carriedOut?: CarriedOut | undefined;
};

export type StepChange = {
  readonly session: Session;
  readonly isNewState: boolean;
  /** False where a retry under the same key must be able to succeed. */
  readonly storesKey: boolean;
  readonly result?: SessionChange['result'];
  readonly quotes?: readonly IssuedQuote[];
};

export const SESSION_EXPIRED: StepOutcome = { kind: 'session_expired' };
export const SESSION_GONE: StepOutcome = { kind: 'session_gone' };
export const SESSION_USED_UP: StepOutcome = { kind: 'session_used_up' };
