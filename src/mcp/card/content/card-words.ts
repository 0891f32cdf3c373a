import type { Option } from '../../../contract/option.ts';
import type { SearchField } from '../../../contract/payload-fields.ts';
import type { StayQuestion, StayRefusal } from '../../../contract/tools/stay-answer.ts';
import { ratingOf, ratingWords, roomsWords } from '../../../stay/wording.ts';
import type { ComparisonPayload, ComparisonView } from './card-content.ts';
import type { TravellerFormat } from './traveller-format.ts';

export function placeInWords({ query }: ComparisonPayload, view: ComparisonView | null): string {
  return view?.place_name ?? placeName(query.destination);
}

/** Identifiers are words with hyphens, such as `lisbon-pt`; the last can be a country code. */
function placeName(identifier: string): string {
  const words = identifier.split('-');
  const country = words.length > 1 && words.at(-1)?.length === 2 ? words.pop() : undefined;
  const name = words.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join(' ');
  return country === undefined ? name : `${name}, ${country.toUpperCase()}`;
}

export function stayInWords({ query }: ComparisonPayload, { stay, count }: TravellerFormat): string {
  const { check_in, check_out, nights, guests } = query;
  return [
    stay(check_in, check_out),
    countedNoun(nights, 'night', count),
    countedNoun(guests, 'guest', count),
  ].join(' · ');
}

/** The labels of the active filters; the key where no option has a label for it. */
export function filtersInWords({ applied_filters, results }: ComparisonPayload): readonly string[] {
  return applied_filters.amenities.map(
    (key) => results.map(({ amenities }) => amenities?.[key]).find((label) => label !== undefined) ?? key,
  );
}

/** Facts about the whole set that a traveller needs before comparing. */
export function factsInWords(
  payload: ComparisonPayload,
  format: TravellerFormat,
  now: number,
): readonly string[] {
  const { comparison_set: set } = payload;
  return [
    selectionInWords(set.selection, format),
    ...silentBrandsInWords(set.coverage),
    ...(payload.results.length === 0 ? [] : [taxesInWords(set), ...validityInWords(payload, format, now)]),
  ];
}

function selectionInWords(
  { matches, priced, shown, complete }: ComparisonPayload['comparison_set']['selection'],
  { count }: TravellerFormat,
): string {
  const homes = countedNoun(matches, 'matching home', count);
  if (priced === 0) return matches === 0 ? 'No home matches.' : `None of ${homes} could be priced.`;
  const which =
    shown === matches
      ? `${homes}, ${matches === 1 ? 'priced' : 'all priced'} live.`
      : `${count(shown)} of ${homes}.`;
  return complete ? which : `${which} ${count(priced)} could be priced; one that was not may cost less.`;
}

function silentBrandsInWords(coverage: ComparisonPayload['comparison_set']['coverage']): readonly string[] {
  const silent = coverage.filter(({ failed }) => failed > 0).map(({ brand }) => brand);
  if (silent.length === 0) return [];
  return [`No usable answer for some homes of ${silent.join(', ')}; they may still be free.`];
}

function taxesInWords(set: ComparisonPayload['comparison_set']): string {
  return set.totals_include_taxes_and_fees
    ? 'Totals include all taxes and fees.'
    : 'Not every operator states that its totals include all taxes and fees.';
}

function validityInWords(
  { results, comparison_set }: ComparisonPayload,
  { instant }: TravellerFormat,
  now: number,
): readonly string[] {
  const quotes = results.map(({ quote }) => quote);
  const retrieved = earliest(quotes.map(({ retrieved_at }) => retrieved_at));
  if (Date.parse(comparison_set.quotes_valid_until) <= now) {
    return [
      `Prices were checked on ${instant(retrieved)} and may have changed. Search again for current ones.`,
    ];
  }
  if (quotes.every(({ price_guarantee }) => price_guarantee === 'held')) {
    const until = earliest(quotes.map(({ price_valid_until }) => price_valid_until));
    return [`Prices are held until ${instant(until)}.`];
  }
  const isSomeHeld = quotes.some(({ price_guarantee }) => price_guarantee === 'held');
  const rest = isSomeHeld
    ? 'some are held longer, as their details say'
    : 'the operator’s website confirms them';
  return [`Prices as of ${instant(retrieved)}; ${rest}.`];
}

/** Timestamps of one form sort as text. */
function earliest(timestamps: readonly string[]): string {
  return timestamps.toSorted()[0] ?? '';
}

/** The traveller's conditions, where only a part of the set is shown. */
export function askedInWords(
  { max_total, free_cancellation }: ComparisonView,
  { money }: TravellerFormat,
): string {
  return [
    ...(max_total === null ? [] : [`up to ${money(max_total)} in total`]),
    ...(free_cancellation ? ['free cancellation'] : []),
  ].join(', ');
}

/** Words for the traveller, in place of those for the model. */
const FIELDS = {
  brand_locked: { title: 'Brands', asks: 'Only this brand, or others too?' },
  destination: { title: 'Where to', asks: 'Where to?' },
  check_in_month: { title: 'Month of arrival', asks: 'In which month do you arrive?' },
  check_in_day: { title: 'Arrival', asks: 'On which day do you arrive?' },
  check_out: { title: 'Departure', asks: 'On which day do you leave?' },
  guests: { title: 'Guests', asks: 'How many people stay, children included?' },
  amenities: { title: 'Amenities', asks: 'What must it have?' },
} as const satisfies Record<SearchField, { readonly title: string; readonly asks: string }>;

