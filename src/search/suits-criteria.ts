import type { Network, PlaceId, Property } from '../inventory/catalogue.ts';
import type { CompleteCriteria } from '../inventory/stay-criteria.ts';

/**
 * Whether a listing is what was searched for. The index learns what has changed in a listing with its next calendar; until then it can
 * find a home by what its operator says of it no longer.
 */
export function suitsCriteria(
  { place, currency, maxGuests, amenities }: Property,
  criteria: CompleteCriteria,
  { places }: Network,
): boolean {
  const isThere = (id: PlaceId | null): boolean =>
    id !== null && (id === criteria.place || isThere(places.get(id)?.parent ?? null));
  return (
    maxGuests >= criteria.guests &&
    criteria.amenities.every((amenity) => Object.hasOwn(amenities ?? {}, amenity)) &&
    currency === places.get(criteria.place)?.currency &&
    isThere(place)
  );
}
