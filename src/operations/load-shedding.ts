/** A search asks operators and computes; auth writes; a read sends stored bytes, and someone has already worked for it. */
export type WorkKind = 'search' | 'auth' | 'read';

export type Admission =
  /** `release` is called when the answer is there; a second call does nothing. */
  | { readonly kind: 'admitted'; readonly release: () => void }
  | { readonly kind: 'shed'; readonly retryAfterSeconds: number };

export type LoadShedder = {
  admit(kind: WorkKind): Admission;
  readonly inFlight: number;
};

/** How far beyond the limits of a search each kind is still admitted. */
const TOLERANCE: Readonly<Record<WorkKind, number>> = { search: 1, auth: 1.5, read: 4 };
const MAX_RETRY_AFTER_SECONDS = 10;

/**
 * New requests are shed before old ones slow down: what was admitted is always finished. Both limits are those of a search: how
 * many requests may be in flight, and how late the event loop may run.
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
        // The higher the load, the later it is worth coming back.
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
