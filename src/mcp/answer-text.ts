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

/** The answer as lines, for hosts whose model reads only text. It says the same as the structured content. */
export function stayAnswerText(answer: StayAnswer): string {
  const {
    session,
    received,
    refusals = [],
    cleared_fields,
    cleared_amenities,
    question,
    comparison,
  } = answer;
  return lines([
    answer.problem && problemText(answer.problem),
    ...refusals.map(refusalText),
    cleared_fields && `No longer fits and was cleared: ${cleared_fields.join(', ')}.`,
    cleared_amenities &&
      `No match has these any more, so they were taken off: ${cleared_amenities.join(', ')}.`,
    question && questionText(question),
    received && Object.keys(received).length > 0 && `Taken so far: ${pairs(received)}.`,
    comparison && comparisonText(comparison),
    session !== null && `session: ${session}`,
  ]);
}

export function shownStayText({
  session,
  option,
  problem,
  totals_include_taxes_and_fees,
}: ShownStay): string {
  if (problem) return lines([problemText(problem), session !== null && `session: ${session}`]);
  if (!option) return '';
  const { quote, capacity, rating, cancellation, availability, images } = option;
  const money = (amount: number) => `${amount.toFixed(2)} ${quote.currency}`;
  return lines([
    `${option.name}, ${option.location} (${option.brand}), rank ${option.rank}, property_id ${option.property_id}`,
    `Total ${money(quote.amount)} for ${quote.nights} nights and ${quote.guests} guests, ${quote.check_in} to ${quote.check_out}${totals_include_taxes_and_fees ? ', with all taxes and fees' : ''}; ${money(quote.nightly_average)} a night on average.`,
    quote.line_items.length > 0 &&
      `Made up of: ${quote.line_items.map(({ label, amount }) => `${label} ${money(amount)}`).join('; ')}.`,
    quote.deposit &&
      `Deposit ${money(quote.deposit.amount)}${quote.deposit.refundable ? ', refundable' : ''}, besides the total.`,
    quote.due_on_site != null && `Due at the home besides the total: ${money(quote.due_on_site)}.`,
    `${capacity.summary} Sleeps ${capacity.max_guests}${roomsText(capacity)}.`,
    rating.review_count
      ? `Rated ${rating.score} of ${rating.scale} by ${rating.review_count} guests.`
      : 'No published rating.',
    `Cancellation, in the operator’s words: ${cancellation.summary}`,
    cancellation.free_cancellation_until_local &&
      `Free cancellation until ${cancellation.free_cancellation_until_local} (local time).`,
    option.amenities && `Amenities: ${Object.values(option.amenities).join(', ')}.`,
    timesText(option.check_in_time, option.check_out_time),
    availability.booking_mode === 'request'
      ? `Booked on request${availability.confirmation_hours ? `; the operator answers within ${availability.confirmation_hours} hours` : ''}.`
      : 'Booked at once.',
    `Picture: ${images.primary.url} (${images.primary.alt}); ${images.gallery.length} more.`,
    `Book here: ${option.url}`,
    session !== null && `session: ${session}`,
  ]);
}

export function networkText(answer: NetworkAnswer): string {
  const { session, name, about, brands = [], brands_in_all = 0, places = [], places_in_all = 0 } = answer;
  if (answer.problem) return problemText(answer.problem);
  return lines([
    `${name}. ${about}`,
    `Brands (${brands_in_all}): ${brands.map((brand) => `${brand.name} [source ${brand.source}]`).join('; ')}${more(brands.length, brands_in_all)}.`,
    places.length > 0 &&
      `Places (${places_in_all}): ${places.map((place) => `${place.name} [${place.destination}]`).join('; ')}${more(places.length, places_in_all)}.`,
    session !== null && `session: ${session}`,
  ]);
}

function problemText({ code, message, how_to_go_on, retry_after_seconds }: ToolProblem): string {
  const wait = retry_after_seconds === undefined ? '' : ` (retry_after_seconds: ${retry_after_seconds})`;
  return `Nothing was done: ${message} [${code}] ${how_to_go_on}${wait}`;
}

