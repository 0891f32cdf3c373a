export type Entrance =
  /** Leave when the work is done; leaving twice does nothing. */
  | { readonly kind: 'entered'; leave(): void }
  /** The queue is full, or the signal aborted before there was room. */
  | { readonly kind: 'turned_away' };

export type ConcurrencyGate = {
  enter(signal: AbortSignal): Promise<Entrance>;
  readonly inside: number;
  readonly queued: number;
};

/** Limits how many calls run and how many wait, so that a slow operator does not fill the memory with waiting calls. */
export function createConcurrencyGate({
  limit,
  queueLimit,
}: {
  readonly limit: number;
  readonly queueLimit: number;
}): ConcurrencyGate {
  let inside = 0;
  const queue = new Set<() => void>();

  function admit(): Entrance {
    inside += 1;
    let left = false;
    return {
      kind: 'entered',
      leave() {
        if (left) return;
        left = true;
        inside -= 1;
        const [next] = queue;
        next?.();
      },
    };
  }

  function waitInQueue(signal: AbortSignal): Promise<Entrance> {
    return new Promise((resolve) => {
      const proceed = () => {
        queue.delete(proceed);
        signal.removeEventListener('abort', giveUp);
        resolve(admit());
      };
      const giveUp = () => {
        queue.delete(proceed);
        resolve({ kind: 'turned_away' });
      };
      queue.add(proceed);
      signal.addEventListener('abort', giveUp, { once: true });
    });
  }

  return {
    async enter(signal) {
      if (signal.aborted) return { kind: 'turned_away' };
      if (inside < limit) return admit();
      return queue.size < queueLimit ? waitInQueue(signal) : { kind: 'turned_away' };
    },
    get inside() {
      return inside;
    },
    get queued() {
      return queue.size;
    },
  };
}
