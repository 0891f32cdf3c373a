import type { Session } from '../sessions/session.ts';
import type { IssuedQuote } from '../sessions/session-store.ts';
import { formatDay } from '../stay/day.ts';
import type { Comparison } from './comparison.ts';

/** The ledger entries for a new result. */
export function issuedQuotes({ criteria, options, place }: Comparison, session: Session): IssuedQuote[] {
  return options.map(({ nxq, property, quote, validUntil }) => ({
    nxq,
    session: session.id,
    assistant: session.assistant,
    brand: property.brand,
    property: property.id,
    checkIn: formatDay(criteria.checkIn),
    checkOut: formatDay(criteria.checkOut),
    guests: criteria.guests,
    amount: quote.total,
    currency: place.currency,
    retrievedAt: quote.retrievedAt,
    validUntil,
  }));
}
