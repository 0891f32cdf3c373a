import type { Brand } from '../catalogue/catalogue.ts';
import type { CompleteCriteria } from '../catalogue/stay-criteria.ts';
import type { SearchField } from '../contract/payload-fields.ts';
import type { Session } from '../sessions/session.ts';
import type { Correction, Refusal } from './refusal.ts';

/** `session` is the state after the request, the same object when nothing changed. */
export type Decision =
  | ({ readonly kind: 'incomplete' } & Change)
  | ({ readonly kind: 'refused'; readonly refusal: Refusal } & Change)
  /** The payload is complete: ask the operators. */
  | ({
      readonly kind: 'quote';
      readonly criteria: CompleteCriteria;
      readonly refusal: Refusal | null;
    } & Change)
  /** The stored result is the answer. */
  | ({ readonly kind: 'answered'; readonly session: Session } & Fulfilled)
  | Unsearchable;

type Change = { readonly session: Session; readonly cleared: Cleared } & Fulfilled;

/** Amenities of the request that every match has without a filter; left out when there are none. */
type Fulfilled = { readonly fulfilled?: readonly string[] };

/** Answers and filters that a request, or a change of the inventory, made impossible. */
export type Cleared = {
  readonly fields: readonly SearchField[];
  readonly amenities: readonly string[];
  /** The request names a whole stay, so filters that it does not name are cleared. */
  readonly isNewSearch?: true;
};

export const NOTHING_CLEARED: Cleared = { fields: [], amenities: [] };

/** The index knows no homes in the scope of the search, so the request cannot be judged. The session stays as it is. */
export type Unsearchable = {
  readonly kind: 'unsearchable';
  readonly session: Session;
  readonly cleared: Cleared;
  readonly reason: UnsearchableReason;
  /** The brands for which the reason holds. */
  readonly brands: readonly Brand[];
  /** The field of which another value may lead to homes on offer. */
  readonly fieldToChange: 'brand_locked' | 'destination' | null;
  /** The supplied values, to be sent again unchanged or together with another value of `fieldToChange`. */
  readonly repeat: readonly Correction[];
  /** Faults of the request that do not depend on homes. */
  readonly mistakes: Refusal | null;
};

/** `loading` and `resuming` last for a moment, after a start or a pause. `place_paused`: only the place of the search is affected. */
export type UnsearchableReason = 'unread' | 'loading' | 'paused' | 'resuming' | 'place_paused';

/** A decision about homes that the index knows. */
export type JudgedDecision = Exclude<Decision, Unsearchable>;
