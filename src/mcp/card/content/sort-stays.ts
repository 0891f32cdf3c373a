import type { StaySort } from '../../../contract/tools/stay-arguments.ts';
import type { CardStay } from './card-stay.ts';
import { isRated } from './stay-words.ts';

export type StayOrder = { readonly by: StaySort; readonly direction: 'ascending' | 'descending' };

/** The usual direction of each order: cheapest, best rated or largest first. */
export const NATURAL_ORDERS: Readonly<Record<StaySort, StayOrder>> = {
  price: { by: 'price', direction: 'ascending' },
  rating: { by: 'rating', direction: 'descending' },
  capacity: { by: 'capacity', direction: 'descending' },
};

const VALUES: Readonly<Record<StaySort, (stay: CardStay) => number>> = {
  price: ({ total }) => total,
  // Operators rate on different scales.
  rating: ({ rating }) => (rating === null ? 0 : rating.score / rating.scale),
  capacity: ({ maxGuests }) => maxGuests,
};

/** Ties keep the order of the set, and stays without a rating come last in both directions. */
export function sortStays(stays: readonly CardStay[], { by, direction }: StayOrder): readonly CardStay[] {
  const sortValue = VALUES[by];
  const sign = direction === 'ascending' ? 1 : -1;
  const missing = (stay: CardStay) => Number(by === 'rating' && !isRated(stay));
  return stays.toSorted(
    (one, other) =>
      missing(one) - missing(other) || sign * (sortValue(one) - sortValue(other)) || one.rank - other.rank,
  );
}

export function reversed({ by, direction }: StayOrder): StayOrder {
  return { by, direction: direction === 'ascending' ? 'descending' : 'ascending' };
}

export const ORDER_NAMES: Readonly<Record<`${StaySort}-${StayOrder['direction']}`, string>> = {
  'price-ascending': 'Lowest total',
  'price-descending': 'Highest total',
  'rating-descending': 'Best rated',
  'rating-ascending': 'Lowest rated',
  'capacity-descending': 'Most guests',
  'capacity-ascending': 'Fewest guests',
};
