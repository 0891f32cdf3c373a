import type { Candidate } from '../availability/availability-index.ts';
import type { BrandId, PlaceId, PropertyId } from '../catalogue/catalogue.ts';
import type { MinorUnits } from '../stay/money.ts';
import {
  type BrandPrices,
  type LearnedPrices,
  nightlyScope,
  type QuotedStay,
  quotedNightly,
  ratioOf,
} from './learned-prices.ts';

/** A candidate with what its stay will probably cost. */
export type EstimatedCandidate = { readonly candidate: Candidate; readonly estimate: MinorUnits };

/** The candidates of a brand, lowest estimate first. */
export type BrandCandidates = {
  readonly brand: BrandId;
  readonly candidates: readonly EstimatedCandidate[];
  /** Whether its calendars and its quotes have agreed so far, however far apart they are. */
  readonly isPredictable: boolean;
};

/** A brand with fewer quotes has not shown yet what its calendars are worth. */
const MIN_SAMPLES_TO_PREDICT = 8;
/** The middle half of its ratios is within a factor of two. */
const MAX_SPREAD_TO_PREDICT = Math.log(2);
/** Where nothing at all is known of any price, all candidates are alike. */
const NEUTRAL: MinorUnits = 1;

/**
 * An operator's calendar is a claim: its prices are multiplied by what the brand has really charged in relation to them. A
 * home without prices counts as its own quotes, as the brand's homes in that place, as that place, as this search: never as free.
 */
export function estimateCandidates({
  candidates,
  unlikely = new Set(),
  stay,
  learned,
}: {
  readonly candidates: readonly Candidate[];
  /** Homes that their booking system does not name among those on offer: they come last. */
  readonly unlikely?: ReadonlySet<PropertyId>;
  readonly stay: QuotedStay;
  readonly learned: LearnedPrices;
}): readonly BrandCandidates[] {
  const groups = new Map<BrandId, BrandGroup>();
  for (const candidate of candidates) {
    const group = groups.get(candidate.brand) ?? newGroup(learned.get(candidate.brand), stay);
    if (group.size === 0) groups.set(candidate.brand, group);
    group.size += 1;
    const { place, indicativeTotal } = candidate;
    if (indicativeTotal === null) group.unpriced.push(candidate);
    else {
      const ratio = group.ratios.get(place) ?? ratioIn(group, place, stay);
      group.estimated.push({ candidate, estimate: indicativeTotal * ratio });
    }
  }
  const usualTotal = usualTotals({ groups, stay, learned });
  return Array.from(groups, ([brand, group]) => {
    const assumed = group.unpriced.map((candidate) => ({
      candidate,
      estimate: unlikely.has(candidate.property) ? Number.MAX_VALUE : usualTotal(candidate),
    }));
    return {
      brand,
      candidates: [...group.estimated, ...assumed].sort(byEstimate),
      isPredictable: isPredictable(group.prices, stay),
    };
  });
}

type BrandGroup = {
  readonly prices: BrandPrices | undefined;
  readonly quotedNightly: (property: PropertyId) => MinorUnits | undefined;
  readonly ratios: Map<PlaceId, number>;
  readonly estimated: EstimatedCandidate[];
  readonly unpriced: Candidate[];
  size: number;
};

function newGroup(prices: BrandPrices | undefined, stay: QuotedStay): BrandGroup {
  return {
    prices,
    quotedNightly: quotedNightly(prices, stay),
    ratios: new Map(),
    estimated: [],
    unpriced: [],
    size: 0,
  };
}

function ratioIn({ prices, ratios }: BrandGroup, place: PlaceId, stay: QuotedStay): number {
  const ratio = Math.exp(ratioOf(prices, place, stay)?.median ?? 0);
  ratios.set(place, ratio);
  return ratio;
}

function isPredictable(prices: BrandPrices | undefined, stay: QuotedStay): boolean {
  const samples = ratioOf(prices, null, stay);
  return (
    samples !== undefined &&
    samples.logs.length >= MIN_SAMPLES_TO_PREDICT &&
    samples.spread <= MAX_SPREAD_TO_PREDICT
  );
}

/** What a home that publishes no prices probably costs: the first that is known, from the home itself to the whole search. */
function usualTotals({
  groups,
  stay,
  learned,
}: {
  readonly groups: ReadonlyMap<BrandId, BrandGroup>;
  readonly stay: QuotedStay;
  readonly learned: LearnedPrices;
}): (candidate: Candidate) => MinorUnits {
  const { nights } = stay;
  const known = new Map<string, MinorUnits>();
  // Each in one pass over all estimates, when the first home needs it: brands and places can be hundreds.
  const estimates = once(() => [...groups.values()].flatMap(({ estimated }) => estimated));
  const ofBrandInPlace = once(() =>
    mediansBy(estimates(), ({ candidate: { brand, place } }) => `${brand} ${place}`),
  );
  const ofPlace = once(() => mediansBy(estimates(), ({ candidate }) => candidate.place));
  const ofSearch = once(() => medianOf(estimates().map(({ estimate }) => estimate)));

  function usualIn(brand: BrandId, place: PlaceId): MinorUnits {
    const scope = nightlyScope(place, stay, 'any');
    const ofBrandSoFar = learned.get(brand)?.nightly;
    const quoted = ofBrandSoFar?.get(nightlyScope(place, stay, 'alike')) ?? ofBrandSoFar?.get(scope);
    if (quoted) return Math.exp(quoted.median) * nights;
    const quotedByOthers = [...learned.values()].flatMap(({ nightly }) => nightly.get(scope)?.median ?? []);
    return (
      ofBrandInPlace().get(`${brand} ${place}`) ??
      ofPlace().get(place) ??
      medianOf(quotedByOthers.map((log) => Math.exp(log) * nights)) ??
      ofSearch() ??
      NEUTRAL
    );
  }

  return ({ property, brand, place }) => {
    const own = groups.get(brand)?.quotedNightly(property);
    if (own !== undefined) return own * nights;
    const key = `${brand} ${place}`;
    const usual = known.get(key) ?? usualIn(brand, place);
    known.set(key, usual);
    return usual;
  };
}

function mediansBy(
  estimates: readonly EstimatedCandidate[],
  keyOf: (one: EstimatedCandidate) => string,
): ReadonlyMap<string, MinorUnits> {
  const medians = new Map<string, MinorUnits>();
  for (const [key, group] of Map.groupBy(estimates, keyOf)) {
    const median = medianOf(group.map(({ estimate }) => estimate));
    if (median !== undefined) medians.set(key, median);
  }
  return medians;
}

function once<Value>(compute: () => Value): () => Value {
  let computed: { readonly value: Value } | undefined;
  return () => {
    computed ??= { value: compute() };
    return computed.value;
  };
}

function medianOf(values: readonly number[]): number | undefined {
  return values.toSorted((one, other) => one - other)[Math.floor((values.length - 1) / 2)];
}

function byEstimate(one: EstimatedCandidate, other: EstimatedCandidate): number {
  return one.estimate - other.estimate || (one.candidate.property < other.candidate.property ? -1 : 1);
}
