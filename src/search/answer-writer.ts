import type { ErrorCode } from '../contract/errors.ts';
import type { View } from '../contract/exchange.ts';
import type { SearchField } from '../contract/payload-fields.ts';
import type { AuthRequest } from '../contract/session-body.ts';
import type { PlaceId } from '../inventory/catalogue.ts';
import type { Session } from '../sessions/session.ts';
import type { Comparison } from './comparison.ts';
import type { Step } from './step.ts';

/**
 * Writes outcomes as JSON text. Use cases decide the outcome and store the text with it, so that a repeated request gets
 * the same bytes; the wording and shape are up to the implementation.
 */
export type AnswerWriter = {
  opened(session: Session, request: AuthRequest, context: OpeningContext): string;
  /** The ordinary step, which has a next field with values. The text lacks only token and revision. */
  step(step: Step, cleared: readonly SearchField[], method: string): StepText;
  refusal(code: ErrorCode, step: Step, details: RefusalDetails, context: AnswerContext): string;
  result(comparison: Comparison, session: Session, token: string): string;
};

export type OpeningContext = { readonly token: string; readonly method: string; readonly view: View };

/** Completes the text of a step for one session. */
export type StepText = (context: Pick<AnswerContext, 'token' | 'session'>) => string;

/** `session` is the state that the answer describes: the addresses in it carry that revision. */
export type AnswerContext = { readonly session: Session; readonly token: string; readonly method: string };

export type RefusalDetails = {
  readonly field?: SearchField | undefined;
  readonly accepted?: readonly SearchField[];
  readonly cleared?: readonly SearchField[];
  readonly candidates?: readonly PlaceId[];
  readonly retryAfterSeconds?: number;
  /** Set when the caller should repeat the request instead of choosing another value. */
  readonly retry?: RetryRequest;
};

export type RetryRequest =
  | { readonly kind: 'read' }
  | { readonly kind: 'supply'; readonly field: SearchField; readonly value: string };
