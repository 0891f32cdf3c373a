import type { Brand, Network, Place, PlaceId, UnsearchableBrand } from '../catalogue/catalogue.ts';
import { ANY_STAY, type StayCriteria } from '../catalogue/stay-criteria.ts';
import { findPlace } from './names/find-place.ts';
import type { SearchFacts } from './payload.ts';
import type { FieldFault, Refusal } from './refusal.ts';
import type { SuppliedValue } from './supplied-values.ts';

type Scope = Pick<StayCriteria, 'brand' | 'place'>;

/** The brands whose homes a search within this scope may miss, by name. Not paused brands: their homes are not on offer. */
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

/** The brands within this scope that their owner has paused, by name. */
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

/** Whether no brand in scope was read at all, so that the index cannot judge a stay. */
export function isWhollyUnsearchable(
  brand: StayCriteria['brand'],
  unsearchable: readonly UnsearchableBrand[],
  network: Network,
): boolean {
  const blank = new Set(unsearchable.filter(({ isPartlyRead }) => !isPartlyRead).map((one) => one.brand));
  if (brand !== null) return blank.has(brand);
  return blank.size > 0 && [...network.brands.keys()].every((id) => blank.has(id));
}

/** Only a brand with one location certainly has nothing elsewhere. */
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

/** Whether nothing is on offer in the place while a paused brand may have homes there. If other brands have homes there, the index can judge stays. */
export function isPausedPlace(
  { brand, place }: Pick<StayCriteria, 'brand' | 'place'>,
  unsearchable: readonly UnsearchableBrand[],
  { index, network, now }: SearchFacts,
): boolean {
  if (place === null || pausedIn({ brand, place }, unsearchable, network).length === 0) return false;
  const anyStay = { ...ANY_STAY, brand, place };
  return !index.hasMatch(anyStay, now) && index.obstacle(anyStay, now)?.code === 'no_properties';
}

/** The index knows no home of a paused place and reports `nothing_free`, which is false for paused homes: replaces it with `not_on_offer`. */
export function withoutFalseNothingFree<Refused extends { readonly refusal: Refusal | null }>(
  decision: Refused,
  supplied: readonly SuppliedValue[],
  unsearchable: readonly UnsearchableBrand[],
  facts: SearchFacts,
): Refused {
  const { refusal } = decision;
  if (refusal === null || unsearchable.length === 0) return decision;
  const isFalse = ({ field, reason }: FieldFault) => {
    if (field !== 'destination' || reason?.code !== 'nothing_free') return false;
    const place = placeMeant(supplied.find((one) => one.field === field)?.raw, facts);
    return isPausedPlace({ brand: null, place }, unsearchable, facts);
  };
  if (!refusal.faults.some(isFalse)) return decision;
  const mended = (fault: FieldFault): FieldFault =>
    isFalse(fault) ? { ...fault, reason: { code: 'not_on_offer' } } : fault;
  const [first, ...others] = refusal.faults;
  return { ...decision, refusal: { ...refusal, faults: [mended(first), ...others.map(mended)] } };
}

/** The place that a text names by identifier or name, whether or not it is on offer. */
export function placeMeant(raw: unknown, { network }: Pick<SearchFacts, 'network'>): PlaceId | null {
  if (typeof raw !== 'string') return null;
  const lookup = findPlace(raw, network, () => []);
  return lookup.kind === 'found' ? lookup.place : null;
}
