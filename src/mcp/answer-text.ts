import { isSharedAmenity } from '../catalogue/amenities.ts';
import type {
  NetworkAnswer,
  ShownStay,
  StayAnswer,
  StayComparison,
  StayQuestion,
  StayRefusal,
  ToolOption,
  ToolProblem,
} from '../contract/tools/stay-answer.ts';
import { amountIn, andMore, counted, optionInFull, quoted, summaryFacts } from '../stay/wording.ts';

/** The answer as lines, for hosts whose model reads only text. It states the same as the structured content. */
export function stayAnswerText(answer: StayAnswer): string {
  const { received, refusals = [], reminders = [], question, comparison, problem } = answer;
  const { cleared_fields = [], cleared_amenities, fulfilled_amenities } = answer;
  const cleared = cleared_fields.filter((field) => field !== 'amenities');
  return linesOf([
    problem && problemText(problem),
    ...refusals.map(refusalText),
    cleared.length > 0 && `No longer fits and was cleared: ${cleared.join(', ')}.`,
    cleared_amenities && `Filters that were taken off: ${cleared_amenities.map(amenityText).join(', ')}.`,
    fulfilled_amenities &&
      `Every match has: ${fulfilled_amenities.map(amenityText).join(', ')}. No filter was needed: send it again when the stay changes.`,
    question && questionText(question),
    ...reminders,
    received && Object.keys(received).length > 0 && `Taken so far: ${pairs(received)}.`,
    comparison && comparisonText(comparison),
    sessionLine(answer.session),
  ]);
}

/** Errors where the call may have been carried out and only its answer was lost. Repeating the call does no harm. */
const UNCERTAIN: ReadonlySet<string> = new Set(['storage_unavailable', 'service_unreachable']);

function problemText({ code, message, how_to_go_on, retry_after_seconds }: ToolProblem): string {
  const wait = retry_after_seconds === undefined ? '' : ` (retry_after_seconds: ${retry_after_seconds})`;
  const outcome = UNCERTAIN.has(code) ? 'It is not certain whether anything was done' : 'Nothing was done';
  return `${outcome}: ${message} [${code}] ${how_to_go_on}${wait}`;
}

function refusalText({ field, value, message, did_you_mean, suggestions = [] }: StayRefusal): string {
  const isSaid = did_you_mean === undefined || message.includes(did_you_mean);
  const meant = isSaid ? '' : ` Did you mean ${did_you_mean}?`;
  const what = [field ?? 'A value', value].filter(Boolean).join(' ');
  const near = field === 'amenities' ? suggestions.map(amenityText) : suggestions;
  const nearest = near.length === 0 ? '' : ` On offer, nearest first: ${near.join(', ')}.`;
  return `${what} not taken: ${message}${meant}${nearest}`;
}

function questionText({ field, asks, offered, offered_in_all, missing_fields }: StayQuestion): string {
  const values = offered.map(({ value, means }) => (means === undefined ? value : `${value} (${means})`));
  const others = missing_fields.slice(1);
  return linesOf([
    `Missing: ${field}. ${asks}`,
    values.length > 0 && `On offer: ${values.join(', ')}${andMore(offered.length, offered_in_all)}.`,
    others.length > 0 && `Then: ${others.join(', ')}.`,
    'Ask the traveller, then call search_stays with the session.',
  ]);
}

