import { type BrandId, brandOfProperty, type PropertyId } from '../catalogue/catalogue.ts';
import type { FailureKind } from '../limits/booking-system-failure.ts';
import type { QuoteObserver } from '../quotes/ask-operator.ts';
import type { UnavailableReason } from '../quotes/booking-system.ts';
import type { PriceSample } from '../quotes/learned-prices.ts';
import type { FinishedRequest } from '../requests/request-observer.ts';
import { CONSOLE_ASSISTANT } from '../sessions/session.ts';
import type { SyncObserver } from '../sync/sync-observer.ts';
import { bucketOf, type CountActivity, DRIFT_BUCKETS, TIME_BUCKETS } from './count.ts';

/** Counts requests that need access. Not counted: the owner's own trials, public pages, and requests abandoned before their caller was identified. */
export function createRequestRecorder(count: CountActivity): (request: FinishedRequest) => void {
  return ({ access, operation, error, durationMs }) => {
    if (access === null) return;
    // Empty for a stranger, also for one that only claims to be an assistant.
    const assistant = access.way === null ? '' : (access.assistant ?? '');
    if (assistant === CONSOLE_ASSISTANT) return;
    const reason = access.kind === 'refused' ? access.cause : (error ?? '');
    count('requests', { assistant, facet: operation, reason }, { sum: durationMs });
  };
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
