import { type BrandId, type Network, type Property, propertyIdOf } from '../inventory/catalogue.ts';
import type { CatalogueReading, HeldBack } from '../quotes/booking-system.ts';

/** Keeps the listings that fit the network; the others are held back with the reason, for the operator to read. */
export function admitListings(
  { properties, heldBack }: CatalogueReading,
  brand: BrandId,
  network: Network,
): { readonly admitted: ReadonlyMap<string, Property>; readonly heldBack: readonly HeldBack[] } {
  const admitted = new Map<string, Property>();
  const misfits: HeldBack[] = [];
  for (const property of properties) {
    const { reference } = property;
    const reason = reasonToHoldBack(property, brand, network);
    if (reason) misfits.push({ reference, ...reason });
    else if (admitted.has(reference)) {
      misfits.push({ reference, field: 'reference', reason: 'appears more than once' });
    } else admitted.set(reference, property);
  }
  return { admitted, heldBack: [...heldBack, ...misfits] };
}

/** Stored listings are checked too: the network file may have changed since they were stored. */
export function reasonToHoldBack(
  { id, brand, reference, place, currency }: Property,
  expectedBrand: BrandId,
  network: Network,
): Omit<HeldBack, 'reference'> | undefined {
  if (!network.brands.has(brand)) return { field: 'brand', reason: 'is not in this network' };
  if (brand !== expectedBrand || id !== propertyIdOf(brand, reference)) {
    return { field: 'reference', reason: 'does not belong to this brand' };
  }
  const city = network.places.get(place);
  if (city?.kind !== 'city') return { field: 'place', reason: 'is not a city of this network' };
  if (currency !== city.currency) {
    return { field: 'currency', reason: `is ${currency}, but ${place} is compared in ${city.currency}` };
  }
  return undefined;
}
