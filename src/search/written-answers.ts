import type { ErrorCode } from '../contract/errors.ts';
import type { SearchField } from '../contract/payload-fields.ts';
import type { AuthRequest } from '../contract/session-body.ts';
import type { PlaceId } from '../inventory/catalogue.ts';
import type { Session } from '../sessions/session.ts';
import type { Comparison } from './comparison.ts';
import type { Step } from './step.ts';

/**
 * How outcomes are written down, as JSON text. The use cases decide what is true and store the text together with it, so
 * that a repeat gets the same bytes; words and shape belong to whoever implements this.
 */
export type WrittenAnswers = {
  opened(session: Session, request: AuthRequest, token: string): string;
  /** The ordinary step. It has a next field, and that field has values. */
  step(step: Step, cleared: readonly SearchField[], about: AnswerAbout): string;
  refusal(code: ErrorCode, step: Step, details: RefusalDetails, about: AnswerAbout): string;
  result(comparison: Comparison, session: Session, token: string): string;
};

/** The addresses in an answer belong to the state of the session that it describes. */
export type AnswerAbout = { readonly session: Session; readonly token: string; readonly method: string };

export type RefusalDetails = {
  readonly field?: SearchField | undefined;
  readonly accepted?: readonly SearchField[];
  readonly cleared?: readonly SearchField[];
  readonly candidates?: readonly PlaceId[];
  readonly retryAfterSeconds?: number;
  /** The same request again is the way on, rather than another value. */
  readonly retry?: 'read' | { readonly field: SearchField; readonly value: string };
};
