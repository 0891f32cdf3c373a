import type { Candidate } from '../inventory/availability-index/availability-index.ts';
import type { BrandId, PlaceId } from '../inventory/catalogue.ts';
import type { MinorUnits } from '../stay/money.ts';
import { type LearnedPrices, nightlyScope, ratioOf, stayLength } from './learned-prices.ts';
import { samplesOf } from './price-samples.ts';

/** Whether a total is too low to be true. Without enough evidence only one that no home could be let for is. */
export type IsImplausible = (candidate: Candidate, total: MinorUnits) => boolean;

/** What the cheaper stays of each brand cost in a place. */
type PlaceCosts = { readonly byBrand: ReadonlyMap<BrandId, MinorUnits>; readonly highest: MinorUnits };

/** A total that this search has brought, with the candidate that it is for. */
export type GivenTotal = { readonly candidate: Candidate; readonly total: MinorUnits };

/** Below this share of all that is known of the home and of its place. */
const SHARE_OF_HOME_AND_PLACE = 1 / 10;
/** Below this share of the place alone, whatever is known of the home. */
const SHARE_OF_PLACE = 1 / 100;
/** Fewer rivals could agree on absurd prices, and shut an honest brand out. */
const MIN_RIVALS = 3;
/** No home is let for less than ten cents, yen or fils a night. */
const MIN_NIGHTLY: MinorUnits = 10;
/** Fewer quotes of a brand do not tell what a place costs. */
const MIN_SAMPLES = 5;

/**
 * A place costs what the cheaper homes of each brand (their lower quartile) have been quoted at, before and in this search, for
 * stays of about that length: a month may cost as much as a week where an operator wants it so. Of
 * its own brand only what was learned before counts: a brand must not confirm itself in the same breath.
 */
export function plausibilityIn({
  nights,
  currency,
  learned,
  given = [],
}: {
  readonly nights: number;
  readonly currency: string;
  readonly learned: LearnedPrices;
  readonly given?: readonly GivenTotal[];
}): IsImplausible {
  const places = new Map<PlaceId, PlaceCosts>();
  const totalsByPlace = Map.groupBy(given, ({ candidate }) => candidate.place);

  function learnedOf(brand: BrandId, place: PlaceId): MinorUnits | undefined {
    const samples = learned.get(brand)?.nightly.get(nightlyScope(place, currency, nights));
    if (!samples || samples.logs.length < MIN_SAMPLES) return undefined;
    return Math.exp(samples.lowerQuartile) * nights;
  }

  /** What each brand asks in the place; those of this search only where nothing was learned. */
  function costsIn(place: PlaceId): PlaceCosts {
    const costs = new Map<BrandId, MinorUnits>();
    for (const brand of learned.keys()) {
      const cost = learnedOf(brand, place);
      if (cost !== undefined) costs.set(brand, cost);
    }
    for (const [brand, totals] of Map.groupBy(totalsByPlace.get(place) ?? [], brandOf)) {
      if (totals.length < MIN_SAMPLES || costs.has(brand)) continue;
      costs.set(brand, Math.exp(samplesOf(totals.map(({ total }) => Math.log(total))).lowerQuartile));
    }
    const found = { byBrand: costs, highest: Math.max(0, ...costs.values()) };
    places.set(place, found);
    return found;
  }

  return ({ property, brand, place, indicativeTotal }, total) => {
    if (total < MIN_NIGHTLY * nights) return true;
    const { byBrand, highest } = places.get(place) ?? costsIn(place);
    // Most totals are nowhere near a bound, and then need no list of what is known.
    const isLow = total < (indicativeTotal ?? highest) * SHARE_OF_HOME_AND_PLACE;
    if (!isLow && total >= highest * SHARE_OF_PLACE) return false;
    const others = Array.from(byBrand)
      .filter(([other]) => other !== brand)
      .map(([, cost]) => cost);
    const earlier = learnedOf(brand, place);
    const ofPlace = earlier === undefined ? others : [...others, earlier];
    const prices = learned.get(brand);
    const home = prices?.homes.get(property);
    const lastQuote = home && stayLength(home.nights) === stayLength(nights) ? home.nightly : undefined;
    const ofHome = [
      ...(indicativeTotal === null ? [] : [indicativeTotal]),
      ...(indicativeTotal === null
        ? []
        : [indicativeTotal * Math.exp(ratioOf(prices, place, nights)?.median ?? 0)]),
      ...(lastQuote === undefined ? [] : [lastQuote * nights]),
    ];
    const hasOwnRecord = indicativeTotal !== null && lastQuote !== undefined;
    if (ofHome.length > 0 && (ofPlace.length > 0 || hasOwnRecord)) {
      if (total < Math.min(...ofHome, ...ofPlace) * SHARE_OF_HOME_AND_PLACE) return true;
    }
    return others.length >= MIN_RIVALS && total < Math.min(...ofPlace) * SHARE_OF_PLACE;
  };
}

function brandOf({ candidate }: GivenTotal): BrandId {
  return candidate.brand;
}
