import type { ErrorCode } from '../contract/errors.ts';
import type { SearchField } from '../contract/payload-fields.ts';
import type { AuthRequest } from '../contract/session-body.ts';
import type { PlaceId } from '../inventory/catalogue.ts';
import type { Session } from '../sessions/session.ts';
import type { Comparison } from './comparison.ts';
import type { Step } from './step.ts';

/**
 * How outcomes are written as JSON text. The use cases decide what is true and store the text together with it, so that a
 * repeat gets the same bytes; words and shape belong to whoever implements this.
 */
export type AnswerWriter = {
  opened(session: Session, request: AuthRequest, token: string): string;
  /** The ordinary step: it has a next field, and that field has values. Only token and revision are left open. */
  step(step: Step, cleared: readonly SearchField[], method: string): StepText;
  refusal(code: ErrorCode, step: Step, details: RefusalDetails, context: AnswerContext): string;
  result(comparison: Comparison, session: Session, token: string): string;
};

/** Completes the text of a step for one session. */
export type StepText = (context: Pick<AnswerContext, 'token' | 'session'>) => string;

/** The addresses in an answer belong to the state of the session that it describes. */
export type AnswerContext = { readonly session: Session; readonly token: string; readonly method: string };

export type RefusalDetails = {
  readonly field?: SearchField | undefined;
  readonly accepted?: readonly SearchField[];
  readonly cleared?: readonly SearchField[];
  readonly candidates?: readonly PlaceId[];
  readonly retryAfterSeconds?: number;
  /** The same request again is the way on, rather than another value. */
  readonly retry?: RetryRequest;
};

export type RetryRequest =
  | { readonly kind: 'read' }
  | { readonly kind: 'supply'; readonly field: SearchField; readonly value: string };
