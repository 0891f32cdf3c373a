import { isSharedAmenity } from '../catalogue/amenities.ts';
import type { Option } from '../contract/option.ts';
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
import { decimalsOf } from '../stay/money.ts';
import { freeCancellationAt, ratingOf } from './comparison-answer.ts';

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
  const shown = `${options.length} of ${countText(set.options_in_set, 'option')}${viewText(view)}`;
  const found = `${countText(set.matches, 'match', 'matches')}${filters.length > 0 ? ` with ${filters.map(amenityText).join(', ')}` : ''}`;
  return linesOf([
    `${set.destination}, ${set.check_in} to ${set.check_out} (${countText(set.nights, 'night')}), ${countText(set.guests, 'guest')}: ${shown}, out of ${found}.`,
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
      `Not shown: ${countText(set.unpublished_cancellation, 'option')} without published cancellation terms, which may be free to cancel; show_stay has the operator’s words.`,
    set.notes,
    narrow_by.length > 0 &&
      `Can be narrowed by: ${narrow_by.map(({ amenity, matches }) => `${amenityText(amenity)} (${matches})`).join(', ')}${andMore(narrow_by.length, set.narrow_by_in_all)}.`,
    set.all_results_url !== null && `All results: ${set.all_results_url}`,
  ]);
}

function optionText(option: ToolOption, currency: string): string {
  return [
    `${option.rank}. ${amountIn(option.total, currency)} ${option.brand}: ${quoted(option.name)}, ${quoted(option.location)}`,
    ratingWords(option.rating),
    `sleeps ${option.max_guests}${roomsText(option)}`,
    cancellationText(option),
    paidBesidesText(option, currency),
    option.price_guarantee === 'at_retrieval' && 'not held',
    option.booking_mode === 'request' && 'on request',
    `id ${option.property_id}`,
    option.url,
  ]
    .filter(Boolean)
    .join(' · ');
}

function paidBesidesText({ due_on_site, deposit }: ToolOption, currency: string): string {
  const parts = [
    due_on_site ? `${amountIn(due_on_site, currency)} due on site` : '',
    deposit ? `deposit ${amountIn(deposit.amount, currency)}${deposit.refundable ? ', refundable' : ''}` : '',
  ].filter(Boolean);
  return parts.length === 0 ? '' : `besides the total: ${parts.join('; ')}`;
}

