import { type Day, formatDay } from '../../stay/day.ts';
import type { Rates, TakenNights } from './rate-card.ts';

type Terms = { readonly rates: Rates; readonly booked: readonly TakenNights[] };

/**
 * Without the seasons and bookings that hold none of the nights: a card has them for years, and parsing their days and amounts
 * takes longer than pricing a stay. Days in order are in order as they are written, too.
 */
export function termsWithin({ rates, booked }: Terms, checkIn: Day, checkOut: Day): Terms {
  const [first, end] = [formatDay(checkIn), formatDay(checkOut)];
  const holdsANight = ({ from, to }: TakenNights) => from < end && first < to;
  return {
    rates: { ...rates, seasons: rates.seasons.filter(holdsANight) },
    booked: booked.filter(holdsANight),
  };
}