function refusalText({ field, value, message, did_you_mean, suggestions = [] }: StayRefusal): string {
  const isSaid = did_you_mean === undefined || message.includes(did_you_mean);
  const meant = isSaid ? '' : ` Did you mean ${did_you_mean}?`;
  const what = [field ?? 'A value', value].filter(Boolean).join(' ');
  const nearest = suggestions.length === 0 ? '' : ` On offer, nearest first: ${suggestions.join(', ')}.`;
  return `${what} not taken: ${message}${meant}${nearest}`;
}

function questionText({ field, asks, offered, offered_in_all, missing_fields }: StayQuestion): string {
  const values = offered.map(({ value, means }) => (means === undefined ? value : `${value} (${means})`));
  const others = missing_fields.slice(1);
  return lines([
    `Missing: ${field}. ${asks}`,
    values.length > 0 && `On offer: ${values.join(', ')}${more(offered.length, offered_in_all)}.`,
    others.length > 0 && `Then: ${others.join(', ')}.`,
    'Ask the traveller, then call search_stays with the session.',
  ]);
}

function comparisonText(set: StayComparison): string {
  const { view, options, filters, narrow_by, silent_brands } = set;
  return lines([
    `${set.destination}, ${set.check_in} to ${set.check_out} (${set.nights} nights), ${set.guests} guests: ${options.length} of ${set.options_in_set} options${viewText(view)}, out of ${set.matches} matches${filters.length > 0 ? ` with ${filters.join(', ')}` : ''}.`,
    `Totals for the whole stay in ${set.currency}${set.totals_include_taxes_and_fees ? ', with all taxes and fees' : ''}, until ${set.prices_valid_until}.`,
    options.length === 0 && set.options_in_set > 0 && 'No option of the set fits that view.',
    ...options.map(optionText),
    set.notes,
    silent_brands.length > 0 && `No usable answer from: ${silent_brands.join(', ')}.`,
    narrow_by.length > 0 &&
      `Can be narrowed by: ${narrow_by.map(({ amenity, matches }) => `${amenity} (${matches})`).join(', ')}.`,
    set.all_results_url !== null && `All results: ${set.all_results_url}`,
  ]);
}

function optionText(option: ToolOption): string {
  const { rating } = option;
  return [
    `${option.rank}. ${option.total.toFixed(2)} ${option.name}, ${option.location} (${option.brand})`,
    rating === null ? 'no rating' : `${rating.score}/${rating.scale} (${rating.review_count})`,
    `sleeps ${option.max_guests}${roomsText(option)}`,
    option.free_cancellation_until !== null
      ? `free cancellation until ${option.free_cancellation_until}`
      : option.refundable === false && 'not refundable',
    option.booking_mode === 'request' && 'on request',
    `id ${option.property_id}`,
    option.url,
  ]
    .filter(Boolean)
    .join(' · ');
}

function roomsText({ bedrooms, bathrooms }: Pick<ToolOption, 'bedrooms' | 'bathrooms'>): string {
  return [
    bedrooms === null ? '' : `, ${bedrooms} ${bedrooms === 1 ? 'bedroom' : 'bedrooms'}`,
    bathrooms === null ? '' : `, ${bathrooms} ${bathrooms === 1 ? 'bathroom' : 'bathrooms'}`,
  ].join('');
}

function timesText(checkIn: string | null, checkOut: string | null): string | false {
  const times = [checkIn && `arrival from ${checkIn}`, checkOut && `departure until ${checkOut}`].filter(
    Boolean,
  );
  return times.length > 0 && `Times: ${times.join(', ')}.`;
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
    .map(([field, value]) => `${field} ${Array.isArray(value) ? value.join(' and ') : value}`)
    .join(', ');
}

function more(shown: number, all: number): string {
  return all > shown ? ` and ${all - shown} more` : '';
}

function lines(parts: readonly (string | false | null | undefined)[]): string {
  return parts.filter(Boolean).join('\n');
}
