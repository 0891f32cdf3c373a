import type { Brand } from '../../catalogue/catalogue.ts';
import type { View } from '../../contract/exchange.ts';
import type { Session } from '../../sessions/session.ts';
import type { RefusedHomes } from '../alternatives.ts';
import type { SilentBrand } from '../comparison.ts';
import type { Unsearchable } from '../decision.ts';
import { type Cleared, NOTHING_CLEARED } from '../decision.ts';
import type { Refusal } from '../refusal.ts';

/** The differences between callers of the same step: the answer echoes the method, and its addresses carry the view. */
export type AnswerForm = { readonly method: string; readonly view: View };

/** Effects of a request beside its accepted values. */
export type SideEffects = {
  readonly cleared: Cleared;
  /** Requested amenities that every match has without a filter; left out when there are none. */
  readonly fulfilled?: readonly string[];
  /** The refused part, when the rest completed the search. */
  readonly refusal: Refusal | null;
  /** It followed an address that an earlier step offered. */
  readonly isFromEarlierStep: boolean;
};

export const NO_SIDE_EFFECTS: SideEffects = {
  cleared: NOTHING_CLEARED,
  refusal: null,
  isFromEarlierStep: false,
};

/** `session` is the state that the answer describes: its addresses carry that revision. */
export type AnswerContext = AnswerForm & { readonly session: Session; readonly token: string };

export type RefusalDetails = {
  readonly refusal?: Refusal;
  readonly sideEffects?: SideEffects;
  readonly retryAfterSeconds?: number;
  /** Brands that gave no usable answer. */
  readonly silent?: readonly SilentBrand[];
  /** Brands in the scope of the search that could not be read, while others were. */
  readonly notRead?: readonly Brand[];
  /** Why nothing in the scope of the search can be judged. */
  readonly unsearchable?: Pick<Unsearchable, 'reason' | 'brands' | 'repeat'>;
  /** Why the operators declined the matching homes. */
  readonly refused?: RefusedHomes;
  /** Replaces the message of the code. */
  readonly message?: string | undefined;
  /** The query parameter that could not be read. */
  readonly faultyParameter?: string | null;
};
