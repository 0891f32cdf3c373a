import type { Property } from '../catalogue/catalogue.ts';
import type { IndexedHome } from './availability-index.ts';

/** A copy of what the index needs, so that it keeps no texts alive. */
export function indexedHome({
  id,
  brand,
  place,
  maxGuests,
  leadDays,
  amenities,
  currency,
}: Property): IndexedHome {
  return { id, brand, place, maxGuests, leadDays, amenities, currency };
}
