import type { Property, PropertyId } from '../inventory/catalogue.ts';
import type { MinorUnits } from '../stay/money.ts';

/** Lowest total first; equal totals by rating, best first, then by property id, so that the order can be reproduced. */
export function rankQuotes<Quote extends { readonly property: PropertyId; readonly total: MinorUnits }>(
  quoted: readonly Quote[],
  ratingOf: (property: PropertyId) => Pick<Property['rating'], 'score' | 'scale'> | undefined,
): readonly Quote[] {
  const share = (property: PropertyId) => {
    const rating = ratingOf(property);
    return rating && rating.scale > 0 ? rating.score / rating.scale : 0;
  };
  return quoted.toSorted(
    (a, b) =>
      a.total - b.total || share(b.property) - share(a.property) || (a.property < b.property ? -1 : 1),
  );
}
