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

export type AskingOrder = {
  /** The next candidate to ask for; undefined when none is left. */
  next(): EstimatedCandidate | undefined;
  /** A declined stay does not use up the turn of its brand: otherwise a brand with an outdated calendar would never be quoted. */
  giveTurnBack(brand: BrandId): void;
};

/** A brand whose candidates are lost gets at most this many times its share of the questions. */
const MAX_TIMES_ITS_SHARE = 3;

/**
 * Every brand is asked, whatever it publishes. First the cheapest home of each; then, alternately, the next brand's cheapest and the home
 * with the lowest estimate of all. Only brands whose quotes have confirmed their calendars get the latter, so that a low calendar cannot
 * buy questions.
 */
export function fairAskingOrder(
  brands: readonly BrandCandidates[],
  maxQuestionsPerBrand: number,
): AskingOrder {
  const queues: Queue[] = brands.map((brand) => ({ ...brand, asked: 0, turns: 0 }));
  let given = 0;

  const hasMore = ({ candidates, asked }: Queue) => asked < candidates.length && asked < maxQuestionsPerBrand;

  return {
    next() {
      const open = queues.filter(hasMore);
      const next = lowest(open, ({ turns }) => turns);
      if (!next) return undefined;
      const isTurnOfCheapest = next.asked > 0 && given % 2 === 1;
      const cheapest = isTurnOfCheapest
        ? lowest(open.filter(({ isPredictable }) => isPredictable))
        : undefined;
      if (!cheapest) next.turns += 1;
      const queue = cheapest ?? next;
      given += 1;
      queue.asked += 1;
      return queue.candidates[queue.asked - 1];
    },
    giveTurnBack(brand) {
      const queue = queues.find((one) => one.brand === brand);
      if (queue) queue.turns -= 1;
    },
  };
}

/** How many questions one brand may get in a search, so that a brand that declines everything is not asked for its whole catalogue. */
export function maxQuestionsPerBrand({
  brands,
  maxOptions,
  maxQuotes,
}: {
  readonly brands: number;
  readonly maxOptions: number;
  readonly maxQuotes: number;
}): number {
  const share = Math.ceil(Math.max(maxOptions, maxQuotes) / Math.max(1, brands));
  return MAX_TIMES_ITS_SHARE * Math.max(share, maxOptions);
}

/** How many candidates to estimate: enough of the cheapest for every question, and of each brand for its share of them. */
export function candidatesWanted({
  maxOptions,
  maxQuotes,
}: {
  readonly maxOptions: number;
  readonly maxQuotes: number;
}): { readonly cheapest: number; readonly cheapestOfBrand: (brands: number) => number } {
  const questions = Math.max(maxOptions, maxQuotes);
  return {
    cheapest: MAX_TIMES_ITS_SHARE * questions,
    cheapestOfBrand: (brands) => MAX_TIMES_ITS_SHARE * Math.ceil(questions / Math.max(1, brands)),
  };
}

type Queue = {
  readonly brand: BrandId;
  readonly candidates: readonly EstimatedCandidate[];
  readonly isPredictable: boolean;
  asked: number;
  /** Questions that it got because it was next, less all that it declined, including those that it got as the cheapest. */
  turns: number;
};

/** Breaks ties by the estimate of the next candidate, then by name. */
function lowest(queues: readonly Queue[], measure: (queue: Queue) => number = () => 0): Queue | undefined {
  let best: Queue | undefined;
  for (const queue of queues) {
    if (!best || compare(queue, best, measure) < 0) best = queue;
  }
  return best;
}

function compare(one: Queue, other: Queue, measure: (queue: Queue) => number): number {
  const nextEstimate = ({ candidates, asked }: Queue) => candidates[asked]?.estimate ?? 0;
  return (
    measure(one) - measure(other) ||
    nextEstimate(one) - nextEstimate(other) ||
    (one.brand < other.brand ? -1 : 1)
  );
}

/** A candidate with the probable price of its stay. */
type EstimatedCandidate = { readonly candidate: Candidate; readonly estimate: MinorUnits };

/** The candidates of a brand, lowest estimate first. */
export type BrandCandidates = {
  readonly brand: BrandId;
  readonly candidates: readonly EstimatedCandidate[];
  /** Whether the ratio of its quotes to its calendars has been steady so far, however high it is. */
  readonly isPredictable: boolean;
};

/** With fewer quotes a brand's calendars cannot be rated yet. */
const MIN_SAMPLES_TO_PREDICT = 8;
/** The middle half of its ratios is within a factor of two. */
const MAX_SPREAD_TO_PREDICT = Math.log(2);
/** The estimate of every candidate when no price is known at all. */
const NEUTRAL: MinorUnits = 1;

/**
 * An operator's calendar is a claim: its prices are multiplied by the ratio at which the brand has really charged. A home without prices
 * is estimated by its own quotes, else by the brand's homes in that place, else by that place, else by this search: never as free.
 */
export function estimateCandidates({
  candidates,
  unlikely = new Set(),
  stay,
  learned,
}: {
  readonly candidates: readonly Candidate[];
  /** Homes that their booking system does not list as on offer: they come last. */
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

/** The probable price of a home without prices: the first known one, from the home itself to the whole search. */
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
  // Each is computed in one pass over all estimates when the first home needs it: there can be hundreds of brands and places.
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
