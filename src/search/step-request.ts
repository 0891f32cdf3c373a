import type { Answer, Caller, View } from '../contract/exchange.ts';
import type { WaitingClient } from '../limits/deadline.ts';
import type { Session } from '../sessions/session.ts';
import type { SessionChange } from '../sessions/session-store.ts';
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
  /** What is stored of the key; null for a request without a key or without values. */
  readonly usedKey: SessionChange['usedKey'];
  readonly supplied: readonly SuppliedValue[];
};

export type StepOutcome =
  | { readonly kind: 'answered'; readonly answer: Answer }
  | { readonly kind: 'session_expired' }
  /** The store has forgotten it since the request was received. */
  | { readonly kind: 'session_gone' }
  /** More requests of the session wait already than one client needs. */
  | { readonly kind: 'queue_full'; readonly retryAfterSeconds: number }
  /** Its assistant has as many searches under way as it may have: nobody was asked, and nothing changed. */
  | { readonly kind: 'too_many_searches'; readonly retryAfterSeconds: number }
  /** It has had as many results, or keys of the client's own, as a session can have. */
  | { readonly kind: 'session_used_up' };

/** What one attempt may also find: `taken` while the operators are asked for this very search, here or on another node. */
export type AttemptOutcome = StepOutcome | { readonly kind: 'conflict' } | { readonly kind: 'taken' };

export const SESSION_EXPIRED: StepOutcome = { kind: 'session_expired' };
export const SESSION_GONE: StepOutcome = { kind: 'session_gone' };
export const SESSION_USED_UP: StepOutcome = { kind: 'session_used_up' };

export function answered(answer: Answer): StepOutcome {
  return { kind: 'answered', answer };
}
