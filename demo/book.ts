import type { UnavailableReason } from '../src/quotes/booking-system.ts';
import type { Random } from '../src/random.ts';
import { formatDay } from '../src/stay/day.ts';
import { formatAmount } from '../src/stay/money.ts';
import type { Bookings, GuestBooking } from './bookings.ts';
import type { Operator, Stay } from './operator.ts';
import type { Property } from './properties.ts';

export type BookingRequest = {
  readonly property: Property;
  readonly stay: Stay;
  readonly name: string;
  readonly email: string;
  readonly cameFrom: string | null;
  readonly quote: string | null;
  /** The total that the guest saw and agreed to; null when the form did not say. */
  readonly agreedTotal: string | null;
};

export type BookingOutcome =
  | { readonly kind: 'booked'; readonly booking: GuestBooking }
  | { readonly kind: 'unavailable'; readonly reason: UnavailableReason }
  | { readonly kind: 'price_changed' };

/** Synchronous from check to write, so that two guests never get the same night. */
export function createBook(dependencies: {
  readonly operator: Operator;
  readonly bookings: Bookings;
  readonly random: Random;
  readonly now: () => number;
}): (request: BookingRequest) => BookingOutcome {
  const { operator, bookings, random, now } = dependencies;
  return ({ property, stay, name, email, cameFrom, quote, agreedTotal }) => {
    const offer = operator.offer(property, stay);
    if (offer.kind === 'unavailable') return offer;
    const total = formatAmount(offer.total, offer.currency);
    if (agreedTotal !== null && agreedTotal !== total) return { kind: 'price_changed' };
    const booking: GuestBooking = {
      code: newCode(operator.brand.prefix, random),
      source: operator.brand.source,
      reference: property.reference,
      check_in: formatDay(stay.checkIn),
      check_out: formatDay(stay.checkOut),
      guests: stay.guests,
      name,
      email,
      total,
      currency: offer.currency,
      came_from: cameFrom,
      quote,
      booked_at: new Date(now()).toISOString(),
    };
    bookings.add(booking);
    return { kind: 'booked', booking };
  };
}

/** Without letters and digits that are easily confused. */
const CODE_LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

function newCode(prefix: string, random: Random): string {
  const letters = [...random.bytes(10)].map((byte) => CODE_LETTERS[byte % CODE_LETTERS.length]).join('');
  return `${prefix}-${letters.slice(0, 5)}-${letters.slice(5)}`;
}
