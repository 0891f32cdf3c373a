import type { UnavailableReason } from '../../src/quotes/booking-system.ts';
import { type Day, formatDay } from '../../src/stay/day.ts';
import { type MinorUnits, toDecimal } from '../../src/stay/money.ts';

export function moneyInWords(amount: MinorUnits, currency: string): string {
  return new Intl.NumberFormat('en-GB', { style: 'currency', currency }).format(toDecimal(amount, currency));
}

const dayFormat = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});

export function dayInWords(day: Day): string {
  return dayFormat.format(new Date(`${formatDay(day)}T00:00:00Z`));
}

export const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

export const REASONS_IN_WORDS: Readonly<Record<UnavailableReason, string>> = {
  booked: 'Somebody else has booked some of these nights.',
  minimum_stay: 'This home is let for longer stays on these dates.',
  maximum_stay: 'This home is not let for as long as that.',
  closed_to_arrival: 'We cannot welcome guests on that day of the week here.',
  closed_to_departure: 'Guests cannot leave on that day of the week here.',
  lead_time: 'That is too soon for us to get the home ready.',
  too_many_guests: 'That is more people than this home sleeps.',
  unknown_property: 'We do not know this home.',
  not_offered: 'We do not take bookings for these dates yet.',
};
