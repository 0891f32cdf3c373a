import type { Clock } from '../clock.ts';
import type { BrandId } from '../inventory/catalogue.ts';
import { createAskOperator, type QuoteObserver } from './ask-operator.ts';
import type { BookingSystem } from './booking-system.ts';
import { createCircuitBreaker } from './circuit-breaker.ts';
import { createConcurrencyGate } from './concurrency-gate.ts';
import { openDeadline } from './deadline.ts';
import { fillPlaces, type Operator } from './fill-places.ts';
import type { Collected, QuoteSearch } from './quote-search.ts';

export type QuoteLimits = {
  readonly maxOptions: number;
  /** For the whole search. */
  readonly deadlineMs: number;
  /** For one call to an operator that has no timeout of its own. */
  readonly callTimeoutMs: number;
  /** Calls in flight to an operator that has no number of its own. */
  readonly callsInFlight: number;
  /** Calls that may wait for an operator's gate. */
  readonly callsWaiting: number;
};

export const DEFAULT_QUOTE_LIMITS: QuoteLimits = {
  maxOptions: 20,
  deadlineMs: 8000,
  callTimeoutMs: 4000,
  callsInFlight: 8,
  callsWaiting: 32,
};

/** One call may not use up the search: its failure must be seen and counted while there is time to ask somebody else. */
const MAX_SHARE_OF_DEADLINE = 0.9;

export type CollectQuotes = (search: QuoteSearch) => Promise<Collected>;

export function createCollectQuotes({
  systems,
  clock,
  limits,
  concurrencyOf,
  timeoutOf,
  observe,
}: {
  readonly systems: ReadonlyMap<BrandId, BookingSystem>;
  readonly clock: Clock;
  readonly limits: QuoteLimits;
  /** `undefined` where the general limit holds. */
  readonly concurrencyOf: (brand: BrandId) => number | undefined;
  readonly timeoutOf: (brand: BrandId) => number | undefined;
  readonly observe: QuoteObserver;
}): CollectQuotes {
  const longestCall = limits.deadlineMs * MAX_SHARE_OF_DEADLINE;
  const operators = new Map<BrandId, Operator>();
  for (const [brand, system] of systems) {
    operators.set(brand, {
      batchSize: Math.max(1, Math.floor(system.quoteBatchSize)),
      ask: createAskOperator({
        system,
        clock,
        breaker: createCircuitBreaker({ clock, onChange: (state) => observe.breaker(brand, state) }),
        gate: createConcurrencyGate({
          limit: concurrencyOf(brand) ?? limits.callsInFlight,
          queueLimit: limits.callsWaiting,
        }),
        timeoutMs: Math.min(timeoutOf(brand) ?? limits.callTimeoutMs, longestCall),
        observe,
      }),
    });
  }

  return async (search) => {
    const { deadlineMs: milliseconds, maxOptions } = limits;
    const deadline = openDeadline({ clock, milliseconds, parent: search.signal });
    try {
      return await fillPlaces({ search, operators, maxOptions, signal: deadline.signal });
    } finally {
      deadline.close();
    }
  };
}
