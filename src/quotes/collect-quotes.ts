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
  /** Shown in a result. */
  readonly maxOptions: number;
  /** Asked for at first, where operators price many in one call; less than `maxOptions` counts as `maxOptions`. */
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

/** A call that fails must leave time to ask another operator. */
const MAX_SHARE_OF_DEADLINE = 0.9;

export type CollectQuotes = (search: QuoteSearch) => Promise<Collected>;

export function createCollectQuotes({
  systems,
  clock,
  limits,
  observe,
}: {
  readonly systems: ReadonlyMap<BrandId, BookingSystem>;
  readonly clock: Clock;
  readonly limits: QuoteLimits;
  readonly observe: QuoteObserver;
}): CollectQuotes {
  const maxCallMs = limits.deadlineMs * MAX_SHARE_OF_DEADLINE;
  const operators = new Map<BrandId, Operator>();
  for (const [brand, system] of systems) {
    operators.set(brand, {
      batchSize: Math.max(1, Math.floor(system.limits.batchSize)),
      ask: createAskOperator({
        system,
        clock,
        breaker: createCircuitBreaker({ clock, onChange: (state) => observe.breaker(brand, state) }),
        gate: createConcurrencyGate({
          limit: system.limits.concurrency,
          queueLimit: limits.callsWaiting,
        }),
        timeoutMs: Math.min(system.limits.timeoutMs, maxCallMs),
        observe,
      }),
    });
  }

  return async (search) => {
    const { deadlineMs, maxOptions, maxQuotes } = limits;
    const deadline = openDeadline({ clock, timeoutMs: deadlineMs, parent: search.signal });
    try {
      return await fillPlaces({ search, operators, maxOptions, maxQuotes, signal: deadline.signal });
    } finally {
      deadline.close();
    }
  };
}
