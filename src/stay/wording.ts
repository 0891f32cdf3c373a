import { decimalsOf } from './money.ts';

/** An option of a comparison, as the interface answers with it. */
export type WordedOption = {
  readonly rank: number;
  readonly property_id: string;
  readonly name: string;
  readonly brand: string;
  readonly location: string;
  readonly capacity: WordedRooms & { readonly max_guests: number; readonly summary: string };
  readonly amenities: Readonly<Record<string, string>> | null;
  readonly rating: WordedRating;
  readonly cancellation: {
    readonly summary: string;
    readonly free_cancellation: FreeCancellation;
    readonly free_cancellation_until: string | null;
    readonly free_cancellation_until_local?: string | null;
    readonly refundable?: boolean | null;
  };
  readonly check_in_time: string | null;
  readonly check_out_time: string | null;
  readonly images: { readonly primary: WordedPicture; readonly gallery: readonly WordedPicture[] };
  readonly availability: {
    readonly booking_mode: 'instant' | 'request';
    readonly confirmation_hours?: number | null;
  };
  readonly url: string;
  readonly quote: {
    readonly amount: number;
    readonly currency: string;
    readonly nights: number;
    readonly guests: number;
    readonly check_in: string;
    readonly check_out: string;
    readonly nightly_average: number;
    readonly line_items: readonly { readonly label: string; readonly amount: number }[];
    readonly price_guarantee: 'held' | 'at_retrieval';
    readonly price_valid_until: string;
    readonly retrieved_at: string;
    readonly deposit?: WordedDeposit | null;
    readonly due_on_site?: number | null;
  };
};

type FreeCancellation = 'until' | 'over' | 'never' | 'unpublished';
type WordedRating = { score: number; scale: number; review_count: number | null };
type WordedRooms = { readonly bedrooms: number | null; readonly bathrooms: number | null };
type WordedDeposit = { amount: number; refundable: boolean };
type WordedPicture = { readonly url: string; readonly alt: string };

/** What a comparison says of one option. */
export type OptionSummary = WordedRooms & {
  readonly rank: number;
  readonly property_id: string;
  readonly name: string;
  readonly brand: string;
  readonly location: string;
  readonly total: number;
  readonly nightly_average: number;
  readonly max_guests: number;
  readonly rating: WordedRating | null;
  readonly due_on_site?: number;
  readonly deposit?: WordedDeposit;
  readonly price_guarantee: 'held' | 'at_retrieval';
  readonly free_cancellation: FreeCancellation;
  /** On the home’s clock. */
  readonly free_cancellation_until: string | null;
  readonly refundable: boolean | null;
  readonly booking_mode: 'instant' | 'request';
  readonly url: string;
};

export function summaryOf(option: WordedOption, now: number): OptionSummary {
  const { quote, capacity, cancellation } = option;
  const free = freeCancellationAt(option, now);
  return {
    rank: option.rank,
    property_id: option.property_id,
    name: option.name,
    brand: option.brand,
    location: option.location,
    total: quote.amount,
    nightly_average: quote.nightly_average,
    max_guests: capacity.max_guests,
    bedrooms: capacity.bedrooms,
    bathrooms: capacity.bathrooms,
    rating: ratingOf(option),
    ...(typeof quote.due_on_site === 'number' ? { due_on_site: quote.due_on_site } : {}),
    ...(quote.deposit ? { deposit: quote.deposit } : {}),
    price_guarantee: quote.price_guarantee,
    free_cancellation: free,
    free_cancellation_until:
      free === 'until'
        ? (cancellation.free_cancellation_until_local ?? cancellation.free_cancellation_until)
        : null,
    refundable: cancellation.refundable ?? null,
    booking_mode: option.availability.booking_mode,
    url: option.url,
  };
}

/** A free period can end while the session still shows its set. */
export function freeCancellationAt(
  { cancellation }: Pick<WordedOption, 'cancellation'>,
  now: number,
): FreeCancellation {
  const { free_cancellation, free_cancellation_until: until } = cancellation;
  return until !== null && Date.parse(until) <= now ? 'over' : free_cancellation;
}

/** A score of 0 without reviews means not rated or not published. A rating can be published without the number of reviews. */
export function ratingOf({ rating }: Pick<WordedOption, 'rating'>): WordedRating | null {
  return rating.score === 0 && !rating.review_count ? null : { ...rating };
}

/** Rating, rooms, cancellation, further payments and booking, each in a few words. */
export function summaryFacts(
  option: OptionSummary,
  currency: string,
  /** Where the operator's policy can be read. */
  policy = 'see show_stay',
): readonly string[] {
  const { max_guests, due_on_site, deposit, price_guarantee, booking_mode } = option;
  const besides = [
    ...(due_on_site ? [`${amountIn(due_on_site, currency)} due on site`] : []),
    ...(deposit
      ? [`deposit ${amountIn(deposit.amount, currency)}${deposit.refundable ? ', refundable' : ''}`]
      : []),
  ];
  return [
    ratingWords(option.rating),
    `sleeps ${max_guests}${roomsWords(option)}`,
    cancellationWords(option, policy),
    ...(besides.length > 0 ? [`besides the total: ${besides.join('; ')}`] : []),
    ...(price_guarantee === 'at_retrieval' ? ['not held'] : []),
    ...(booking_mode === 'request' ? ['on request'] : []),
  ];
}

