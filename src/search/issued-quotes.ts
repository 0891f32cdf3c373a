import type { Session } from '../sessions/session.ts';
import type { IssuedQuote } from '../sessions/session-store.ts';
import { formatDay } from '../stay/day.ts';
import type { Comparison } from './comparison.ts';

/** The ledger entries for a new result. */
export function issuedQuotes({ criteria, options, place }: Comparison, session: Session): IssuedQuote[] {
  const { checkIn, checkOut, guests, ...others } = criteria;
  // Not part of the promise. A new criterion does not compile until it is decided whether the ledger keeps it.
  const { brand: _brand, place: _place, checkInMonth: _month, amenities: _amenities, ...forgotten } = others;
  forgotten satisfies Record<string, never>;
  const [firstDay, lastDay] = [formatDay(checkIn), formatDay(checkOut)];
  return options.map(({ nxq, property, quote, validUntil }) => ({
    nxq,
    session: session.id,
    assistant: session.assistant,
    brand: property.brand,
    property: property.id,
    checkIn: firstDay,
    checkOut: lastDay,
    guests,
    amount: quote.total,
    currency: place.currency,
    retrievedAt: quote.retrievedAt,
    validUntil,
  }));
}
