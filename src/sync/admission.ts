import type { HomeState, InventoryStore, LoadedHome } from '../availability/inventory-store.ts';
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
import type { Clock } from '../clock.ts';
import { inTurns } from '../limits/event-loop.ts';
import type { BrandOffer } from './brand-offer.ts';
import type { SyncObserver } from './sync-observer.ts';

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
  {
    offer,
    network,
    budget,
  }: {
    readonly offer: Pick<BrandOffer, 'listing' | 'total'>;
    readonly network: Network;
    readonly budget: BrandBudget;
  },
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

/** Loading a million homes takes a while; the log shows that it progresses. */
const PROGRESS_EVERY_MS = 5000;

type LoadedBrand = {
  readonly report: RejectionReport;
  readonly budget: BrandBudget;
  listings: number;
  bytes: number;
};

/**
 * Loads the stored homes, a few at a time. Rejects those that no longer fit the network or exceed the budget of their brand. They stay in
 * the store until the brand is read, because the network file may be corrected.
 */
export async function loadStored({
  store,
  network,
  budgetOf,
  isKnown,
  restore,
  clock,
  observe,
}: {
  readonly store: Pick<InventoryStore, 'load'>;
  readonly network: Network;
  readonly budgetOf: (brand: BrandId) => BrandBudget;
  /** Whether the index has this version of the home, from a snapshot. */
  readonly isKnown: (home: HomeState) => boolean;
  readonly restore: (stored: LoadedHome) => void;
  readonly clock: Pick<Clock, 'elapsed'>;
  readonly observe: Pick<SyncObserver, 'loading' | 'loaded' | 'storedRejections'>;
}): Promise<void> {
  const loaded = new Map<BrandId, LoadedBrand>();
  const startedAt = clock.elapsed();
  let reportedAt = startedAt;
  let properties = 0;

  function brandOf(id: BrandId): LoadedBrand {
    let brand = loaded.get(id);
    if (!brand) {
      brand = { report: createRejectionReport(), budget: budgetOf(id), listings: 0, bytes: 0 };
      loaded.set(id, brand);
    }
    return brand;
  }

  function reasonFor(home: LoadedHome, brand: LoadedBrand): Omit<Rejection, 'reference'> | undefined {
    const misfit = misfitOf(home, network);
    if (misfit) return misfit;
    brand.listings += 1;
    brand.bytes += home.weight;
    return beyondBudget(brand, brand.budget);
  }

  function restoreWhatFits(home: LoadedHome): void {
    const brand = brandOf(home.brand);
    const reason = reasonFor(home, brand);
    if (reason) {
      brand.report.add([{ reference: home.reference, ...reason }]);
      return;
    }
    restore(home);
    properties += 1;
  }

  await store.load(
    (few) => {
      for (const home of few) restoreWhatFits(home);
      const now = clock.elapsed();
      if (now - reportedAt < PROGRESS_EVERY_MS) return;
      reportedAt = now;
      observe.loading(properties, now - startedAt);
    },
    (home) => network.brands.has(home.brand) && isKnown(home),
  );
  if (properties > 0) observe.loaded(properties, clock.elapsed() - startedAt);
  for (const [id, { report }] of loaded) {
    const { rejections } = report.all();
    if (rejections.length > 0) observe.storedRejections(id, rejections);
  }
}

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

type Reason = Omit<Rejection, 'reference'>;
