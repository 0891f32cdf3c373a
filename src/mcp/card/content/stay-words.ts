import type { CardCancellation, CardStay } from './card-stay.ts';
import type { TravellerFormat } from './traveller-format.ts';

/** The line about guests, bedrooms and bathrooms. */
export function capacityInWords(stay: CardStay, { count }: TravellerFormat): string {
  const { maxGuests, bedrooms, bathrooms, capacitySummary } = stay;
  const rooms = [
    ...(bedrooms === null ? [] : [bedrooms === 0 ? 'studio' : countedNoun(bedrooms, 'bedroom', count)]),
    ...(bathrooms === null ? [] : [countedNoun(bathrooms, 'bathroom', count)]),
  ];
  const described = rooms.length === 0 && capacitySummary ? [capacitySummary] : rooms;
  return [`Sleeps ${count(maxGuests)}`, ...described].join(' · ');
}

/** A score of 0 is no bad rating: without reviews the home is not rated yet, without their count the rating is not published. */
export function ratingInWords({ rating }: CardStay, { count }: TravellerFormat): string {
  if (rating === null) return 'No rating';
  const { score, scale, review_count: reviews } = rating;
  if (score === 0) return reviews === 0 ? 'Not yet rated' : 'Rating not published';
  const shown = `${count(score)} of ${count(scale)}`;
  return reviews === null ? shown : `${shown} (${countedNoun(reviews, 'review', count)})`;
}

export function bookingInWords({ bookingMode, confirmationHours }: CardStay): string {
  if (bookingMode === 'instant') return 'Instant booking';
  return confirmationHours === null
    ? 'On request: the operator confirms'
    : `On request: the operator confirms within ${countedNoun(confirmationHours, 'hour')}`;
}

export function linkInWords({ bookingMode, brand }: CardStay): string {
  return bookingMode === 'instant' ? `Book on ${brand}` : `Request to book on ${brand}`;
}

/** Null when neither is published. */
export function arrivalInWords(
  { checkInTime, checkOutTime }: CardStay,
  { timeOfDay }: TravellerFormat,
): string | null {
  const times = [
    ...(checkInTime === null ? [] : [`Check-in from ${timeOfDay(checkInTime)}`]),
    ...(checkOutTime === null ? [] : [`check-out by ${timeOfDay(checkOutTime)}`]),
  ].join(', ');
  return times === '' ? null : `${times[0]?.toUpperCase()}${times.slice(1)}`;
}

/** A no-break space keeps number and noun on one line. */
export function countedNoun(value: number, noun: string, count: (value: number) => string = String): string {
  return `${count(value)}\u00a0${noun}${value === 1 ? '' : 's'}`;
}

/** The amount due at the property besides the total. Null when unknown. */
export function dueOnSiteInWords({ quote }: CardStay, { money }: TravellerFormat): string | null {
  return quote?.due_on_site ? `plus ${money(quote.due_on_site)} paid at the property` : null;
}

export function depositInWords({ quote }: CardStay, { money }: TravellerFormat): string | null {
  if (!quote?.deposit) return null;
  const { amount, refundable } = quote.deposit;
  return refundable
    ? `Deposit of ${money(amount)} besides the total, given back after the stay`
    : `Deposit of ${money(amount)}, not given back`;
}

export function guaranteeInWords(
  { quote }: CardStay,
  { instant }: TravellerFormat,
  now: number,
): string | null {
  if (quote === null) return null;
  const { price_guarantee, price_valid_until, retrieved_at } = quote;
  if (price_guarantee === 'at_retrieval') {
    return `Price as of ${instant(retrieved_at)}; the operator’s website confirms it`;
  }
  return Date.parse(price_valid_until) > now
    ? `The operator holds this price until ${instant(price_valid_until)}`
    : `The operator held this price until ${instant(price_valid_until)}`;
}

export type CancellationWords = {
  readonly tone: 'good' | 'strict' | 'plain';
  readonly sentence: string;
  /** True when only the operator's own words state the cost of cancelling. */
  readonly isUnknown: boolean;
};

/** States only the structured policy: the operator's prose is shown beside it and never interpreted. */
export function cancellationInWords(
  { operatorWords, free, freeUntil, freeUntilLocal, refundable }: CardCancellation,
  format: TravellerFormat,
  now: number,
): CancellationWords {
  if (free === 'never') return { tone: 'strict', sentence: 'Not refundable', isUnknown: false };
  if (free === 'over') return { tone: 'strict', sentence: 'Free cancellation is over', isUnknown: false };
  if (freeUntil !== null) {
    const until =
      freeUntilLocal === null
        ? format.instant(freeUntil, true)
        : `${format.localTime(freeUntilLocal)}, local time there`;
    return Date.parse(freeUntil) > now
      ? { tone: 'good', sentence: `Free cancellation until ${until}`, isUnknown: false }
      : { tone: 'strict', sentence: `Free cancellation ended on ${until}`, isUnknown: false };
  }
  if (refundable) return { tone: 'plain', sentence: 'Refundable on the operator’s terms', isUnknown: false };
  return operatorWords === ''
    ? { tone: 'plain', sentence: 'Cancellation terms are on the operator’s website', isUnknown: false }
    : { tone: 'plain', sentence: 'Cancellation, in the operator’s words', isUnknown: true };
}
