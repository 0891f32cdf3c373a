import { createFairQueue, type Line, type QueuePlace } from './fair-queue.ts';

export type Entrance =
  | EnteredGate
  /** The queue is full, or the signal aborted before there was room. */
  | { readonly kind: 'turned_away' };

export type EnteredGate = {
  readonly kind: 'entered';
  /** When the work is done; leaving twice does nothing. */
  leave(): void;
};

export type ConcurrencyGate = {
  /** Null when there is no free place. */
  enterAtOnce(): EnteredGate | null;
  enter(signal: AbortSignal, callers?: Callers): Promise<Entrance>;
};

/** Those for whom a call is made. It waits in the lines of all of them and enters when the first of them would. */
export type Callers = {
  /**
   * Calls `join` for everyone there is and everyone who comes later; what it returns is called when that one goes. The returned
   * function ends all of it.
   */
  follow(join: (line: Line) => () => void): () => void;
};

type Waiter = { places: number; enter(): void; turnAway(): void };

const TURNED_AWAY: Entrance = { kind: 'turned_away' };
const SOMEBODY: Callers = { follow: (join) => join([]) };

/**
 * Limits how many calls run and how many wait, so that a slow operator does not fill the memory with waiting calls. Callers
 * enter by turns, and when the queue is full it is the one with the most waiting calls that loses one.
 */
export function createConcurrencyGate({
  limit,
  queueLimit,
}: {
  readonly limit: number;
  readonly queueLimit: number;
}): ConcurrencyGate {
  let inside = 0;
  const queue = createFairQueue<Waiter>();

  function admit(): EnteredGate {
    inside += 1;
    let left = false;
    return {
      kind: 'entered',
      leave() {
        if (left) return;
        left = true;
        inside -= 1;
        queue.take()?.item.enter();
      },
    };
  }

  function waitInQueue(signal: AbortSignal, callers: Callers): Promise<Entrance> {
    return new Promise((resolve) => {
      let hasEnded = false;
      let leaveAll = () => {};
      const end = (how: () => Entrance) => {
        if (hasEnded) return;
        hasEnded = true;
        signal.removeEventListener('abort', waiter.turnAway);
        leaveAll();
        resolve(how());
      };
      const waiter: Waiter = {
        places: 0,
        enter: () => end(admit),
        turnAway: () => end(() => TURNED_AWAY),
      };
      signal.addEventListener('abort', waiter.turnAway, { once: true });
      leaveAll = callers.follow((line) => {
        const place = queue.add(line, waiter);
        waiter.places += 1;
        if (queue.size > queueLimit) pushOut(queue.lastOfLongest(place));
        return () => pushOut(place);
      });
      // Turned away while it joined.
      if (hasEnded) leaveAll();
    });
  }

  function pushOut(place: QueuePlace<Waiter> | undefined): void {
    if (!place?.leave()) return;
    const { item } = place;
    item.places -= 1;
    if (item.places === 0) item.turnAway();
  }

  const enterAtOnce = () => (inside < limit ? admit() : null);

  return {
    enterAtOnce,
    async enter(signal, callers = SOMEBODY) {
      if (signal.aborted) return TURNED_AWAY;
      return enterAtOnce() ?? waitInQueue(signal, callers);
    },
  };
}
