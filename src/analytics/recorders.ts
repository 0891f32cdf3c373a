import { type BrandId, brandOfProperty, type Network, type PropertyId } from '../catalogue/catalogue.ts';
import type { Clock } from '../clock.ts';
import type { FailureKind } from '../limits/booking-system-failure.ts';
import type { QuoteObserver } from '../quotes/ask-operator.ts';
import type { UnavailableReason } from '../quotes/booking-system.ts';
import type { PriceSample } from '../quotes/learned-prices.ts';
import type { FinishedRequest } from '../requests/request-observer.ts';
import type { SearchObserver } from '../search/search-observer.ts';
import type { SessionStore } from '../sessions/session-store.ts';
import type { SyncObserver } from '../sync/sync-observer.ts';
import { bucketOf, DRIFT_BUCKETS, TIME_BUCKETS } from './count.ts';
import { createSearchRecorder } from './record-searches.ts';
import { createSessionTallies, isCounted, type SessionTallies } from './session-tallies.ts';
import type { CountActivity } from './sums.ts';

/** Counts requests and searches. */
type Recorders = Pick<SessionTallies, 'flush' | 'stop'> & {
  readonly searches: SearchObserver;
  readonly finished: (request: FinishedRequest) => void;
  readonly shed: (kind: string) => void;
};

export function createRecorders({
  count,
  onLost,
  sessions,
  network,
  clock,
  onFault,
}: {
  readonly count: CountActivity;
  readonly onLost: (counts: number) => void;
  readonly sessions: Pick<SessionStore, 'noteTallies'>;
  readonly network: Network;
  readonly clock: Clock;
  readonly onFault: (fault: unknown) => void;
}): Recorders {
  const tallies = createSessionTallies({ sessions, count, onLost, clock });
  return {
    searches: createSearchRecorder({ count, tallies, network, clock, onFault }),
    finished: createRequestRecorder(count),
    shed: (kind) => count('shed', { reason: kind }),
    flush: tallies.flush,
    stop: tallies.stop,
  };
}

/** Counts requests that need access. Not counted: public pages, and requests abandoned before their caller was identified. */
export function createRequestRecorder(count: CountActivity): (request: FinishedRequest) => void {
  return ({ access, operation, error, durationMs }) => {
    if (access === null) return;
    const assistant = provenAssistant(access);
    if (!isCounted(assistant)) return;
    const reason = access.kind === 'refused' ? access.cause : (error ?? '');
    count('requests', { assistant, facet: operation, reason }, { sum: durationMs });
  };
}

/** Empty for a stranger, also for one that only claims to be an assistant. */
function provenAssistant({ assistant, way }: NonNullable<FinishedRequest['access']>): string {
  return way === null ? '' : (assistant ?? '');
}

/** Counts calls, refusals and prices of operators, in the searches of all assistants. */
type OperatorRecorder = Pick<QuoteObserver, 'call'> & {
  /** The operator refused a stay that its calendar offered. */
  refused(property: PropertyId, reason: UnavailableReason): void;
  /** Totals that were accepted as plausible. */
  priced(brand: BrandId, samples: readonly PriceSample[]): void;
} & Pick<SyncObserver, 'refreshed' | 'failed'>;

/** Without a call to the operator there is no time to count. */
const NOT_CALLED: ReadonlySet<FailureKind | 'abandoned'> = new Set(['circuit_open', 'overloaded']);

export function createOperatorRecorder(count: CountActivity): OperatorRecorder {
  return {
    call(brand, milliseconds, { quoted, unavailable, failures }) {
      if (quoted > 0) count('prices', { brand, reason: 'quoted' }, { count: quoted });
      if (unavailable > 0) count('prices', { brand, reason: 'unavailable' }, { count: unavailable });
      for (const [reason, homes] of failures) count('prices', { brand, reason }, { count: homes });
      const isCall = quoted + unavailable > 0 || failures.keys().some((kind) => !NOT_CALLED.has(kind));
      if (!isCall) return;
      const facet = bucketOf(milliseconds / 1000, TIME_BUCKETS);
      count('price_calls', { brand, facet }, { sum: milliseconds });
    },
    refused: (property, reason) => count('refused_offers', { brand: brandOfProperty(property), reason }),
    priced(brand, samples) {
      for (const { indicativeTotal, total } of samples) {
        if (indicativeTotal === null || indicativeTotal <= 0) continue;
        const drift = Math.round(((total - indicativeTotal) / indicativeTotal) * 1000);
        count('drifts', { brand, facet: bucketOf(drift, DRIFT_BUCKETS) }, { sum: drift });
      }
    },
    refreshed: (brand, milliseconds) =>
      count('readings', { brand, reason: 'succeeded' }, { sum: milliseconds }),
    failed: (brand, kind) => count('readings', { brand, reason: kind }),
  };
}
