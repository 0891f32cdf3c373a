import { type BrandId, type Network, type Property, propertyIdOf } from '../catalogue/catalogue.ts';
import type { CatalogueReading, Rejection } from '../catalogue/rejections/rejection.ts';
import { createRejectionReport, type RejectionReport } from '../catalogue/rejections/rejection.ts';
import { inTurns } from '../limits/event-loop.ts';

const LISTINGS_A_TURN = 1000;

export type AdmittedListings = {
  readonly admitted: ReadonlyMap<string, Property>;
  /** What the connector held back, then what does not fit; the caller may add to it. */
  readonly report: RejectionReport;
};

/** Keeps the listings that fit the network; the others are held back with the reason, for the operator to read. */
export async function admitListings(
  { properties, rejections, notListed, counts }: CatalogueReading,
  brand: BrandId,
  network: Network,
): Promise<AdmittedListings> {
  const admitted = new Map<string, Property>();
  const report = createRejectionReport();
  report.add(rejections, notListed, counts);
  await inTurns(properties, LISTINGS_A_TURN, (property) => {
    const { reference } = property;
    const reason = reasonToHoldBack(property, brand, network);
    if (reason) report.add([{ reference, ...reason }]);
    else if (admitted.has(reference)) {
      const reason = 'appears more than once; the first listing counts';
      report.add([
        { reference, field: 'reference', rule: 'listed_twice', reason, value: reference, repaired: true },
      ]);
    } else admitted.set(reference, property);
  });
  return { admitted, report };
}

/** Stored listings are checked too: the network file may have changed since they were stored. */
export function reasonToHoldBack(
  {
    id,
    brand,
    reference,
    place,
    currency,
  }: Pick<Property, 'id' | 'brand' | 'reference' | 'place' | 'currency'>,
  expectedBrand: BrandId,
  network: Network,
): Omit<Rejection, 'reference'> | undefined {
  if (!network.brands.has(brand)) {
    return { field: 'brand', rule: 'other_brand', reason: 'is not in this network', value: brand };
  }
  if (brand !== expectedBrand || id !== propertyIdOf(brand, reference)) {
    return {
      field: 'reference',
      rule: 'other_brand',
      reason: 'does not belong to this brand',
      value: reference,
    };
  }
  const city = network.places.get(place);
  if (city?.kind !== 'city') {
    return { field: 'place', rule: 'unknown_place', reason: 'is not a city of this network', value: place };
  }
  if (currency !== city.currency) {
    const reason = `is ${currency}, but ${place} is compared in ${city.currency}`;
    return { field: 'currency', rule: 'other_currency', reason, value: currency };
  }
  return undefined;
}
