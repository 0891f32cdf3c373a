import type { Candidate } from '../availability/availability-index.ts';
import type { BrandId, PropertyId } from '../catalogue/catalogue.ts';
import type { Clock } from '../clock.ts';
import type { FailureKind } from '../limits/booking-system-failure.ts';
import { openDeadline, untilAborted } from '../limits/deadline.ts';
import type { OpenSharedOperator } from '../limits/shared-limits.ts';
import type { Random } from '../random.ts';
import { createOperator, type QuoteObserver } from './ask-operator.ts';
import { estimateCandidates, fairAskingOrder, maxQuestionsPerBrand } from './asking-order.ts';
import type { BookingSystem, StayEstimates } from './booking-system.ts';
import { fillPlaces } from './fill-places.ts';
import { plausibilityIn } from './implausible-totals.ts';
import type { PriceSample } from './learned-prices.ts';
import { createPriceMemory, type PriceMemory } from './price-memory.ts';
import type { BrandFailure, Collected, QuoteSearch } from './quote-search.ts';

export type QuoteLimits = {
  /** Options shown in a result. */
  readonly maxOptions: number;
  /** Homes asked for at first, from operators that price many in one call; less than `maxOptions` counts as `maxOptions`. */
  readonly maxQuotes: number;
  /** For the whole search. */
  readonly deadlineMs: number;
  /** Calls to one operator that may wait for a free place. */
  readonly callsWaiting: number;
};

export const DEFAULT_QUOTE_LIMITS: QuoteLimits = {
  maxOptions: 20,
  maxQuotes: 60,
  deadlineMs: 8000,
  callsWaiting: 256,
};

const NEVER = new AbortController().signal;

/** For the estimates of all brands together: they only decide whom to ask, and leave time for the prices. */
const MAX_ESTIMATE_MS = 2000;

/** A failing call must leave time to ask another operator, or for another caller's call that waits behind it. */
const maxShareOfDeadline = (concurrency: number) => (concurrency === 1 ? 0.45 : 0.9);

export type CollectQuotes = (search: QuoteSearch) => Promise<Collected>;

