import type { CardStay } from './card-stay.ts';
import type { TravellerFormat } from './traveller-format.ts';

/** The amount due at the property besides the total. Null when unknown. */
export function dueOnSiteInWords({ quote }: CardStay, { money }: TravellerFormat): string | null {
  return quote?.due_on_site ? `plus ${money(quote.due_on_site)} paid at the property` : null;
}

export function depositInWords({ quote }: CardStay, { money }: TravellerFormat): string | null {
  if (!quote?.deposit) return null;
  const { amount, refundable } = quote.deposit;
  return refundable
    ? `Deposit of ${money(amount)} besides the total, given back after the stay`
    : `Deposit of ${money(amount)}, not given back`;
}

export function guaranteeInWords(
  { quote }: CardStay,
  { instant }: TravellerFormat,
  now: number,
): string | null {
  if (quote === null) return null;
  const { price_guarantee, price_valid_until, retrieved_at } = quote;
  if (price_guarantee === 'at_retrieval') {
    return `Price as of ${instant(retrieved_at)}; the operator’s website confirms it`;
  }
  return Date.parse(price_valid_until) > now
    ? `The operator holds this price until ${instant(price_valid_until)}`
    : `The operator held this price until ${instant(price_valid_until)}`;
}
