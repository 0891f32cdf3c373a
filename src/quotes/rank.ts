import type { Property, PropertyId } from '../inventory/catalogue.ts';
import { hasScore } from '../inventory/rating.ts';
import type { MinorUnits } from '../stay/money.ts';

/** A share of the scale is at least 0. */
const NO_SCORE = -1;

/**
 * Lowest total first; equal totals by rating, best first, then by property id, so that the order can be reproduced. A home without a score comes
 * after those with one, whatever theirs is: if it did not, a bad score would be better kept secret.
 */
export function rankQuotes<Quote extends { readonly property: PropertyId; readonly total: MinorUnits }>(
  quoted: readonly Quote[],
  ratingOf: (property: PropertyId) => Property['rating'] | undefined,
): readonly Quote[] {
  const share = (property: PropertyId) => {
    const rating = ratingOf(property);
    return rating && rating.scale > 0 && hasScore(rating) ? rating.score / rating.scale : NO_SCORE;
  };
  return quoted
    .map((quote) => ({ quote, share: share(quote.property) }))
    .sort(
      (a, b) =>
        a.quote.total - b.quote.total || b.share - a.share || (a.quote.property < b.quote.property ? -1 : 1),
    )
    .map(({ quote }) => quote);
}
