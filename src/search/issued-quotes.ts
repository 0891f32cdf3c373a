import type { Session } from '../sessions/session.ts';
import type { IssuedQuote, QuoteDetails } from '../sessions/session-store.ts';
import { formatDay } from '../stay/day.ts';
import type { ComparedOption, Comparison } from './comparison.ts';

/** The ledger entries for a new result. */
export function issuedQuotes({ criteria, options, place }: Comparison, session: Session): IssuedQuote[] {
  const { checkIn, checkOut, guests, ...others } = criteria;
  // Not part of the promise. A new criterion does not compile until it is decided whether the ledger keeps it.
  const { brand: _brand, place: _place, checkInMonth: _month, amenities: _amenities, ...forgotten } = others;
  forgotten satisfies Record<string, never>;
  const [firstDay, lastDay] = [formatDay(checkIn), formatDay(checkOut)];
  return options.map((option) => ({
    nxq: option.nxq,
    session: session.id,
    assistant: session.assistant,
    brand: option.property.brand,
    property: option.property.id,
    place: place.id,
    checkIn: firstDay,
    checkOut: lastDay,
    guests,
    amount: option.quote.total,
    currency: place.currency,
    retrievedAt: option.quote.retrievedAt,
    validUntil: option.validUntil,
    details: detailsOf(option),
  }));
}

/** Without empty members: the ledger keeps them for years. */
function detailsOf({ quote, property, guarantee }: ComparedOption): QuoteDetails {
  const { lines, deposit, dueOnSite } = quote;
  const { summary } = quote.cancellation ?? property.cancellation;
  return {
    ...(lines.length > 0 && { lines: lines.map(({ label, amount }) => ({ label, amount })) }),
    guarantee,
    ...(deposit && { deposit: { amount: deposit.amount, refundable: deposit.refundable } }),
    ...(dueOnSite !== null && { dueOnSite }),
    ...(summary !== '' && { cancellation: summary }),
  };
}
