import type { CompleteCriteria } from '../catalogue/stay-criteria.ts';
import type { Session } from '../sessions/session.ts';
import type { Comparison } from './comparison.ts';
import type { Refusal } from './refusal.ts';
import type { SuppliedValue } from './supplied-values.ts';

/** For whoever counts what sessions ask for. Told after what it is told of was stored; what it does never fails a request. */
export type SearchObserver = {
  opened(session: Session): void;
  /** A request was carried out. One that repeats another, or what stands already, is not told. */
  carriedOut(step: CarriedOut): void;
};

export type CarriedOut = {
  readonly before: Session;
  /** The same object as `before` where nothing changed. */
  readonly after: Session;
  readonly supplied: readonly SuppliedValue[];
  /** What was refused of it, also beside a result. */
  readonly refusal: Refusal | null;
  /** Nothing was decided, because the homes that the search is about are paused. */
  readonly isPaused?: boolean;
  /** Null where nobody was asked for prices. */
  readonly search: SearchEnd | null;
};

export type SearchEnd = {
  /** What operators were asked for; where they have just refused it, the session is asked for another. */
  readonly criteria: CompleteCriteria;
  readonly milliseconds: number;
  readonly outcome:
    | { readonly kind: 'compared'; readonly comparison: Comparison }
    | { readonly kind: 'operators_silent' | 'just_refused' | 'too_many_searches' };
};

export const NOBODY_COUNTS: SearchObserver = { opened() {}, carriedOut() {} };
