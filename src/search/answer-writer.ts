import type { Brand } from '../catalogue/catalogue.ts';
import type { ErrorCode } from '../contract/errors.ts';
import type { View } from '../contract/exchange.ts';
import type { AuthRequest } from '../contract/session-body.ts';
import type { Session } from '../sessions/session.ts';
import type { RefusedHomes } from './alternatives.ts';
import type { Comparison, SilentBrand } from './comparison.ts';
import { type Cleared, NOTHING_CLEARED } from './decide-step.ts';
import type { Refusal } from './refusal.ts';
import type { Step } from './step.ts';
import type { Unsearchable } from './unsearchable.ts';

/**
 * Writes outcomes as JSON text. Use cases decide the outcome and store the text of a result, so that every reading gets
 * the same bytes; the wording and shape are up to the implementation.
 */
export type AnswerWriter = {
  opened(session: Session, request: AuthRequest, context: OpeningContext): string;
  /** The ordinary step, which has a next field with values. The text is complete except for token and revision. */
  step(step: Step, sideEffects: SideEffects, form: AnswerForm): StepText;
  refusal(code: ErrorCode, step: Step, details: RefusalDetails, context: AnswerContext): string;
  /** In the full view, which is stored. */
  result(comparison: Comparison, session: Session, token: string, sideEffects: SideEffects): string;
  /** A stored result, in either view, as the answer to a request that changed nothing. */
  withSideEffects(result: string, sideEffects: SideEffects): string;
  /** The compact view of a result in the full view. */
  compactResult(result: string): string;
};

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

export type OpeningContext = { readonly token: string; readonly method: string; readonly view: View };

/** Completes the text of a step for one session. */
export type StepText = (context: Pick<AnswerContext, 'token' | 'session'>) => string;

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
