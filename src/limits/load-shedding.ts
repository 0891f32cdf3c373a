import type { CallerPath } from './fair-shares.ts';
import { createFairShares } from './fair-shares.ts';

/** In order of cost: a search asks operators, auth writes a session, a read sends stored bytes. */
export type WorkKind = 'search' | 'auth' | 'read';

export type Admission =
  /** Call `release` when the request has ended; a second call does nothing. */
  | { readonly kind: 'admitted'; readonly release: () => void }
  | { readonly kind: 'shed'; readonly retryAfterSeconds: number };

export type LoadShedder = {
  admit(kind: WorkKind, caller: CallerPath): Admission;
  readonly inFlight: number;
};

/** Each kind is admitted up to this multiple of the limits of a search. */
const TOLERANCE: Readonly<Record<WorkKind, number>> = { search: 1, auth: 1.5, read: 4 };
const MAX_RETRY_AFTER_SECONDS = 10;

/**
 * Sheds new requests so that admitted ones stay fast; an admitted request is always finished. The limits, requests in flight and
 * event-loop lag, are those of a search. Whoever holds more than its share of the places is refused before the others.
 */
export function createLoadShedder(deps: {
  readonly maxInFlight: number;
  readonly maxLagMs: number;
  readonly lag: () => number;
  readonly onShed?: (kind: WorkKind) => void;
}): LoadShedder {
  const { maxInFlight, maxLagMs, lag, onShed } = deps;
  const shares = createFairShares();

  return {
    admit(kind, caller) {
      const pressure = Math.max(shares.held / maxInFlight, lag() / maxLagMs);
      const tolerance = TOLERANCE[kind];
      const release = pressure < tolerance ? shares.take(caller, maxInFlight * tolerance) : null;
      if (release !== null) return { kind: 'admitted', release };
      onShed?.(kind);
      // The higher the load, the longer the wait.
      const retryAfterSeconds = Math.min(MAX_RETRY_AFTER_SECONDS, Math.max(1, Math.ceil(pressure)));
      return { kind: 'shed', retryAfterSeconds };
    },
    get inFlight() {
      return shares.held;
    },
  };
}
