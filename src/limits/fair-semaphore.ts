import type { Clock } from '../clock.ts';
import { createFairQueue, type Line, type QueuePlace } from './fair-queue.ts';

export type Entrance =
  | EnteredGate
  /** The queue is full, or the signal aborted before a place was free. */
  | { readonly kind: 'turned_away' };

export type EnteredGate = {
  readonly kind: 'entered';
  /** The caller for whom it entered. */
  readonly line: Line;
  /** Call it when the work is done; a second call does nothing. */
  leave(): void;
};

export type ConcurrencyGate = {
  /** Null when there is no free place. */
  enterAtOnce(line?: Line): EnteredGate | null;
  enter(signal: AbortSignal, callers?: Callers): Promise<Entrance>;
};

/** The callers that share a call. It waits in the lines of all of them and enters with the first. */
export type Callers = {
  /**
   * Calls `join` for every present and later caller, and the function that `join` returns when that caller leaves. The returned
   * function unsubscribes.
   */
  follow(join: (line: Line) => () => void): () => void;
};

type Waiter = { places: number; enter(line: Line, endCall: () => void): void; turnAway(): void };

const TURNED_AWAY: Entrance = { kind: 'turned_away' };
const SOMEBODY: Callers = { follow: (join) => join([]) };

/**
 * Limits how many calls run and wait, so that a slow operator does not fill the memory with waiting calls. Callers enter in fair order;
 * when the queue is full, the caller with the most waiting calls loses one. The last place is reserved for an address without one, so
 * that an address with slow calls cannot block all others; of two reserved places, the very last is for an assistant without one.
 */
export function createConcurrencyGate({
  clock,
  limit,
  reserved = 0,
  queueLimit,
}: {
  readonly clock: Pick<Clock, 'elapsed'>;
  readonly limit: number;
  readonly reserved?: 0 | 1 | 2;
  readonly queueLimit: number;
}): ConcurrencyGate {
  const queue = createFairQueue<Waiter>(clock.elapsed);

  function hasRoomFor([assistant = '', address = '']: Line): boolean {
    const without = [[assistant], [assistant, address]].filter((names) => queue.underWay(names) === 0).length;
    return queue.underWay([]) < limit - reserved + Math.min(without, reserved);
  }

  function admit(line: Line, end: () => void): EnteredGate {
    let left = false;
    return {
      kind: 'entered',
      line,
      leave() {
        if (left) return;
        left = true;
        end();
        while (queue.underWay([]) < limit) {
          const next = queue.take(hasRoomFor);
          if (!next) break;
          next.item.enter(next.line, next.end);
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
        enter: (line, endCall) => end(() => admit(line, endCall)),
        turnAway: () => end(() => TURNED_AWAY),
      };
      signal.addEventListener('abort', waiter.turnAway, { once: true });
      leaveAll = callers.follow((line) => {
        if (!hasEnded && hasRoomFor(line)) waiter.enter(line, queue.begin(line));
        if (hasEnded) return () => {};
        const place = queue.add(line, waiter);
        waiter.places += 1;
        if (queue.size > queueLimit) pushOut(queue.lastOfLongest(place));
        return () => pushOut(place);
      });
      // It entered or was refused while it joined.
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
    enterAtOnce: (line = []) => (hasRoomFor(line) ? admit(line, queue.begin(line)) : null),
    async enter(signal, callers = SOMEBODY) {
      return signal.aborted ? TURNED_AWAY : waitInQueue(signal, callers);
    },
  };
}
