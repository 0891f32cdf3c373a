import type { BrandId, Property, PropertyId } from '../catalogue/catalogue.ts';
import { hasScore } from '../catalogue/catalogue.ts';
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

/**
 * Of ranked quotes that are listed, as many as there are places, in the same order: the first of each brand, so that no brand's homes keep
 * another brand out, then the first of all. Looks only at those that may be chosen.
 */
export function choosePlaces<Quote extends { readonly brand: BrandId }>(
  ranked: readonly Quote[],
  places: number,
  isListed: (quote: Quote) => boolean = () => true,
): readonly Quote[] {
  const ofBrands = new Map<BrandId, Quote>();
  for (const quote of ranked) {
    if (!ofBrands.has(quote.brand) && isListed(quote)) ofBrands.set(quote.brand, quote);
  }
  const chosen = new Set([...ofBrands.values()].slice(0, places));
  for (const quote of ranked) {
    if (chosen.size >= places) break;
    if (!chosen.has(quote) && isListed(quote)) chosen.add(quote);
  }
  return ranked.filter((quote) => chosen.has(quote));
}