function comparisonText(set: StayComparison): string {
  const { view, options, filters, narrow_by, silent_brands, currency, lowest_total } = set;
  const shown = `${options.length} of ${counted(set.options_in_set, 'option')}${viewText(view)}`;
  const found = `${counted(set.matches, 'match', 'matches')}${filters.length > 0 ? ` with ${filters.map(amenityText).join(', ')}` : ''}`;
  return linesOf([
    `${set.destination}, ${set.check_in} to ${set.check_out} (${counted(set.nights, 'night')}), ${counted(set.guests, 'guest')}: ${shown}, out of ${found}.`,
    !set.complete && `Only ${set.priced} of them could be priced, so a cheaper one may be missing.`,
    silent_brands.length > 0 && `No usable answer from: ${silent_brands.join(', ')}.`,
    `Totals for the whole stay in ${currency}${set.totals_include_taxes_and_fees ? ', with all taxes and fees' : ''}. ${readText(set)}The set is kept until ${set.prices_valid_until}. A price that is “not held” was true when it was read and is confirmed on the operator’s website.`,
    options.length === 0 &&
      lowest_total !== null &&
      `No option of the set fits that view; its lowest total is ${amountIn(lowest_total, currency)}.`,
    ...options.map((option) => optionText(option, currency)),
    set.more_options > 0 &&
      `${set.more_options} more: refine_stays with max_options ${options.length + set.more_options} shows them.`,
    set.unpublished_cancellation !== undefined &&
      `Not shown: ${counted(set.unpublished_cancellation, 'option')} without published cancellation terms, which may be free to cancel; show_stay has the operator’s words.`,
    set.notes,
    narrow_by.length > 0 &&
      `Can be narrowed by: ${narrow_by.map(({ amenity, matches }) => `${amenityText(amenity)} (${matches})`).join(', ')}${andMore(narrow_by.length, set.narrow_by_in_all)}.`,
    set.all_results_url !== null && `All results: ${set.all_results_url}`,
  ]);
}

function optionText(option: ToolOption, currency: string): string {
  return [
    `${option.rank}. ${amountIn(option.total, currency)} ${option.brand}: ${quoted(option.name)}, ${quoted(option.location)}`,
    ...summaryFacts(option, currency),
    `id ${option.property_id}`,
    option.url,
  ].join(' · ');
}

function readText({ prices_read_at }: StayComparison): string {
  return prices_read_at === null ? '' : `Prices were read at ${prices_read_at}. `;
}

function viewText({ max_total, free_cancellation, sort }: StayComparison['view']): string {
  return [
    max_total === null ? '' : ` up to ${max_total}`,
    free_cancellation ? ' with free cancellation' : '',
    sort === 'price' ? '' : ` by ${sort}`,
  ].join('');
}

function pairs(received: object): string {
  return Object.entries(received)
    .map(
      ([field, value]) => `${field} ${Array.isArray(value) ? value.map(amenityText).join(' and ') : value}`,
    )
    .join(', ');
}

/** One option in full, as lines. */
export function shownStayText({ session, option, problem, ...set }: ShownStay, now: number): string {
  if (problem) return linesOf([problemText(problem), sessionLine(session)]);
  if (!option) return '';
  return linesOf([
    `${option.brand}: ${quoted(option.name)}, ${quoted(option.location)}, rank ${option.rank}, property_id ${option.property_id}`,
    ...optionInFull(option, set.totals_include_taxes_and_fees, now),
    sessionLine(session),
  ]);
}

export function networkText(answer: NetworkAnswer): string {
  const { session, name, about, brands = [], brands_in_all = 0, places = [], places_in_all = 0 } = answer;
  const { outcome, problem } = answer;
  if (outcome === 'problem') return problem ? problemText(problem) : '';
  return linesOf([
    `${name}. ${about}`,
    `Brands (${brands_in_all}): ${brands.map(brandText).join('; ')}${andMore(brands.length, brands_in_all)}.`,
    problem && `${problem.message} ${problem.how_to_go_on}`,
    places.length === 0
      ? !problem && 'Every home of this search is in one place: no destination is needed.'
      : `Places (${places_in_all}): ${places.map((place) => `${place.name} [${place.destination}]`).join('; ')}${andMore(places.length, places_in_all)}.`,
    sessionLine(session),
  ]);
}

function brandText({ name, source, single_location }: NonNullable<NetworkAnswer['brands']>[number]): string {
  return `${name} [source ${source}${single_location ? ', one place' : ''}]`;
}

/** The key of an amenity. Outside the shared vocabulary it is an operator's words. */
function amenityText(key: string): string {
  return isSharedAmenity(key) ? key : quoted(key);
}

/** Joins the parts that have text. */
function linesOf(parts: readonly (string | false | null | undefined)[]): string {
  return parts.filter(Boolean).join('\n');
}

function sessionLine(session: string | null): string | false {
  return session !== null && `session: ${session}`;
}
