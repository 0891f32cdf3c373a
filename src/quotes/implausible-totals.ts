import type { Candidate } from '../availability/availability-index.ts';
import type { BrandId, PlaceId } from '../catalogue/catalogue.ts';
import type { MinorUnits } from '../stay/money.ts';
import {
  type LearnedPrices,
  nightlyScope,
  type QuotedStay,
  quotedNightly,
  ratioOf,
} from './learned-prices.ts';

/** Whether a total is too low, or far too high, to be true. Without enough evidence only a total below `MIN_NIGHTLY` is. */
export type IsImplausible = (candidate: Candidate, total: MinorUnits) => boolean;

/** What each brand asks for a stay in a place. `now` takes its lowest total: a brand's expensive homes are no evidence about its cheap ones. */
type PlaceCosts = {
  /** In this search, for the same dates and party. */
  readonly now: ReadonlyMap<BrandId, MinorUnits>;
  /** Learned before, also from other dates; otherwise from this search. */
  readonly usually: ReadonlyMap<BrandId, MinorUnits>;
  readonly highest: MinorUnits;
};

/** A total from this search, with its candidate. */
export type GivenTotal = { readonly candidate: Candidate; readonly total: MinorUnits };

/** Too low: below this share of every known price of the home and of its place. */
const SHARE_OF_HOME_AND_PLACE = 1 / 10;
/** Too low: below this share of the other brands' prices in the place now, whatever is known of the home. */
const SHARE_OF_OTHERS_NOW = 1 / 5;
/** Too low: below this share of their prices anywhere in the search of a region: a village costs less than its capital. */
const SHARE_OF_OTHERS_ANYWHERE = 1 / 10;
/** Too low: below this share of their usual prices: a large party in August pays many times as much as two in November. */
const SHARE_OF_OTHERS_USUALLY = 1 / 100;
/** Too high: above this multiple of their prices in the search a total may be a phone number. */
const MULTIPLE_OF_OTHERS = 1000;
/** Fewer rivals could agree on absurd prices and exclude an honest brand. */
const MIN_RIVALS = 3;
/** No home is let for less than ten cents, yen or fils a night. */
const MIN_NIGHTLY: MinorUnits = 10;
/** With fewer quotes of a brand its usual price in a place is unknown. */
const MIN_SAMPLES = 5;

/**
 * The usual price of a place is the lower quartile of each brand's quotes, before and in this search, for stays of about that length and
 * parties of about that size: an operator may charge as much for a month as for a week. Of the home's own brand only prices learned
 * before count: a brand must not confirm itself within one search.
 */
