import { FIELDS, isPayloadField, type PayloadField } from '../contract/payload-fields.ts';
import { type FieldRefusal, isForTraveller, sentenceOf } from '../contract/refusal-reasons.ts';
import type { SearchProblem, SearchStep } from '../contract/search-body.ts';
import type { OfferedValue, StayAnswer, StayQuestion, StayRefusal } from '../contract/tools/stay-answer.ts';
import { SearchStaysArguments } from '../contract/tools/stay-arguments.ts';

/** A model reads every listed value; the service accepts others too. */
const MAX_OFFERED_VALUES = 40;

/** A step, or a refusal with the current step. */
type AskingBody = (SearchStep | SearchProblem) &
  Required<Pick<SearchStep, 'missing_fields' | 'allowed_values' | 'received'>>;

/** The answer to a call with missing or refused values. */
export function questionAnswer(
  body: AskingBody,
  session: string,
  refusals: readonly StayRefusal[],
): StayAnswer {
  const question = questionIn(body);
  // An amenity that came too early is no refusal: the question for the missing values goes first.
  const isRefused = refusals.some(({ error }) => error !== 'refine_not_available');
  return {
    outcome: isRefused || question === undefined ? 'refused' : 'question',
    session,
    received: body.received,
    ...(refusals.length === 0 ? {} : { refusals: [...refusals] }),
    ...sideEffectsOf(body),
    ...(question === undefined ? {} : { question }),
  };
}

/** What the request changed besides its own values. */
export function sideEffectsOf({
  cleared_fields,
  cleared_amenities,
  fulfilled_amenities,
}: Pick<SearchStep, 'cleared_fields' | 'cleared_amenities' | 'fulfilled_amenities'>) {
  return {
    ...(cleared_fields && { cleared_fields }),
    ...(cleared_amenities && { cleared_amenities }),
    ...(fulfilled_amenities && { fulfilled_amenities }),
  };
}

/** Undefined when every field is set: then only filters are left to choose, and the set lists them. */
function questionIn(body: AskingBody): StayQuestion | undefined {
  const missing = body.missing_fields.filter(isPayloadField);
  const [field] = missing;
  if (field === undefined) return undefined;
  const values = offeredFor(field, body);
  const { meaning, hint } = FIELDS[field].description;
  return {
    field,
    asks: hint === undefined || isSaidIn(meaning, hint) ? meaning : `${meaning} ${hint}`,
    offered: values.slice(0, MAX_OFFERED_VALUES),
    offered_in_all: body.allowed_values_truncated?.[field]?.total ?? values.length,
    missing_fields: missing,
  };
}

export function offeredFor(field: string, body: AskingBody): readonly OfferedValue[] {
  const { brand_locked = [], ...others } = body.allowed_values;
  if (field === 'brand_locked') {
    return brand_locked.map(({ value, description }) => ({ value, means: description }));
  }
  const values = (others as Readonly<Record<string, readonly unknown[] | undefined>>)[field] ?? [];
  return values.map((value) => {
    const name = body.places?.[String(value)]?.name;
    return { value: String(value), ...(name === undefined ? {} : { means: name }) };
  });
}

function isSaidIn(meaning: string, hint: string): boolean {
  return meaning.toLowerCase().includes(hint.toLowerCase().replace(/\.$/, ''));
}

/** Errors of a request whose other values were accepted: a model can continue without starting over. */
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

/** All refusals of a request, in order. */
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

/** Possible names of amenities. */
const PLAIN_WORDS = /^[\p{L}\d][\p{L}\d _-]{0,39}$/u;

/** Adds the refused amenity, because a call can have several. Only plain words are repeated to a model. */
export function refusalsOfAmenity(
  refusals: readonly StayRefusal[],
  amenity: string | undefined,
): readonly StayRefusal[] {
  if (amenity === undefined || !PLAIN_WORDS.test(amenity)) return refusals;
  return refusals.map((refusal) =>
    refusal.field === 'amenities' ? { ...refusal, value: amenity } : refusal,
  );
}

/** Names that models use for arguments that only the tools have. */
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

/** Rewrites messages of the interface, which refer to addresses and parameters, for a model that has arguments instead. */
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

/** Only the traveller may choose a value that they did not name. */
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
/** For fields that some kinds of session do not have. */
const NOT_IN_THIS_SEARCH: Readonly<Partial<Record<PayloadField, string>>> = {
  brand_locked: 'It goes with source: begin a new search with the brand’s source.',
  destination:
    'The brand of this search has one place, so none is needed. Begin a search without source to look elsewhere.',
};
