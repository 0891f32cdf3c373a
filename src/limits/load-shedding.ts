type FairShares = {
  /** Null when the caller, or a wider group that it belongs to, has its share already. Releasing twice does nothing. */
  take(caller: CallerPath, limit: number): (() => void) | null;
  readonly held: number;
};

/** What a name of a level holds. Only names that hold something are kept. */
type Holder = {
  readonly parent: Holder | null;
  readonly name: string;
  /** Made when it is needed: the narrowest level has none. */
  parts: Map<string, Holder> | null;
  held: number;
};

/** Of what the others of its level leave: one alone gets three quarters, two get three sevenths each, and so on. */
const MAX_SHARE_OF_REST = 0.75;
/** From then on the narrowest level, which is the session, gets no second place. */
const CROWDED_FROM = 0.5;

/**
 * Divides places among callers without knowing how many will come: nobody may take all that the others leave. So there is room
 * for the next one, and those who hold much shrink to their share as their places come back. Each level divides what the level
 * above may hold.
 */
export function createFairShares(): FairShares {
  const root: Holder = { parent: null, name: '', parts: null, held: 0 };

  function hasRoom(caller: CallerPath, limit: number): boolean {
    let allowed = limit;
    let crowd = 0;
    let holder: Holder | undefined = root;
    for (const name of caller) {
      const heldByAll: number = holder?.held ?? 0;
      holder = holder?.parts?.get(name);
      const held = holder?.held ?? 0;
      crowd = heldByAll / allowed;
      allowed = MAX_SHARE_OF_REST * (allowed - (heldByAll - held));
      if (held >= allowed) return false;
    }
    const isFirst = (holder?.held ?? 0) === 0;
    return root.held < limit && (isFirst || crowd < CROWDED_FROM);
  }

  return {
    take(caller, limit) {
      if (!hasRoom(caller, limit)) return null;
      let holder = root;
      root.held += 1;
      for (const name of caller) {
        holder = partOf(holder, name);
        holder.held += 1;
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
    get held() {
      return root.held;
    },
  };
}

function partOf(holder: Holder, name: string): Holder {
  holder.parts ??= new Map();
  const known = holder.parts.get(name);
  if (known) return known;
  const part: Holder = { parent: holder, name, parts: null, held: 0 };
  holder.parts.set(name, part);
  return part;
}

/**
 * Who asks, from the widest to the narrowest: the assistant, its address, the session. What is scarce is shared level by level,
 * so that a session competes with those of its address, and an assistant's traffic only as a whole with another's.
 */
export type CallerPath = readonly string[];

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
