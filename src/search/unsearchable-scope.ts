import type { Brand, Network, Place, PlaceId, UnsearchableBrand } from '../catalogue/catalogue.ts';
import type { StayCriteria } from '../catalogue/stay-criteria.ts';

type Scope = Pick<StayCriteria, 'brand' | 'place'>;

/** The brands whose homes a search within this scope may miss. By name. Those of a paused brand are not missed: they are not on offer. */
export function unsearchableIn(
  scope: Scope,
  unsearchable: readonly UnsearchableBrand[],
  network: Network,
): readonly Brand[] {
  return brandsIn(
    scope,
    unsearchable.filter(({ isPaused = false }) => !isPaused),
    network,
  );
}

/** The brands within this scope that their owner has paused. By name. */
export function pausedIn(
  scope: Scope,
  unsearchable: readonly UnsearchableBrand[],
  network: Network,
): readonly Brand[] {
  return brandsIn(
    scope,
    unsearchable.filter(({ isPaused = false }) => isPaused),
    network,
  );
}

function brandsIn(
  scope: Scope,
  unsearchable: readonly UnsearchableBrand[],
  network: Network,
): readonly Brand[] {
  return unsearchable
    .flatMap(({ brand }) => network.brands.get(brand) ?? [])
    .filter(({ id, singleLocation }) => {
      const isAsked = scope.brand === null || scope.brand === id;
      return isAsked && mayLieIn(scope.place, singleLocation, network.places);
    })
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** Whether nothing at all is known of the brands in scope, so that the index can say nothing about a stay. */
export function isWhollyUnsearchable(
  brand: StayCriteria['brand'],
  unsearchable: readonly UnsearchableBrand[],
  network: Network,
): boolean {
  const blank = new Set(unsearchable.filter(({ isPartlyRead }) => !isPartlyRead).map((one) => one.brand));
  if (brand !== null) return blank.has(brand);
  return blank.size > 0 && [...network.brands.keys()].every((id) => blank.has(id));
}

/** Only a brand with one location is known to have nothing elsewhere. */
function mayLieIn(
  place: PlaceId | null,
  location: PlaceId | null,
  places: ReadonlyMap<PlaceId, Place>,
): boolean {
  if (place === null || location === null) return true;
  return isWithin(place, location, places) || isWithin(location, place, places);
}

function isWithin(inner: PlaceId, outer: PlaceId, places: ReadonlyMap<PlaceId, Place>): boolean {
  for (let id: PlaceId | null = inner; id !== null; id = places.get(id)?.parent ?? null) {
    if (id === outer) return true;
  }
  return false;
}
