import type { UnavailableReason } from '../../quotes/booking-system.ts';
import { type Day, weekdayOf } from '../../stay/day.ts';
import { nightRates, realDay } from './night-rates.ts';
import type { Rates, TakenNights } from './rate-card.ts';

const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

export type Bookability =
  | { readonly kind: 'bookable' }
  | { readonly kind: 'unavailable'; readonly reason: UnavailableReason };

/** The rules of a rate card. The first that refuses the stay gives the reason. */
export function canBook(request: {
  readonly rates: Rates;
  readonly currency: string;
  readonly booked: readonly TakenNights[];
  readonly maxGuests: number;
  readonly leadDays: number;
  /** On the property's own calendar. */
  readonly today: Day;
  readonly checkIn: Day;
  readonly checkOut: Day;
  readonly guests: number;
}): Bookability {
  const { rates, checkIn, checkOut } = request;
  const nights = checkOut - checkIn;
  if (nights < 1 || request.guests < 1) return refused('not_offered');
  if (request.guests > request.maxGuests) return refused('too_many_guests');
  if (checkIn < request.today + request.leadDays) return refused('lead_time');
  if (request.booked.some(({ from, to }) => realDay(from) < checkOut && checkIn < realDay(to))) {
    return refused('booked');
  }
  if (falls(checkIn, rates.no_arrival_on)) return refused('closed_to_arrival');
  if (falls(checkOut, rates.no_departure_on)) return refused('closed_to_departure');
  if (nights < nightRates(rates, request.currency)(checkIn).minimumStay) return refused('minimum_stay');
  if (rates.maximum_stay !== undefined && nights > rates.maximum_stay) return refused('maximum_stay');
  return { kind: 'bookable' };
}

export function falls(day: Day, weekdays: Rates['no_arrival_on'] = []): boolean {
  return weekdays.some((weekday) => WEEKDAYS[weekdayOf(day)] === weekday);
}

function refused(reason: UnavailableReason): Bookability {
  return { kind: 'unavailable', reason };
}
