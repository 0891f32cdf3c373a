import type { Brand, Network, PlaceId, UnreadyBrand } from '../catalogue/catalogue.ts';
import { ANY_STAY, type StayCriteria } from '../catalogue/stay-criteria.ts';
import { findPlace, liesWithin } from './names/find-place.ts';
import type { SearchFacts } from './payload.ts';

type Scope = Pick<StayCriteria, 'brand' | 'place'>;

/** The brands whose homes a search within this scope may miss, by name. Not paused brands: their homes are not on offer. */
export function unreadIn(scope: Scope, unready: readonly UnreadyBrand[], network: Network): readonly Brand[] {
  return brandsIn(
    scope,
    unready.filter((one) => !isPaused(one)),
    network,
  );
}

/** The brands within this scope that their owner has paused, by name. */
export function pausedIn(scope: Scope, unready: readonly UnreadyBrand[], network: Network): readonly Brand[] {
  return brandsIn(scope, unready.filter(isPaused), network);
}

/** Clients see a brand as paused until all its homes are back. */
function isPaused({ availability }: UnreadyBrand): boolean {
  return availability === 'paused' || availability === 'resuming';
}

function brandsIn(
  { brand, place }: Scope,
  unready: readonly UnreadyBrand[],
  network: Network,
): readonly Brand[] {
  return unready
    .flatMap((one) => network.brands.get(one.brand) ?? [])
    .filter(({ id, singleLocation: location }) => {
      if (brand !== null && brand !== id) return false;
      // Only a brand with one location certainly has nothing elsewhere.
      if (place === null || location === null || place === location) return true;
      return liesWithin(place, location, network) || liesWithin(location, place, network);
    })
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** Whether no brand in scope was read at all, so that the index cannot judge a stay. */
export function isWhollyUnread(
  brand: Scope['brand'],
  unready: readonly UnreadyBrand[],
  network: Network,
): boolean {
  const blank = new Set(
    unready.filter(({ availability }) => availability !== 'partly_read').map((one) => one.brand),
  );
  if (brand !== null) return blank.has(brand);
  return blank.size > 0 && [...network.brands.keys()].every((id) => blank.has(id));
}

/** Whether nothing is on offer in the place while a paused brand may have homes there. If other brands have homes there, the index can judge stays. */
export function isPausedPlace(
  { brand, place }: Scope,
  { index, network, unready, now }: SearchFacts,
): boolean {
  if (place === null || pausedIn({ brand, place }, unready, network).length === 0) return false;
  const anyStay = { ...ANY_STAY, brand, place };
  return !index.hasMatch(anyStay, now) && index.obstacle(anyStay, now)?.code === 'no_properties';
}

/** The place that a text names by identifier or name, whether or not it is on offer. */
export function placeMeant(raw: unknown, { network }: Pick<SearchFacts, 'network'>): PlaceId | null {
  if (typeof raw !== 'string') return null;
  const lookup = findPlace(raw, network, () => []);
  return lookup.kind === 'found' ? lookup.place : null;
}
