import { type FieldRefusal, sentenceOf } from '../contract/refusal-reasons.ts';
import { isRepeatableName } from '../contract/repeatable-name.ts';
import type { SearchProblem } from '../contract/search-body.ts';
import type { StayRefusal } from '../contract/tools/stay-answer.ts';

/** Errors of a request whose other values were taken: a model can go on from them without starting over. */
const REFUSALS: readonly string[] = [
  'invalid_value',
  'unknown_field',
  'prerequisite_missing',
  'refine_not_available',
];

const SEND_AMENITIES_AGAIN =
  'Amenities narrow a complete stay: send them again with the answers that are missing.';

/** What a message of the interface says of its addresses, each a sentence of its own. */
const OF_ADDRESSES = / (?:next_request supplies|Following next_request|\S+ belongs in the address)\b[^.]*\./g;

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

/** Which amenity it was: a call can have several. Only a plain word is repeated to a model. */
export function refusalsOfAmenity(
  refusals: readonly StayRefusal[],
  amenity: string | undefined,
): readonly StayRefusal[] {
  return refusals.map((refusal) =>
    refusal.field === 'amenities' && amenity !== undefined && isRepeatableName(amenity)
      ? { ...refusal, value: amenity }
      : refusal,
  );
}

/** Messages of the interface may point to addresses; the sentence of a reason says the same without them. */
export function refusalFrom(refusal: FieldRefusal): StayRefusal {
  const { field = null, reason, error, message } = refusal;
  if (error === 'refine_not_available') return { ...refusal, message: SEND_AMENITIES_AGAIN };
  return reason === undefined
    ? { ...refusal, message: message.replace(OF_ADDRESSES, '') }
    : { ...refusal, message: sentenceOf(reason, field) };
}
