import type { UnavailableReason } from '../../quotes/booking-system.ts';
import { type Day, WEEKDAY_CODES, weekdayOf } from '../../stay/day.ts';
import { nightRates, realDay } from './night-rates.ts';
import type { Rates, TakenNights } from './rate-card.ts';

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
  const reason = refusedBeforeItsNights(request);
  if (reason) return refused(reason);
  if (request.booked.some(({ from, to }) => realDay(from) < checkOut && checkIn < realDay(to))) {
    return refused('booked');
  }
  if (falls(checkIn, rates.no_arrival_on)) return refused('closed_to_arrival');
  if (falls(checkOut, rates.no_departure_on)) return refused('closed_to_departure');
  if (nights < nightRates(rates, request.currency)(checkIn).minimumStay) return refused('minimum_stay');
  if (rates.maximum_stay !== undefined && nights > rates.maximum_stay) return refused('maximum_stay');
  return { kind: 'bookable' };
}

/** What refuses a stay whatever its nights are like. */
export function refusedBeforeItsNights(request: {
  readonly maxGuests: number;
  readonly leadDays: number;
  readonly today: Day;
  readonly checkIn: Day;
  readonly checkOut: Day;
  readonly guests: number;
}): UnavailableReason | undefined {
  const { checkIn, checkOut, guests } = request;
  if (checkOut <= checkIn || guests < 1) return 'not_offered';
  if (guests > request.maxGuests) return 'too_many_guests';
  return checkIn < request.today + request.leadDays ? 'lead_time' : undefined;
}

export function falls(day: Day, weekdays: Rates['no_arrival_on'] = []): boolean {
  return weekdays.some((weekday) => WEEKDAY_CODES[weekdayOf(day)] === weekday);
}

function refused(reason: UnavailableReason): Bookability {
  return { kind: 'unavailable', reason };
}
