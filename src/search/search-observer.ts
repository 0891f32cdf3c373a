import type { CompleteCriteria } from '../catalogue/stay-criteria.ts';
import type { Session } from '../sessions/session.ts';
import type { Comparison } from './comparison.ts';
import type { Refusal } from './refusal.ts';
import type { SuppliedValue } from './supplied-values.ts';

/** Counts what sessions ask for. Called after the change is stored; its errors never fail a request. */
export type SearchObserver = {
  opened(session: Session): void;
  /** A request was carried out. Not called for repeats of a request or of the current values. */
  carriedOut(step: CarriedOut): void;
};

export type CarriedOut = {
  readonly before: Session;
  /** The same object as `before` where nothing changed. */
  readonly after: Session;
  readonly supplied: readonly SuppliedValue[];
  /** The refused part, also beside a result. */
  readonly refusal: Refusal | null;
  /** Nothing was decided, because the homes in scope are paused. */
  readonly isPaused?: boolean;
  /** Null when no operator was asked for prices. */
  readonly search: SearchEnd | null;
};

export type SearchEnd = {
  /** The criteria of the operators' search. If they have just declined it, the session is asked for another stay. */
  readonly criteria: CompleteCriteria;
  readonly milliseconds: number;
  readonly outcome:
    | { readonly kind: 'compared'; readonly comparison: Comparison }
    | { readonly kind: 'operators_silent' | 'just_refused' | 'too_many_searches' };
};
