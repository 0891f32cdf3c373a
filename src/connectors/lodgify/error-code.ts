import { looseNumber, memberOf } from '../shared/vendors/loose-values.ts';

/** What is left to say of an answer when it was read. */
export type LodgifyAnswerEnd = {
  /** The vendor's code for an error; null for what was asked for. */
  readonly errorCode: number | null;
};

export const NO_ERROR: LodgifyAnswerEnd = { errorCode: null };

/** Every call that fails is answered with an object that has a code. */
export function errorCodeOf(answer: unknown): number | null {
  return looseNumber(memberOf(answer, 'code')) ?? null;
}
