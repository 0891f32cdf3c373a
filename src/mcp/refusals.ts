import { type FieldRefusal, sentenceOf } from '../contract/refusal-reasons.ts';
import type { SearchProblem } from '../contract/search-body.ts';
import type { StayRefusal } from '../contract/tools/stay-answer.ts';

/** Errors of a request whose other values were taken: a model can go on from them without starting over. */
const REFUSALS: readonly string[] = [
  'invalid_value',
  'unknown_field',
  'prerequisite_missing',
  'refine_not_available',
];

export function isRefusal(body: object): body is SearchProblem {
  return 'error' in body && REFUSALS.includes(String(body.error));
}

/** Everything that a request had refused, the first one first. */
export function refusalsIn(body: SearchProblem): readonly StayRefusal[] {
  const { invalid_field, error, message, reason, did_you_mean, suggestions, other_refusals = [] } = body;
  const first: FieldRefusal = {
    error,
    message,
    ...(invalid_field === undefined ? {} : { field: invalid_field }),
    ...(reason === undefined ? {} : { reason }),
    ...(did_you_mean === undefined ? {} : { did_you_mean }),
    ...(suggestions === undefined ? {} : { suggestions }),
  };
  return [first, ...other_refusals].map(refusalFrom);
}

/** Messages of the interface may point to addresses; the sentence of a reason says the same without them. */
export function refusalFrom(refusal: FieldRefusal): StayRefusal {
  const { field = null, reason } = refusal;
  return reason === undefined ? refusal : { ...refusal, message: sentenceOf(reason, field) };
}
