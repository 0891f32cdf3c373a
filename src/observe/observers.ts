import type { Clock } from '../clock.ts';
import type { RequestObserver } from '../http/app.ts';
import type { QuoteObserver } from '../quotes/ask-operator.ts';
import { StorageFailure } from '../sessions/storage-failure.ts';
import type { SyncObserver } from '../sync/brand-sync.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import { requestLine } from './request-line.ts';

/** What the rooms report is counted and, where somebody should look, written down. */
export function createQuoteObserver({
  metrics,
  log,
}: {
  readonly metrics: Metrics;
  readonly log: Log;
}): QuoteObserver {
  return {
    call: (brand, milliseconds, counts) => metrics.quoteCall(brand, milliseconds / 1000, counts),
    breaker(brand, state) {
      metrics.breaker(brand, state);
      log.warn({ brand, state }, 'circuit breaker changed');
    },
    fault: (brand, error) => log.error({ brand, err: error }, 'booking system broke its promise'),
  };
}

export function createSyncObserver(deps: {
  readonly metrics: Metrics;
  readonly log: Log;
  readonly clock: Clock;
}): SyncObserver {
  const { metrics, log, clock } = deps;
  return {
    refreshed(brand, milliseconds, properties, heldBack) {
      metrics.syncSucceeded(brand, { at: clock.now(), seconds: milliseconds / 1000, properties, heldBack });
      log.info(
        { brand, duration_ms: Math.round(milliseconds), properties, held_back: heldBack },
        'brand read',
      );
    },
    failed(brand, kind, error) {
      metrics.syncFailed(brand, kind);
      log.warn({ brand, kind, err: error }, 'brand could not be read');
    },
    storeFailed(error) {
      metrics.storeFailed();
      log.error({ err: error }, 'inventory could not be stored');
    },
  };
}

export function createRequestObserver({
  metrics,
  log,
}: {
  readonly metrics: Metrics;
  readonly log: Log;
}): RequestObserver {
  return {
    finished(request) {
      const { operation, status, error, milliseconds } = request;
      metrics.request({ operation, status, error, seconds: milliseconds / 1000 });
      if (operation === 'search') metrics.step(error ?? 'complete');
      if (log.isLevelEnabled('info')) log.info(requestLine({ ...request, url: request.path }), 'request');
    },
    fault(fault, requestId) {
      if (fault instanceof StorageFailure) metrics.storeFailed();
      log.error({ request_id: requestId, err: fault }, 'request failed');
    },
  };
}
