/** A search asks operators and computes; auth writes; a read sends stored bytes, and someone has already worked for it. */
export type WorkKind = 'search' | 'auth' | 'read';

export type Admission =
  /** To be called when the answer is there; a second call does nothing. */
  | { readonly release: () => void }
  /** After how many seconds it is worth coming back. */
  | { readonly refused: number };

export type LoadShedder = {
  admit(kind: WorkKind): Admission;
  readonly inFlight: number;
};

/** How far above the marks of a search each kind is still let in. */
const PATIENCE: Readonly<Record<WorkKind, number>> = { search: 1, auth: 1.5, read: 4 };
const MAX_RETRY_AFTER_SECONDS = 10;

/**
 * Work under way is always finished and the newest is refused, so that what is answered is answered fast. Both marks are
 * those of a search: how much may be under way, and how late the process may get to its work.
 */
export function createLoadShedder(deps: {
  readonly maxInFlight: number;
  readonly maxLagMs: number;
  readonly lag: () => number;
  readonly onRefused?: (kind: WorkKind) => void;
}): LoadShedder {
  const { maxInFlight, maxLagMs, lag, onRefused } = deps;
  let inFlight = 0;

  return {
    admit(kind) {
      const pressure = Math.max(inFlight / maxInFlight, lag() / maxLagMs);
      if (pressure >= PATIENCE[kind]) {
        onRefused?.(kind);
        // The fuller the house, the later it is worth coming back.
        return { refused: Math.min(MAX_RETRY_AFTER_SECONDS, Math.ceil(pressure)) };
      }
      inFlight += 1;
      let released = false;
      return {
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
