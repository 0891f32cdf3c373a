import type { BookingOutcome, QuotedThen } from '../../src/quotes/booking.ts';

/** How a traveller books what an assistant has shown, or what the operator makes of it. */
export const BOOKING_MANNERS = [
  'as_quoted',
  'dearer',
  'cheaper',
  'in_another_currency',
  'without_quote',
  'with_quote_of_another_brand',
  'with_unknown_quote',
  'long_before_quote',
] as const;
export type BookingManner = (typeof BOOKING_MANNERS)[number];

type Offer = { readonly nxq: string; readonly brand: string; readonly quote: QuotedThen };
type Shown = {
  readonly assistant: string;
  // biome-ignore lint/suspicious/noExplicitAny: a JSON body of unknown shape is what a client gets.
  readonly body: any;
  readonly startedAt: number;
  readonly now: number;
};

const HOUR = 3_600_000;

/** Bookings of options that were shown, with all that their answers alone say of the quotes. */
export function createPlainBookings(brands: readonly string[]) {
  const seen = new Set<string>();
  const offers: Offer[] = [];
  const bookings: BookingOutcome[] = [];

  function changesOf(manner: BookingManner, { brand, quote: { amount } }: Offer, now: number) {
    switch (manner) {
      case 'as_quoted':
        return {};
      case 'dearer':
        return { amount: amount + 1234 };
      case 'cheaper':
        return { amount: amount - 1 };
      case 'in_another_currency':
        return { currency: 'USD' };
      case 'without_quote':
        return { nxq: null };
      case 'with_quote_of_another_brand':
        return { brand: brands.find((one) => one !== brand) ?? '' };
      case 'with_unknown_quote':
        return { nxq: 'nxq_AAAAAAAAAAAAAAAAAAAAAA' };
      case 'long_before_quote':
        return { bookedAt: now - 2 * HOUR };
    }
  }

  return {
    shown({ assistant, body, startedAt, now }: Shown): void {
      for (const { property_id: property, quote } of body.results ?? []) {
        const { nxq, check_in: checkIn, check_out: checkOut, guests, currency } = quote;
        // An answer tells only the second of its prices, so those for which time went by are not booked.
        if (!seen.has(nxq) && startedAt === now) {
          const amount = Math.round(quote.amount * 100);
          const [brand, place] = [String(property).split(':')[0] ?? '', body.query.destination];
          const stay = { property, place, checkIn, checkOut, guests };
          offers.push({ nxq, brand, quote: { assistant, ...stay, amount, currency, retrievedAt: now } });
        }
        seen.add(nxq);
      }
    },
    /** Undefined while nothing was shown. */
    booked(number: number, manner: BookingManner, now: number): BookingOutcome | undefined {
      const offer = offers[number % offers.length];
      if (!offer) return undefined;
      const { nxq, brand, quote } = offer;
      const { amount, currency } = quote;
      const reference = `R-${String(bookings.length).padStart(3, '0')}`;
      const asQuoted = { brand, reference, nxq, status: 'booked' as const, bookedAt: now, amount, currency };
      const booking = { ...asQuoted, ...changesOf(manner, offer, now) };
      const isOfQuote =
        booking.nxq === nxq && booking.brand === brand && booking.bookedAt >= quote.retrievedAt - HOUR;
      const known = { ...booking, reportedAt: now, collectedAt: null, quote: isOfQuote ? quote : null };
      bookings.push(known);
      return known;
    },
    /** Undefined while nothing was booked. */
    cancelled(number: number, now: number): BookingOutcome | undefined {
      const at = number % bookings.length;
      const booking = bookings[at];
      if (!booking) return undefined;
      bookings[at] = { ...booking, status: 'cancelled', reportedAt: now };
      return bookings[at];
    },
    all: (): readonly BookingOutcome[] => bookings,
  };
}