/** Never shortens the operator's own words: a part of a policy can say the opposite of the whole. */
function cancellationWords(
  { free_cancellation, free_cancellation_until, refundable }: OptionSummary,
  policy: string,
): string {
  switch (free_cancellation) {
    case 'until':
      return `free cancellation until ${free_cancellation_until}`;
    case 'over':
      return `free cancellation is over: ${policy}`;
    case 'never':
      return 'not refundable';
    case 'unpublished':
      return refundable ? `refundable, terms unpublished: ${policy}` : `cancellation unpublished: ${policy}`;
  }
}

const MAX_PICTURES = 5;

/** One option in full: price and its parts, rooms, policy, times, pictures and the link. */
export function optionInFull(
  option: WordedOption,
  includesTaxesAndFees: boolean | undefined,
  now: number,
): readonly string[] {
  const { quote, capacity, availability, amenities } = option;
  const { deposit, due_on_site, line_items } = quote;
  const money = (amount: number) => `${amountIn(amount, quote.currency)} ${quote.currency}`;
  const pictures = [option.images.primary, ...option.images.gallery];
  const shown = pictures.slice(0, MAX_PICTURES).map(({ url, alt }) => `${url} ${quoted(alt)}`);
  const hours = availability.confirmation_hours;
  const answeredWithin = hours ? `; the operator answers within ${counted(hours, 'hour')}` : '';
  const times = [
    ...(option.check_in_time ? [`arrival from ${option.check_in_time}`] : []),
    ...(option.check_out_time ? [`departure until ${option.check_out_time}`] : []),
  ];
  return [
    `Total ${money(quote.amount)} for ${counted(quote.nights, 'night')} and ${counted(quote.guests, 'guest')}, ${quote.check_in} to ${quote.check_out}${includesTaxesAndFees ? ', with all taxes and fees' : ''}; ${money(quote.nightly_average)} a night on average.`,
    quote.price_guarantee === 'held'
      ? `The operator holds this price until ${quote.price_valid_until}.`
      : `The price was true at ${quote.retrieved_at}; the operator’s website confirms it.`,
    ...(line_items.length > 0
      ? [
          `Made up of: ${line_items.map(({ label, amount }) => `${quoted(label)} ${money(amount)}`).join('; ')}.`,
        ]
      : []),
    ...(deposit
      ? [`Deposit ${money(deposit.amount)}${deposit.refundable ? ', refundable' : ''}, besides the total.`]
      : []),
    ...(due_on_site ? [`Due at the home besides the total: ${money(due_on_site)}.`] : []),
    `Sleeps ${capacity.max_guests}${roomsWords(capacity)}; ${quoted(capacity.summary)}`,
    `Rating: ${ratingWords(ratingOf(option))}`,
    `Cancellation, in the operator’s words: ${quoted(option.cancellation.summary)}`,
    freeCancellationSentence(option, now),
    ...(amenities ? [`Amenities: ${Object.values(amenities).map(quoted).join(', ')}.`] : []),
    ...(times.length > 0 ? [`Times: ${times.join(', ')}.`] : []),
    availability.booking_mode === 'request' ? `Booked on request${answeredWithin}.` : 'Booked at once.',
    `Pictures: ${shown.join(', ')}${andMore(shown.length, pictures.length)}.`,
    `Book here: ${option.url}`,
  ];
}

function freeCancellationSentence(option: WordedOption, now: number): string {
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

/** `, 2 bedrooms, 1 bathroom`: what is published of them. */
export function roomsWords({ bedrooms, bathrooms }: WordedRooms): string {
  return [
    bedrooms === null ? '' : `, ${counted(bedrooms, 'bedroom')}`,
    bathrooms === null ? '' : `, ${counted(bathrooms, 'bathroom')}`,
  ].join('');
}

export function ratingWords(rating: WordedRating | null): string {
  if (rating === null) return 'no rating';
  const { score, scale, review_count } = rating;
  return `${score}/${scale}${review_count === null ? '' : ` (${review_count})`}`;
}

/** With all decimals of its currency, so that a price is repeated exactly. */
export function amountIn(amount: number, currency: string): string {
  return amount.toFixed(decimalsOf(currency));
}

export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** Counts the entries that a list leaves out. */
export function andMore(shown: number, all: number): string {
  return all > shown ? ` and ${all - shown} more` : '';
}

const QUOTES = /[\p{Pi}\p{Pf}"＂‚„⹂〝〞〟〃「」『』《》״ˮʺ˝˵˶″‴‶‷⁗❛-❠🙶-🙸]+|['`´ʼ՚ꞌ′]{2,}/gu;

/**
 * An operator's words on one line, between quotes that they cannot close, so that they never read as a fact of the service or as
 * another line of the answer.
 */
export function quoted(text: string): string {
  return `“${text.replace(/\s+/g, ' ').replace(QUOTES, '’')}”`;
}