/** Never shortens the operator's own words: a part of a policy can say the opposite of the whole. */
function cancellationText({ free_cancellation, free_cancellation_until, refundable }: ToolOption): string {
  switch (free_cancellation) {
    case 'until':
      return `free cancellation until ${free_cancellation_until}`;
    case 'over':
      return 'free cancellation is over: see show_stay';
    case 'never':
      return 'not refundable';
    case 'unpublished':
      return refundable
        ? 'refundable, terms unpublished: see show_stay'
        : 'cancellation unpublished: see show_stay';
  }
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

/** The structured content has all of them. */
const MAX_PICTURES = 5;

/** One option in full, as lines. */
export function shownStayText({ session, option, problem, ...set }: ShownStay, now: number): string {
  if (problem) return linesOf([problemText(problem), sessionLine(session)]);
  if (!option) return '';
  const { quote, capacity, availability } = option;
  const money = (amount: number) => `${amountIn(amount, quote.currency)} ${quote.currency}`;
  return linesOf([
    `${option.brand}: ${quoted(option.name)}, ${quoted(option.location)}, rank ${option.rank}, property_id ${option.property_id}`,
    `Total ${money(quote.amount)} for ${countText(quote.nights, 'night')} and ${countText(quote.guests, 'guest')}, ${quote.check_in} to ${quote.check_out}${set.totals_include_taxes_and_fees ? ', with all taxes and fees' : ''}; ${money(quote.nightly_average)} a night on average.`,
    quote.price_guarantee === 'held'
      ? `The operator holds this price until ${quote.price_valid_until}.`
      : `The price was true at ${quote.retrieved_at}; the operator’s website confirms it.`,
    quote.line_items.length > 0 &&
      `Made up of: ${quote.line_items.map(({ label, amount }) => `${quoted(label)} ${money(amount)}`).join('; ')}.`,
    quote.deposit &&
      `Deposit ${money(quote.deposit.amount)}${quote.deposit.refundable ? ', refundable' : ''}, besides the total.`,
    quote.due_on_site ? `Due at the home besides the total: ${money(quote.due_on_site)}.` : null,
    `Sleeps ${capacity.max_guests}${roomsText(capacity)}; ${quoted(capacity.summary)}`,
    `Rating: ${ratingWords(ratingOf(option))}`,
    `Cancellation, in the operator’s words: ${quoted(option.cancellation.summary)}`,
    freeCancellationText(option, now),
    option.amenities && `Amenities: ${Object.values(option.amenities).map(quoted).join(', ')}.`,
    timesText(option),
    availability.booking_mode === 'request'
      ? `Booked on request${availability.confirmation_hours ? `; the operator answers within ${countText(availability.confirmation_hours, 'hour')}` : ''}.`
      : 'Booked at once.',
    picturesText(option),
    `Book here: ${option.url}`,
    sessionLine(session),
  ]);
}

function freeCancellationText(option: Option, now: number): string {
  const { free_cancellation_until, free_cancellation_until_local } = option.cancellation;
  switch (freeCancellationAt(option, now)) {
    case 'until':
      return `Free cancellation until ${free_cancellation_until_local ?? free_cancellation_until}.`;
    case 'over':
      return 'The time of free cancellation is over.';
    case 'never':
      return 'Not refundable.';
    case 'unpublished':
      return 'Whether and until when cancelling is free is not published.';
  }
}

function timesText({ check_in_time, check_out_time }: Option): string | false {
  const times = [
    check_in_time && `arrival from ${check_in_time}`,
    check_out_time && `departure until ${check_out_time}`,
  ].filter(Boolean);
  return times.length > 0 && `Times: ${times.join(', ')}.`;
}

function picturesText({ images }: Option): string {
  const all = [images.primary, ...images.gallery];
  const shown = all.slice(0, MAX_PICTURES).map(({ url, alt }) => `${url} ${quoted(alt)}`);
  return `Pictures: ${shown.join(', ')}${andMore(shown.length, all.length)}.`;
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

export function countText(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

const QUOTES = /[\p{Pi}\p{Pf}"＂‚„⹂〝〞〟〃「」『』《》״ˮʺ˝˵˶″‴‶‷⁗❛-❠🙶-🙸]+|['`´ʼ՚ꞌ′]{2,}/gu;

/**
 * An operator's words on one line, between quotes that they cannot close, so that they never read as a fact of the service or as
 * another line of the answer.
 */
export function quoted(text: string): string {
  return `“${text.replace(/\s+/g, ' ').replace(QUOTES, '’')}”`;
}

/** The key of an amenity. Outside the shared vocabulary it is an operator's words. */
function amenityText(key: string): string {
  return isSharedAmenity(key) ? key : quoted(key);
}

/** Counts the entries that a list leaves out. */
function andMore(shown: number, all: number): string {
  return all > shown ? ` and ${all - shown} more` : '';
}

/** Joins the parts that have text. */
function linesOf(parts: readonly (string | false | null | undefined)[]): string {
  return parts.filter(Boolean).join('\n');
}

function sessionLine(session: string | null): string | false {
  return session !== null && `session: ${session}`;
}

function roomsText({ bedrooms, bathrooms }: Pick<ToolOption, 'bedrooms' | 'bathrooms'>): string {
  return [
    bedrooms === null ? '' : `, ${countText(bedrooms, 'bedroom')}`,
    bathrooms === null ? '' : `, ${countText(bathrooms, 'bathroom')}`,
  ].join('');
}

function ratingWords(rating: ToolOption['rating']): string {
  if (rating === null) return 'no rating';
  const { score, scale, review_count } = rating;
  return `${score}/${scale}${review_count === null ? '' : ` (${review_count})`}`;
}

/** With all decimals of its currency, so that a price is repeated exactly. */
export function amountIn(amount: number, currency: string): string {
  return amount.toFixed(decimalsOf(currency));
}
