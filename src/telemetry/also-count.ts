import type { QuoteObserver } from '../quotes/ask-operator.ts';
import type { FinishedRequest, RequestObserver } from '../requests/request-observer.ts';
import type { SyncObserver } from '../sync/sync-observer.ts';

/** Observers that also tell whoever counts for the owner's console, after metrics and log. */
export function alsoCountRequests(
  observer: RequestObserver,
  finished: (request: FinishedRequest) => void,
): RequestObserver {
  return {
    ...observer,
    finished(request) {
      observer.finished(request);
      finished(request);
    },
  };
}

export function alsoCountCalls(observer: QuoteObserver, counter: Pick<QuoteObserver, 'call'>): QuoteObserver {
  return {
    ...observer,
    call(...facts) {
      observer.call(...facts);
      counter.call(...facts);
    },
  };
}

export function alsoCountReadings(
  observer: SyncObserver,
  counter: Pick<SyncObserver, 'refreshed' | 'failed'>,
): SyncObserver {
  return {
    ...observer,
    refreshed(...facts) {
      observer.refreshed(...facts);
      counter.refreshed(...facts);
    },
    failed(...facts) {
      observer.failed(...facts);
      counter.failed(...facts);
    },
  };
}