export function createCollectQuotes({
  systems,
  clock,
  limits,
  observe,
  prices = createPriceMemory(),
  onImplausible = () => {},
  onPriced = () => {},
  pauseSignal = () => NEVER,
  shared = null,
}: {
  readonly systems: ReadonlyMap<BrandId, BookingSystem>;
  readonly clock: Clock;
  readonly limits: QuoteLimits;
  readonly observe: QuoteObserver;
  readonly prices?: PriceMemory;
  /** Called once per search for each brand with implausible totals. */
  readonly onImplausible?: (brand: BrandId, properties: readonly PropertyId[]) => void;
  /** Called with the plausible totals of a brand in a search. */
  readonly onPriced?: (brand: BrandId, samples: readonly PriceSample[]) => void;
  /** Aborted while the owner has paused the brand. */
  readonly pauseSignal?: (brand: BrandId) => AbortSignal;
  /** Null for a single node. */
  readonly shared?: { readonly open: OpenSharedOperator; readonly random: Random } | null;
}): CollectQuotes {
  const operators = new Map(
    Array.from(systems, ([brand, system]) => {
      const { concurrency, timeoutMs: ownMs } = system.limits;
      const timeoutMs = Math.min(ownMs, limits.deadlineMs * maxShareOfDeadline(concurrency));
      const operator = createOperator({
        system,
        clock,
        pauseSignal: () => pauseSignal(brand),
        timeoutMs,
        // As long as the call after the wait can still end in time, and at least as long as another caller's call may last.
        maxWaitMs: Math.max(limits.deadlineMs - timeoutMs, timeoutMs),
        callsWaiting: limits.callsWaiting,
        shared,
        observe,
      });
      return [brand, operator] as const;
    }),
  );
  const canEstimate = systems.values().some(({ estimates }) => estimates !== undefined);

  function askableAfterMs(brand: BrandId, caller: QuoteSearch['caller']): number {
    return operators.get(brand)?.restsForMs(caller) ?? 0;
  }

  /** Ordered by brand, independent of which operator failed first. */
  function failuresOf(
    kinds: ReadonlyMap<BrandId, FailureKind>,
    caller: QuoteSearch['caller'],
  ): readonly BrandFailure[] {
    return Array.from(kinds, ([brand, kind]) => ({
      brand,
      kind,
      askableAfterMs: askableAfterMs(brand, caller),
    })).sort((one, other) => (one.brand < other.brand ? -1 : 1));
  }

  /** The booking systems whose estimates help: not all of their homes can be asked for, and some calendars hold no prices. */
  function estimatorsFor({ candidates, caller }: QuoteSearch): readonly BookingSystem[] {
    const ofBrands = Map.groupBy(candidates, ({ brand }) => brand);
    const share = Math.ceil(limits.maxOptions / ofBrands.size);
    return Array.from(ofBrands).flatMap(([brand, ofBrand]) => {
      const system = systems.get(brand);
      const isOfUse =
        ofBrand.length > share && ofBrand.some(({ indicativeTotal }) => indicativeTotal === null);
      const isAskable = !pauseSignal(brand).aborted && askableAfterMs(brand, caller) === 0;
      return system?.estimates && isOfUse && isAskable ? [system] : [];
    });
  }

  /** The candidates, with the booking systems' estimates in place of totals that calendars do not have. */
  async function withEstimates(
    search: QuoteSearch,
    parent: AbortSignal,
  ): Promise<{ readonly candidates: readonly Candidate[]; readonly unlikely: ReadonlySet<PropertyId> }> {
    const unlikely = new Set<PropertyId>();
    const estimators = canEstimate ? estimatorsFor(search) : [];
    if (estimators.length === 0) return { candidates: search.candidates, unlikely };
    const { checkIn, checkOut, guests, currency, caller: askedBy } = search;
    const estimates = new Map<BrandId, StayEstimates>();
    const deadline = openDeadline({ clock, timeoutMs: MAX_ESTIMATE_MS, parent });
    const asked = estimators.map(async ({ brand, estimates: estimate }) => {
      const given = estimate?.({ checkIn, checkOut, guests, currency, askedBy }, deadline.signal);
      if (given) estimates.set(brand, await untilAborted(given, deadline.signal));
    });
    // Without estimates, learned prices decide the order.
    await Promise.allSettled(asked);
    deadline.close();
    const candidates = search.candidates.map((candidate) => {
      const { brand, property, indicativeTotal } = candidate;
      const ofBrand = estimates.get(brand);
      if (!ofBrand || indicativeTotal !== null) return candidate;
      const { totals, isWhole } = ofBrand;
      const reference = search.property(property)?.reference ?? '';
      if (isWhole && !totals.has(reference)) unlikely.add(property);
      return { ...candidate, indicativeTotal: totals.get(reference) ?? null };
    });
    return { candidates, unlikely };
  }

  return async (search) => {
    const { deadlineMs, maxOptions, maxQuotes } = limits;
    const deadline = openDeadline({ clock, timeoutMs: deadlineMs, parent: search.signal });
    try {
      const { checkIn, checkOut, guests, currency } = search;
      const stay = { nights: checkOut - checkIn, guests, currency };
      const { learned } = prices;
      const brands = estimateCandidates({
        ...(await withEstimates(search, deadline.signal)),
        stay,
        learned,
      });
      const most = maxQuestionsPerBrand({ brands: brands.length, maxOptions, maxQuotes });
      const filled = await fillPlaces({
        search,
        clock,
        order: fairAskingOrder(brands, most),
        operators,
        isPaused: (brand) => pauseSignal(brand).aborted,
        plausibility: plausibilityIn({ stay, learned }),
        maxOptions,
        maxQuotes,
        deadline,
        firstRoundMs: Math.max(0, ...brands.map(({ brand }) => operators.get(brand)?.timeoutMs ?? 0)),
      });
      const { collected, believed, implausible } = filled;
      for (const [brand, given] of Map.groupBy(believed, ({ candidate }) => candidate.brand)) {
        const samples = given.map(({ candidate: { property, place, indicativeTotal }, total }) => ({
          property,
          place,
          indicativeTotal,
          total,
        }));
        prices.learn(brand, stay, samples);
        onPriced(brand, samples);
      }
      for (const [brand, candidates] of Map.groupBy(implausible, (candidate) => candidate.brand)) {
        onImplausible(
          brand,
          candidates.map(({ property }) => property),
        );
      }
      const failures = failuresOf(filled.failures, search.caller);
      const pauses = failures.map((failure) => failure.askableAfterMs);
      return { ...collected, failures, askableAfterMs: pauses.length === 0 ? 0 : Math.min(...pauses) };
    } finally {
      deadline.close();
    }
  };
}
