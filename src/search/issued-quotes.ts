import type { Option } from '../contract/option.ts';
import type { ResultBody } from '../contract/result-body.ts';
import type { Session } from '../sessions/session.ts';
import type { IssuedQuote, QuoteDetails } from '../sessions/session-store.ts';
import { formatDay } from '../stay/day.ts';
import type { ComparedOption, Comparison } from './comparison.ts';

/** No text of an operator matches: JSON escapes its quotation marks. */
const TERMS_WERE_CUT = /"truncated_fields":\[[^\]]*"(?:quote\.line_items|cancellation\.summary)"/;

/** The ledger entries for a new result, with the terms that its text shows. */
export function issuedQuotes(
  { criteria, options, place }: Comparison,
  session: Session,
  result: string,
): IssuedQuote[] {
  const { checkIn, checkOut, guests, ...others } = criteria;
  // Not part of the promise. A new criterion does not compile until it is decided whether the ledger keeps it.
  const { brand: _brand, place: _place, checkInMonth: _month, amenities: _amenities, ...forgotten } = others;
  forgotten satisfies Record<string, never>;
  // To look for plain text first is much quicker.
  const wereCut = result.includes('"truncated_fields":') && TERMS_WERE_CUT.test(result);
  const shown: ResultBody['results'] = wereCut ? JSON.parse(result).results : [];
  const [firstDay, lastDay] = [formatDay(checkIn), formatDay(checkOut)];
  return options.map((option, position) => ({
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
    details: detailsOf(option, shown[position]),
  }));
}

/** Without empty members: the ledger stores them for years. */
function detailsOf({ quote, property, guarantee }: ComparedOption, shown: Option | undefined): QuoteDetails {
  const { lines, deposit, dueOnSite } = quote;
  const { summary } = shown?.cancellation ?? quote.cancellation ?? property.cancellation;
  const hasLines = lines.length > 0 && shown?.quote.line_items.length !== 0;
  return {
    ...(hasLines && { lines: lines.map(({ label, amount }) => ({ label, amount })) }),
    guarantee,
    ...(deposit && { deposit: { amount: deposit.amount, refundable: deposit.refundable } }),
    ...(dueOnSite !== null && { dueOnSite }),
    ...(summary !== '' && { cancellation: summary }),
  };
}
