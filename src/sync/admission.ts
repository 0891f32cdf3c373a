import type { HomeState, LoadedHome } from '../availability/inventory-store.ts';
import {
  type BrandBudget,
  type BrandId,
  type Network,
  type Property,
  propertyIdOf,
} from '../catalogue/catalogue.ts';
import {
  type CatalogueReading,
  createRejectionReport,
  type Rejection,
  type RejectionReport,
} from '../catalogue/rejections/rejection.ts';
import { inTurns } from '../limits/event-loop.ts';
import type { BrandOffer } from './brand-offer.ts';
import type { SyncContext } from './sync-observer.ts';

const LISTINGS_A_TURN = 1000;

type AdmittedListings = {
  readonly admitted: ReadonlyMap<string, Property>;
  /** The connector's rejections, then those of this check; the caller may add to it. */
  readonly report: RejectionReport;
};

/** Admits the listings that fit the network; rejects the others with a reason that the operator can read. */
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
    const reason = rejectionReason(property, brand, network);
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
function rejectionReason(
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

const HOMES_A_TURN = 1000;

export type AdmittedHomes = {
  readonly fitting: readonly LoadedHome[];
  /** Must not be offered, whatever their state was before. */
  readonly misfits: readonly LoadedHome[];
  readonly rejections: readonly Rejection[];
};

/** Another node may have another network file, so the homes it stores pass the same checks as those loaded at a start. */
export async function admitChanges(
  homes: readonly LoadedHome[],
  offer: Pick<BrandOffer, 'listing' | 'total'>,
  network: Network,
  budget: BrandBudget,
): Promise<AdmittedHomes> {
  const fitting: LoadedHome[] = [];
  const misfits: LoadedHome[] = [];
  const rejections: Rejection[] = [];
  let total = offer.total;
  await inTurns(homes, HOMES_A_TURN, (home) => {
    const known = offer.listing(home.id);
    const totalWithIt = {
      listings: total.listings + (known ? 0 : 1),
      bytes: total.bytes + home.weight - (known?.weight ?? 0),
    };
    const reason = misfitOf(home, network) ?? beyondBudget(totalWithIt, budget);
    if (reason) {
      misfits.push(home);
      rejections.push({ reference: home.reference, ...reason });
    } else {
      fitting.push(home);
      total = totalWithIt;
    }
  });
  return { fitting, misfits, rejections };
}

/**
 * Loads the stored homes, a few at a time. Rejects those that no longer fit the network or exceed the budget of their brand. They stay in
 * the store until the brand is read, because the network file may be corrected.
 */
export async function loadStored(
  { store, network, budgetOf }: Pick<SyncContext, 'store' | 'network' | 'budgetOf'>,
  /** Whether the index has this version of the home, from a snapshot. */
  isKnown: (home: HomeState) => boolean,
  restore: (stored: LoadedHome) => void,
): Promise<{ readonly properties: number; readonly rejections: ReadonlyMap<BrandId, readonly Rejection[]> }> {
  const reports = new Map<BrandId, RejectionReport>();
  const totals = new Map<BrandId, BrandBudget>();
  let properties = 0;

  function restoreIfFitting(home: LoadedHome): void {
    const { brand, reference, weight } = home;
    const { listings, bytes } = totals.get(brand) ?? { listings: 0, bytes: 0 };
    const totalWithIt = { listings: listings + 1, bytes: bytes + weight };
    const misfit = misfitOf(home, network);
    if (!misfit) totals.set(brand, totalWithIt);
    const reason = misfit ?? beyondBudget(totalWithIt, budgetOf(brand));
    if (reason) {
      const report = reports.get(brand) ?? createRejectionReport();
      reports.set(brand, report);
      report.add([{ reference, ...reason }]);
      return;
    }
    restore(home);
    properties += 1;
  }

  await store.load(
    (few) => few.forEach(restoreIfFitting),
    (home) => network.brands.has(home.brand) && isKnown(home),
  );
  const rejections = new Map(Array.from(reports, ([brand, report]) => [brand, report.all().rejections]));
  return { properties, rejections };
}

type Reason = Omit<Rejection, 'reference'>;

/** Why a stored home does not fit the network file of this node. */
function misfitOf({ brand, reference, content }: LoadedHome, network: Network): Reason | undefined {
  // The index put this home under the same places, so it still fits them.
  return content ? rejectionReason({ ...content.home, reference }, brand, network) : undefined;
}

/** `total` is the brand's, including the home. */
function beyondBudget(total: BrandBudget, budget: BrandBudget): Reason | undefined {
  if (total.listings <= budget.listings && total.bytes <= budget.bytes) return undefined;
  const megabytes = budget.bytes / 2 ** 20;
  const reason = `is beyond the budget of its brand: budget.listings is ${budget.listings}, and budget.megabytes ${megabytes}`;
  return { field: '', rule: 'over_budget', reason };
}
