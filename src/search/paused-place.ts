import type { PlaceId, UnsearchableBrand } from '../catalogue/catalogue.ts';
import { ANY_STAY, type StayCriteria } from '../catalogue/stay-criteria.ts';
import { findPlace } from './names/find-place.ts';
import type { FieldFault, Refusal } from './refusal.ts';
import type { SearchFacts } from './search-facts.ts';
import type { SuppliedValue } from './supplied-values.ts';
import { pausedIn } from './unsearchable-scope.ts';

/** Whether nothing there is on offer at all, while a brand is paused that may have homes there. Where others have homes, the index can tell how they stand. */
export function isPausedPlace(
  { brand, place }: Pick<StayCriteria, 'brand' | 'place'>,
  unsearchable: readonly UnsearchableBrand[],
  { index, network, now }: SearchFacts,
): boolean {
  if (place === null || pausedIn({ brand, place }, unsearchable, network).length === 0) return false;
  const anyStay = { ...ANY_STAY, brand, place };
  return !index.hasMatch(anyStay, now) && index.obstacle(anyStay, now)?.code === 'no_properties';
}

/** The index knows no home there, so it takes the place for one where nothing is free: that must not be said of homes that are paused. */
export function withoutFalseReason<Refused extends { readonly refusal: Refusal | null }>(
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

/** By identifier or by name, whatever is on offer. */
export function placeMeant(raw: unknown, { network }: Pick<SearchFacts, 'network'>): PlaceId | null {
  if (typeof raw !== 'string') return null;
  const lookup = findPlace(raw, network, () => []);
  return lookup.kind === 'found' ? lookup.place : null;
}