export function plausibilityIn({
  stay,
  learned,
}: {
  readonly stay: QuotedStay;
  readonly learned: LearnedPrices;
}): (given: readonly GivenTotal[]) => IsImplausible {
  const { nights } = stay;
  const learnedByPlace = new Map<PlaceId, ReadonlyMap<BrandId, MinorUnits>>();

  function learnedIn(place: PlaceId): ReadonlyMap<BrandId, MinorUnits> {
    const before = learnedByPlace.get(place);
    if (before) return before;
    const scope = nightlyScope(place, stay, 'alike');
    const costs = new Map<BrandId, MinorUnits>();
    for (const [brand, { nightly }] of learned) {
      const samples = nightly.get(scope);
      if (!samples || samples.logs.length < MIN_SAMPLES) continue;
      costs.set(brand, Math.exp(samples.lowerQuartile) * nights);
    }
    learnedByPlace.set(place, costs);
    return costs;
  }

  return (given) => {
    const places = new Map<PlaceId, PlaceCosts>();
    const totalsByPlace = Map.groupBy(given, ({ candidate }) => candidate.place);
    const anywhere = lowestByBrand(given);
    const highestAnywhere = Math.max(0, ...anywhere.values());
    const lowestAnywhere = Math.min(...anywhere.values());

    function costsIn(place: PlaceId): PlaceCosts {
      const totals = totalsByPlace.get(place) ?? [];
      const now = lowestByBrand(totals);
      const usually = new Map<BrandId, MinorUnits>();
      for (const [brand, ofBrand] of Map.groupBy(totals, brandOf)) {
        if (ofBrand.length >= MIN_SAMPLES) usually.set(brand, at(sortedTotals(ofBrand), 0.25));
      }
      for (const [brand, cost] of learnedIn(place)) usually.set(brand, cost);
      const found = { now, usually, highest: Math.max(0, ...now.values(), ...usually.values()) };
      places.set(place, found);
      return found;
    }

    return ({ property, brand, place, indicativeTotal }, total) => {
      if (total < MIN_NIGHTLY * nights) return true;
      if (total > lowestAnywhere * MULTIPLE_OF_OTHERS) {
        const agreed = agreedCost(costsOfOthers(anywhere, brand));
        if (agreed > 0 && total > agreed * MULTIPLE_OF_OTHERS) return true;
      }
      const { now, usually, highest } = places.get(place) ?? costsIn(place);
      // Most totals are far from every bound, and need no list of known prices.
      const isLow = indicativeTotal !== null && total < indicativeTotal * SHARE_OF_HOME_AND_PLACE;
      const bound = Math.max(highest * SHARE_OF_OTHERS_NOW, highestAnywhere * SHARE_OF_OTHERS_ANYWHERE);
      if (!isLow && total >= bound) return false;
      const others = costsOfOthers(usually, brand);
      if (total < agreedCost(costsOfOthers(now, brand)) * SHARE_OF_OTHERS_NOW) return true;
      if (total < agreedCost(costsOfOthers(anywhere, brand)) * SHARE_OF_OTHERS_ANYWHERE) return true;
      if (total < agreedCost(others) * SHARE_OF_OTHERS_USUALLY) return true;
      const earlier = learnedIn(place).get(brand);
      const ofPlace = earlier === undefined ? others : [...others, earlier];
      const prices = learned.get(brand);
      const quoted = quotedNightly(prices, stay)(property);
      const ofHome = [
        ...(indicativeTotal === null
          ? []
          : [indicativeTotal, indicativeTotal * Math.exp(ratioOf(prices, place, stay)?.median ?? 0)]),
        ...(quoted === undefined ? [] : [quoted * nights]),
      ];
      const hasOwnRecord = indicativeTotal !== null && quoted !== undefined;
      const isKnown = ofHome.length > 0 && (ofPlace.length > 0 || hasOwnRecord);
      return isKnown && total < Math.min(...ofHome, ...ofPlace) * SHARE_OF_HOME_AND_PLACE;
    };
  };
}

function brandOf({ candidate }: GivenTotal): BrandId {
  return candidate.brand;
}

function lowestByBrand(given: readonly GivenTotal[]): ReadonlyMap<BrandId, MinorUnits> {
  const lowest = new Map<BrandId, MinorUnits>();
  for (const { candidate, total } of given) {
    lowest.set(candidate.brand, Math.min(total, lowest.get(candidate.brand) ?? total));
  }
  return lowest;
}

function sortedTotals(given: readonly GivenTotal[]): readonly MinorUnits[] {
  return given.map(({ total }) => total).sort((one, other) => one - other);
}

/** Lowest first. */
function costsOfOthers(costs: PlaceCosts['now'], brand: BrandId): readonly MinorUnits[] {
  return Array.from(costs)
    .filter(([other]) => other !== brand)
    .map(([, cost]) => cost)
    .sort((one, other) => one - other);
}

/** Their median, or the third-highest if that is lower; 0 for fewer than three. */
function agreedCost(costs: readonly MinorUnits[]): MinorUnits {
  return costs.length < MIN_RIVALS ? 0 : Math.min(at(costs, 0.5), costs[costs.length - MIN_RIVALS] ?? 0);
}

function at(sorted: readonly MinorUnits[], share: number): MinorUnits {
  return sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
}