const FIELD_NAMES = new RegExp(Object.keys(FIELDS).join('|'), 'g');
/** Reasons whose sentence is about the syntax of a request. */
const UNREADABLE: readonly string[] = ['not_a_date', 'wrong_type'];
/** The assistant names further choices in the conversation. */
const MAX_CHOICES = 12;

/** One refusal or question in words, with its choices. */
export type CardAsk = { readonly words: string; readonly choices: readonly string[]; readonly more: number };

/** Leaves out faults of the call itself, which the model corrects in its next call. */
export function refusalsInWords(
  refusals: readonly StayRefusal[],
  question: StayQuestion | undefined,
  format: TravellerFormat,
): readonly CardAsk[] {
  return refusals.flatMap(({ field, reason, message, suggestions = [] }) => {
    if (!isField(field) || reason === undefined) return [];
    const words = UNREADABLE.includes(reason.code) ? 'It could not be read.' : reasonInWords(message);
    const names = new Map(question?.offered.map(({ value, means }) => [value, means]));
    const choices = suggestions.map((value) => choiceInWords(field, value, names.get(value), format));
    return [{ words: `${FIELDS[field].title}: ${words}`, choices, more: 0 }];
  });
}

export function questionInWords(question: StayQuestion, format: TravellerFormat): CardAsk | null {
  const { field, offered, offered_in_all } = question;
  if (!isField(field)) return null;
  const shown = offered.slice(0, MAX_CHOICES);
  return {
    words: FIELDS[field].asks,
    choices: shown.map(({ value, means }) => choiceInWords(field, value, means, format)),
    more: offered_in_all - shown.length,
  };
}

/** Leaves out sentences about the traveller, which are for the model. */
function reasonInWords(message: string): string {
  return message
    .split(/(?<=\.) /)
    .filter((sentence) => !/traveller/i.test(sentence))
    .join(' ')
    .replace('; choose one of candidates', '')
    .replace(FIELD_NAMES, (name) => (isField(name) ? FIELDS[name].title.toLowerCase() : name));
}

function choiceInWords(
  field: SearchField,
  value: string | boolean,
  means: string | undefined,
  { day, month }: TravellerFormat,
): string {
  const text = String(value);
  switch (field) {
    case 'brand_locked':
      return text === 'true' ? 'Only this brand' : 'Other brands too';
    case 'destination':
      return means ?? placeName(text);
    case 'check_in_month':
      return month(text);
    case 'check_in_day':
    case 'check_out':
      return day(text);
    default:
      return text.replaceAll('_', ' ');
  }
}

function isField(name: string | undefined): name is SearchField {
  return name !== undefined && Object.hasOwn(FIELDS, name);
}

/** A no-break space keeps number and noun on one line. */
export function countedNoun(value: number, noun: string, count: (value: number) => string = String): string {
  return `${count(value)}\u00a0${noun}${value === 1 ? '' : 's'}`;
}

export function capacityInWords({ capacity }: Option): string {
  const rooms = roomsWords(capacity);
  return `Sleeps ${capacity.max_guests}${rooms === '' ? ` · ${capacity.summary}` : rooms}`;
}

export function ratingInWords(option: Option): string {
  return ratingWords(ratingOf(option));
}

export function bookingInWords({
  availability: { booking_mode, confirmation_hours: hours },
}: Option): string {
  if (booking_mode === 'instant') return 'Instant booking';
  return `On request: the operator confirms${hours ? ` within ${countedNoun(hours, 'hour')}` : ''}`;
}

/** What is paid besides the total, and for how long the price holds. */
export function priceNotesInWords(
  { quote }: Option,
  { money, instant }: TravellerFormat,
  now: number,
): readonly string[] {
  const { deposit, due_on_site, price_guarantee, price_valid_until, retrieved_at } = quote;
  const isOver = Date.parse(price_valid_until) <= now;
  return [
    ...(deposit
      ? [
          deposit.refundable
            ? `Deposit of ${money(deposit.amount)} besides the total, given back after the stay.`
            : `Deposit of ${money(deposit.amount)}, not given back.`,
        ]
      : []),
    ...(due_on_site ? [`Plus ${money(due_on_site)} paid at the property.`] : []),
    price_guarantee === 'held'
      ? `The operator ${isOver ? 'held' : 'holds'} this price until ${instant(price_valid_until)}.`
      : `Price as of ${instant(retrieved_at)}; the operator’s website confirms it.`,
  ];
}

type CancellationWords = {
  readonly tone: 'good' | 'strict' | 'plain';
  readonly sentence: string;
  /** True when only the operator's own words state the cost of cancelling. */
  readonly isUnknown: boolean;
};

/** States only the structured policy: the operator's prose is shown beside it and never interpreted. */
export function cancellationInWords(
  { cancellation }: Option,
  format: TravellerFormat,
  now: number,
): CancellationWords {
  const { free_cancellation: free, free_cancellation_until: until, refundable } = cancellation;
  const known = (tone: CancellationWords['tone'], sentence: string) => ({ tone, sentence, isUnknown: false });
  if (free === 'never') return known('strict', 'Not refundable');
  if (free === 'over') return known('strict', 'Free cancellation is over');
  if (until !== null) {
    const local = cancellation.free_cancellation_until_local;
    const end = local ? `${format.localTime(local)}, local time there` : format.instant(until, true);
    return Date.parse(until) > now
      ? known('good', `Free cancellation until ${end}`)
      : known('strict', `Free cancellation ended on ${end}`);
  }
  if (refundable) return known('plain', 'Refundable on the operator’s terms');
  return cancellation.summary === ''
    ? known('plain', 'Cancellation terms are on the operator’s website')
    : { tone: 'plain', sentence: 'Cancellation, in the operator’s words', isUnknown: true };
}
