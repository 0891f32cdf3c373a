import { createFairQueue, type Line, type QueuePlace } from './fair-queue.ts';

export type Entrance =
  | EnteredGate
  /** The queue is full, or the signal aborted before there was room. */
  | { readonly kind: 'turned_away' };

export type EnteredGate = {
  readonly kind: 'entered';
  /** An assistant and one of its addresses, whatever the session: a caller opens as many of those as it likes. */
  readonly address: string;
  /** When the work is done; leaving twice does nothing. */
  leave(): void;
};

export type ConcurrencyGate = {
  /** Null when there is no free place. */
  enterAtOnce(line?: Line): EnteredGate | null;
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

type Waiter = { places: number; enter(line: Line): void; turnAway(): void };

const TURNED_AWAY: Entrance = { kind: 'turned_away' };
const SOMEBODY: Callers = { follow: (join) => join([]) };

/**
 * Limits how many calls run and how many wait, so that a slow operator does not fill the memory with waiting calls. Callers
 * enter by turns, and when the queue is full it is the one with the most waiting calls that loses one. With `reservesLast` the
 * last place is for an address that has none: one whose calls take long would keep all others waiting.
 */
export function createConcurrencyGate({
  limit,
  reservesLast = false,
  queueLimit,
}: {
  readonly limit: number;
  readonly reservesLast?: boolean;
  readonly queueLimit: number;
}): ConcurrencyGate {
  let inside = 0;
  const insideByAddress = new Map<string, number>();
  const queue = createFairQueue<Waiter>();

  function hasRoomFor(line: Line): boolean {
    if (!reservesLast || inside !== limit - 1) return inside < limit;
    return !insideByAddress.has(addressOf(line));
  }

  function count(change: 1 | -1, address: string): void {
    inside += change;
    const calls = (insideByAddress.get(address) ?? 0) + change;
    if (calls > 0) insideByAddress.set(address, calls);
    else insideByAddress.delete(address);
  }

  function admit(line: Line): EnteredGate {
    const address = addressOf(line);
    count(1, address);
    let left = false;
    return {
      kind: 'entered',
      address,
      leave() {
        if (left) return;
        left = true;
        count(-1, address);
        while (inside < limit) {
          const next = queue.take(hasRoomFor);
          if (!next) break;
          next.item.enter(next.line);
        }
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
        enter: (line) => end(() => admit(line)),
        turnAway: () => end(() => TURNED_AWAY),
      };
      signal.addEventListener('abort', waiter.turnAway, { once: true });
      leaveAll = callers.follow((line) => {
        if (!hasEnded && hasRoomFor(line)) waiter.enter(line);
        if (hasEnded) return () => {};
        const place = queue.add(line, waiter);
        waiter.places += 1;
        if (queue.size > queueLimit) pushOut(queue.lastOfLongest(place));
        return () => pushOut(place);
      });
      // It entered, or was turned away, while it joined.
      if (hasEnded) leaveAll();
    });
  }

  function pushOut(place: QueuePlace<Waiter> | undefined): void {
    if (!place?.leave()) return;
    const { item } = place;
    item.places -= 1;
    if (item.places === 0) item.turnAway();
  }

  return {
    enterAtOnce: (line = []) => (hasRoomFor(line) ? admit(line) : null),
    async enter(signal, callers = SOMEBODY) {
      return signal.aborted ? TURNED_AWAY : waitInQueue(signal, callers);
    },
  };
}

function addressOf([assistant, address]: Line): string {
  return `${assistant} ${address}`;
}
