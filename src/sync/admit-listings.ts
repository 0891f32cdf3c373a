import type { BrandId, Network, Property } from '../inventory/catalogue.ts';
import type { CatalogueReading, HeldBack } from '../quotes/booking-system.ts';

/** Keeps what fits the network; the rest is held back with the reason, for the operator to read. */
export function admitListings(
  { properties, heldBack }: CatalogueReading,
  brand: BrandId,
  network: Network,
): { readonly admitted: ReadonlyMap<string, Property>; readonly heldBack: readonly HeldBack[] } {
  const admitted = new Map<string, Property>();
  const turnedAway: HeldBack[] = [];
  for (const property of properties) {
    const { reference } = property;
    const misfit = misfitOf(property, brand, network);
    if (misfit) turnedAway.push({ reference, ...misfit });
    else if (admitted.has(reference)) {
      turnedAway.push({ reference, field: 'reference', reason: 'appears more than once' });
    } else admitted.set(reference, property);
  }
  return { admitted, heldBack: [...heldBack, ...turnedAway] };
}

/** Also for what was stored before the network file changed. */
export function misfitOf(
  { id, brand, reference, place }: Property,
  expected: BrandId,
  network: Network,
): Omit<HeldBack, 'reference'> | undefined {
  if (brand !== expected || id !== `${brand}:${reference}`) {
    return { field: 'reference', reason: 'does not belong to this brand' };
  }
  if (network.places.get(place)?.kind !== 'city') {
    return { field: 'place', reason: 'is not a city of this network' };
  }
  return undefined;
}
