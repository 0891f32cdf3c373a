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

/** Whether a total is too low, or far too high, to be true. Without enough evidence only one that no home could be let for is. */
export type IsImplausible = (candidate: Candidate, total: MinorUnits) => boolean;

/** What each brand asks for a stay in a place. Now it is its lowest total: dear homes of its own must be no evidence for a brand that sells cheap ones. */
type PlaceCosts = {
  /** In this search: for the same dates and party. */
  readonly now: ReadonlyMap<BrandId, MinorUnits>;
  /** Learned before, also from other dates; in this search where nothing was. */
  readonly usually: ReadonlyMap<BrandId, MinorUnits>;
  readonly highest: MinorUnits;
};

/** A total that this search has brought, with the candidate that it is for. */
export type GivenTotal = { readonly candidate: Candidate; readonly total: MinorUnits };

/** Below this share of all that is known of the home and of its place. */
const SHARE_OF_HOME_AND_PLACE = 1 / 10;
/** Below this share of what other brands ask in the place now, whatever is known of the home. */
const SHARE_OF_OTHERS_NOW = 1 / 5;
/** Below this share of what they ask anywhere in a search of a region: a village costs less than its capital. */
const SHARE_OF_OTHERS_ANYWHERE = 1 / 10;
/** Below this share of what they usually ask: a large party in August costs many times what two pay in November. */
const SHARE_OF_OTHERS_USUALLY = 1 / 100;
/** Above this multiple of what they ask in the search a total is no price: it could be a number to call. */
const MULTIPLE_OF_OTHERS = 1000;
/** Fewer rivals could agree on absurd prices, and shut an honest brand out. */
const MIN_RIVALS = 3;
/** No home is let for less than ten cents, yen or fils a night. */
const MIN_NIGHTLY: MinorUnits = 10;
/** Fewer quotes of a brand do not tell what a place usually costs. */
const MIN_SAMPLES = 5;

/**
 * A place usually costs what the cheaper homes of each brand (their lower quartile) have been quoted at, before and in this search, for
 * stays of about that length and parties of about that size: a month may cost as much as a week where an operator wants it so. Of
 * its own brand only what was learned before counts: a brand must not confirm itself in the same breath.
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
      // Most totals are nowhere near a bound, and then need no list of what is known.
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

/** Their median, or less where fewer than three of them ask as much; 0 where there are fewer than three. */
function agreedCost(costs: readonly MinorUnits[]): MinorUnits {
  return costs.length < MIN_RIVALS ? 0 : Math.min(at(costs, 0.5), costs[costs.length - MIN_RIVALS] ?? 0);
}

function at(sorted: readonly MinorUnits[], share: number): MinorUnits {
  return sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
}
