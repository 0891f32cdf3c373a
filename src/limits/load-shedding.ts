import type { CallerPath } from './fair-semaphore.ts';

type FairShares = {
  /** Null when the caller or a wider group of it already has its share. Releasing twice does nothing. */
  take(caller: CallerPath, limit: number): (() => void) | null;
  /** Holds all places that are taken. */
  readonly root: { readonly held: number };
};

/** The places of a name. Names without places are removed. */
type Holder = {
  readonly parent: Holder | null;
  readonly name: string;
  /** Created on demand: the narrowest level has none. */
  parts: Map<string, Holder> | null;
  held: number;
};

/** The share of the places that the others of the level leave: a single name gets three quarters, two get three sevenths each, and so on. */
const MAX_SHARE_OF_REST = 0.75;
/** From this load on, a session, the narrowest level, gets no second place. */
const CROWDED_FROM = 0.5;

/**
 * Divides places among an unknown number of callers: none may take all free places. So the next caller finds one, and callers with many
 * places shrink to their share as they release them. Each level divides the places of the level above.
 */
export function createFairShares(): FairShares {
  const root: Holder = { parent: null, name: '', parts: null, held: 0 };

  return {
    root,
    take(caller, limit) {
      let allowed = limit;
      let crowd = 0;
      let found: Holder | undefined = root;
      for (const name of caller) {
        const heldByAll: number = found?.held ?? 0;
        found = found?.parts?.get(name);
        const held = found?.held ?? 0;
        crowd = heldByAll / allowed;
        allowed = MAX_SHARE_OF_REST * (allowed - (heldByAll - held));
        if (held >= allowed) return null;
      }
      const isFirst = (found?.held ?? 0) === 0;
      if (root.held >= limit || !(isFirst || crowd < CROWDED_FROM)) return null;
      let holder = root;
      root.held += 1;
      for (const name of caller) {
        holder.parts ??= new Map();
        const part: Holder = holder.parts.get(name) ?? { parent: holder, name, parts: null, held: 0 };
        if (part.held === 0) holder.parts.set(name, part);
        part.held += 1;
        holder = part;
      }
      let released = false;
      return () => {
        if (released) return;
        released = true;
        for (let at: Holder | null = holder; at; at = at.parent) {
          at.held -= 1;
          if (at.held === 0) at.parent?.parts?.delete(at.name);
        }
      };
    },
  };
}

/** In order of cost: a search calls operators, auth writes a session, a read sends stored bytes. */
export type WorkKind = 'search' | 'auth' | 'read';

export type Admission =
  /** Call `release` when the request has ended; a second call does nothing. */
  | { readonly kind: 'admitted'; readonly release: () => void }
  | { readonly kind: 'shed'; readonly retryAfterSeconds: number };

export type LoadShedder = {
  admit(kind: WorkKind, caller: CallerPath): Admission;
  readonly inFlight: number;
};

/** Admits each kind up to this multiple of the limits of a search. */
const TOLERANCE: Readonly<Record<WorkKind, number>> = { search: 1, auth: 1.5, read: 4 };
const MAX_RETRY_AFTER_SECONDS = 10;

/**
 * Sheds new requests so that admitted ones stay fast; an admitted request always finishes. The limits, requests in flight and
 * event-loop lag, are those of a search. Callers with more than their share of the places are refused first.
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
      const pressure = Math.max(shares.root.held / maxInFlight, lag() / maxLagMs);
      const tolerance = TOLERANCE[kind];
      const release = pressure < tolerance ? shares.take(caller, maxInFlight * tolerance) : null;
      if (release !== null) return { kind: 'admitted', release };
      onShed?.(kind);
      // The higher the load, the longer the wait.
      const retryAfterSeconds = Math.min(MAX_RETRY_AFTER_SECONDS, Math.max(1, Math.ceil(pressure)));
      return { kind: 'shed', retryAfterSeconds };
    },
    get inFlight() {
      return shares.root.held;
    },
  };
}
