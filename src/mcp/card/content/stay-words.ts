import type { CardStay } from './card-stay.ts';
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

export function isRated({ rating }: CardStay): boolean {
  return rating !== null && rating.score > 0;
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
