/** In order of cost: a search asks operators, auth writes a session, a read sends stored bytes. */
export type WorkKind = 'search' | 'auth' | 'read';

export type Admission =
  /** Call `release` when the request has ended; a second call does nothing. */
  | { readonly kind: 'admitted'; readonly release: () => void }
  | { readonly kind: 'shed'; readonly retryAfterSeconds: number };

export type LoadShedder = {
  admit(kind: WorkKind): Admission;
  readonly inFlight: number;
};

/** Each kind is admitted up to this multiple of the limits of a search. */
const TOLERANCE: Readonly<Record<WorkKind, number>> = { search: 1, auth: 1.5, read: 4 };
const MAX_RETRY_AFTER_SECONDS = 10;

/**
 * Sheds new requests so that admitted ones stay fast; an admitted request is always finished. The limits, requests in flight and
 * event-loop lag, are those of a search.
 */
export function createLoadShedder(deps: {
  readonly maxInFlight: number;
  readonly maxLagMs: number;
  readonly lag: () => number;
  readonly onShed?: (kind: WorkKind) => void;
}): LoadShedder {
  const { maxInFlight, maxLagMs, lag, onShed } = deps;
  let inFlight = 0;

  return {
    admit(kind) {
      const pressure = Math.max(inFlight / maxInFlight, lag() / maxLagMs);
      if (pressure >= TOLERANCE[kind]) {
        onShed?.(kind);
        // The higher the load, the longer the wait.
        const retryAfterSeconds = Math.min(MAX_RETRY_AFTER_SECONDS, Math.ceil(pressure));
        return { kind: 'shed', retryAfterSeconds };
      }
      inFlight += 1;
      let released = false;
      return {
        kind: 'admitted',
        release() {
          if (released) return;
          released = true;
          inFlight -= 1;
        },
      };
    },
    get inFlight() {
      return inFlight;
    },
  };
}
