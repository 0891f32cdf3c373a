import { LRUCache } from 'lru-cache';

/**
 * The names of a caller, from the widest to the narrowest: assistant, address, session. A path without names is a call that serves all
 * callers.
 */
export type CallerPath = readonly string[];

/** The callers that wait for one piece of work; they may come and go while it waits. */
export type Callers = Iterable<CallerPath>;

export type FairLine<Item> = {
  add(item: Item, callers: Callers): WaitingItem<Item>;
  remove(place: WaitingItem<Item>): boolean;
  /** The place whose turn it is, among callers that are allowed, and the caller whose turn it uses. */
  next(isAllowed?: (caller: CallerPath) => boolean): Turn<Item> | undefined;
  /** Notes that a call of this caller begins. Call the returned function when it ends. */
  begin(caller: CallerPath): () => void;
  /** The calls in flight of an assistant. */
  inFlight(assistant: string): number;
  /** The newest place of the assistant that waits for most, and of its caller that waits for most. */
  lastOfLongest(): WaitingItem<Item> | undefined;
  /** In order of arrival. */
  readonly waiting: ReadonlySet<WaitingItem<Item>>;
};

export type WaitingItem<Item> = { readonly item: Item; readonly callers: Callers };
export type Turn<Item> = { readonly place: WaitingItem<Item>; readonly caller: CallerPath };

/** Names beyond this lose their place in the order of turns. */
const MAX_KNOWN_NAMES = 10_000;

/**
 * Who is next: the caller whose assistant has the fewest calls in flight and, among equals, has waited longest since its last turn; then
 * the same among the callers of that assistant.
 */
export function createFairLine<Item>(): FairLine<Item> {
  const waiting = new Set<WaitingItem<Item>>();
  const calls = new Map<string, number>();
  const lastTurns = new LRUCache<string, number>({ max: MAX_KNOWN_NAMES });
  let turn = 0;

  function count(name: string, change: 1 | -1): void {
    const now = (calls.get(name) ?? 0) + change;
    if (now > 0) calls.set(name, now);
    else calls.delete(name);
  }

  function rankOf(caller: CallerPath): readonly number[] {
    return namesOf(caller).flatMap((name) => [calls.get(name) ?? 0, lastTurns.get(name) ?? 0]);
  }

  return {
    waiting,
    add(item, callers) {
      const place = { item, callers };
      waiting.add(place);
      return place;
    },
    remove: (place) => waiting.delete(place),
    next(isAllowed = () => true) {
      let found: (Turn<Item> & { readonly rank: readonly number[] }) | undefined;
      for (const place of waiting) {
        for (const caller of place.callers) {
          if (!isAllowed(caller)) continue;
          const rank = rankOf(caller);
          if (!found || isBefore(rank, found.rank)) found = { place, caller, rank };
        }
      }
      return found;
    },
    begin(caller) {
      turn += 1;
      const names = namesOf(caller);
      for (const name of names) {
        count(name, 1);
        lastTurns.set(name, turn);
      }
      return () => {
        for (const name of names) count(name, -1);
      };
    },
    inFlight: (assistant) => calls.get(assistant) ?? 0,
    lastOfLongest() {
      const lengths = new Map<string, number>();
      const ofPlaces = Array.from(waiting, (place) => {
        const [first = []] = place.callers;
        return { place, names: namesOf(first) };
      });
      for (const { names } of ofPlaces) {
        for (const name of names) lengths.set(name, (lengths.get(name) ?? 0) + 1);
      }
      let longest: { readonly place: WaitingItem<Item>; readonly rank: readonly number[] } | undefined;
      for (const { place, names } of ofPlaces) {
        const rank = names.map((name) => lengths.get(name) ?? 0);
        if (!longest || !isBefore(rank, longest.rank)) longest = { place, rank };
      }
      return longest?.place;
    },
  };
}

/** A session is free to open, so it has no turns of its own. */
function namesOf([assistant, address = '']: CallerPath): readonly string[] {
  return assistant === undefined ? [] : [assistant, `${assistant}\n${address}`];
}

/** A missing number comes first: work for all callers waits for none of them. */
function isBefore(one: readonly number[], other: readonly number[]): boolean {
  const at = other.findIndex((number, index) => number !== one[index]);
  return at >= 0 && (one[at] ?? -1) < (other[at] ?? -1);
}

export type FairSemaphore = {
  /** Null when the queue is full, or when the signal aborts before a place is free. */
  enter(signal: AbortSignal, callers: Callers): Promise<HeldPlace | null>;
};

export type HeldPlace = {
  /** The caller for whom it entered. */
  readonly caller: CallerPath;
  /** A second call does nothing. */
  leave(): void;
};

type Waiter = { end(place: HeldPlace | null): void };

/**
 * Limits how many calls run and wait, so that a slow operator does not fill the memory with waiting calls. When the queue is full, the
 * caller with the most waiting calls loses one.
 */
export function createFairSemaphore({
  limit,
  queueLimit,
}: {
  readonly limit: number;
  readonly queueLimit: number;
}): FairSemaphore {
  const line = createFairLine<Waiter>();
  let free = limit;

  function admit(caller: CallerPath): HeldPlace {
    const end = line.begin(caller);
    free -= 1;
    let hasLeft = false;
    return {
      caller,
      leave() {
        if (hasLeft) return;
        hasLeft = true;
        end();
        free += 1;
        const next = line.next();
        next?.place.item.end(admit(next.caller));
      },
    };
  }

  return {
    async enter(signal, callers) {
      if (signal.aborted) return null;
      const [first = []] = callers;
      if (free > 0) return admit(first);
      return new Promise((resolve) => {
        const giveUp = () => end(null);
        const end = (place: HeldPlace | null) => {
          line.remove(own);
          signal.removeEventListener('abort', giveUp);
          resolve(place);
        };
        const own = line.add({ end }, callers);
        signal.addEventListener('abort', giveUp, { once: true });
        if (line.waiting.size > queueLimit) line.lastOfLongest()?.item.end(null);
      });
    },
  };
}
