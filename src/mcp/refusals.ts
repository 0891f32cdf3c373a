import { FIELDS, isPayloadField, type PayloadField } from '../contract/payload-fields.ts';
import { type FieldRefusal, isForTraveller, sentenceOf } from '../contract/refusal-reasons.ts';
import type { SearchProblem } from '../contract/search-body.ts';
import type { StayRefusal } from '../contract/tools/stay-answer.ts';
import { SearchStaysArguments } from '../contract/tools/stay-arguments.ts';

/** Errors of a request whose other values were taken: a model can go on from them without starting over. */
const REFUSALS: readonly string[] = [
  'invalid_value',
  'unknown_field',
  'prerequisite_missing',
  'refine_not_available',
];

const SEND_AMENITIES_AGAIN =
  'Amenities narrow a complete stay: send them again with the answers that are missing.';

export function isRefusal(body: object): body is SearchProblem {
  return 'error' in body && REFUSALS.includes(String(body.error));
}

/** Everything that a request had refused, the first one first. */
export function refusalsOfBody(body: SearchProblem): readonly FieldRefusal[] {
  const { invalid_field, error, message, reason, position, did_you_mean, suggestions } = body;
  const first: FieldRefusal = {
    error,
    message,
    ...(invalid_field === undefined ? {} : { field: invalid_field }),
    ...(reason === undefined ? {} : { reason }),
    ...(position === undefined ? {} : { position }),
    ...(did_you_mean === undefined ? {} : { did_you_mean }),
    ...(suggestions === undefined ? {} : { suggestions }),
  };
  return [first, ...(body.other_refusals ?? [])].map(refusalFrom);
}

/** What could be the name of an amenity. */
const PLAIN_WORDS = /^[\p{L}\d][\p{L}\d _-]{0,39}$/u;

/** Which amenity it was: a call can have several. Only plain words are repeated to a model. */
export function refusalsOfAmenity(
  refusals: readonly StayRefusal[],
  amenity: string | undefined,
): readonly StayRefusal[] {
  if (amenity === undefined || !PLAIN_WORDS.test(amenity)) return refusals;
  return refusals.map((refusal) =>
    refusal.field === 'amenities' ? { ...refusal, value: amenity } : refusal,
  );
}

/** Names that models use for what only the tools have. */
const MEANT: ReadonlyMap<string, string> = new Map([
  ['budget', 'max_total'],
  ['limit', 'max_options'],
  ['max_results', 'max_options'],
  ['max_price', 'max_total'],
  ['price_max', 'max_total'],
  ['order', 'sort'],
  ['order_by', 'sort'],
  ['sort_by', 'sort'],
  ['nights', 'check_out'],
  ['pets', 'amenities'],
]);

/** Messages of the interface point to its addresses and its parameters: said for a model that has arguments instead. */
export function refusalFrom(refusal: FieldRefusal): FieldRefusal {
  const { field, reason, error } = refusal;
  if (reason !== undefined) {
    return { ...refusal, message: [sentenceOf(reason, field ?? null), ...askFirst(refusal)].join(' ') };
  }
  switch (error) {
    case 'refine_not_available':
      return { ...refusal, message: SEND_AMENITIES_AGAIN };
    case 'prerequisite_missing':
      return { ...refusal, message: `It goes with ${prerequisiteOf(field)}: send both, in one call.` };
    case 'unknown_field':
      return unknownArgument(refusal);
    default:
      return refusal;
  }
}

/** A value that the traveller did not name is theirs to choose. */
function askFirst({ field, reason, suggestions = [] }: FieldRefusal): readonly string[] {
  if (field === 'amenities' || reason === undefined) return [];
  if (suggestions.length > 0) return ['Ask the traveller before you take a value that they did not name.'];
  return isForTraveller(reason) ? ['Ask the traveller what to take instead.'] : [];
}

function prerequisiteOf(field: string | undefined): string {
  return (field !== undefined && isPayloadField(field) && FIELDS[field].dependsOn) || 'another argument';
}

function unknownArgument(refusal: FieldRefusal): FieldRefusal {
  const { field = '' } = refusal;
  if (isPayloadField(field)) return { ...refusal, message: NOT_IN_THIS_SEARCH[field] ?? NO_SUCH_ARGUMENT };
  const meant = MEANT.get(field) ?? refusal.did_you_mean;
  return {
    ...refusal,
    message: meant === undefined ? NO_SUCH_ARGUMENT : `There is no such argument. Did you mean ${meant}?`,
    ...(meant === undefined ? {} : { did_you_mean: meant }),
  };
}

const NO_SUCH_ARGUMENT = `There is no such argument. There are: ${Object.keys(SearchStaysArguments.properties).join(', ')}.`;
/** Fields that a kind of session does not have. */
const NOT_IN_THIS_SEARCH: Readonly<Partial<Record<PayloadField, string>>> = {
  brand_locked: 'It goes with source: begin a new search with the brand’s source.',
  destination:
    'The brand of this search has one place, so none is needed. Begin a search without source to look elsewhere.',
};
