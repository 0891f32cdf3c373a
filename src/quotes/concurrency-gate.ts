/** Call it when the work is done; calling it again does nothing. */
type Leave = () => void;

export type ConcurrencyGate = {
  /** `undefined` when the queue is full, or when the signal aborts before there is room. */
  enter(signal: AbortSignal): Promise<Leave | undefined>;
  readonly inside: number;
  readonly queued: number;
};

/** So many at a time, so many waiting, the rest turned away at once: a slow operator must not collect our memory. */
export function createConcurrencyGate({
  limit,
  queueLimit,
}: {
  readonly limit: number;
  readonly queueLimit: number;
}): ConcurrencyGate {
  let inside = 0;
  const queue = new Set<() => void>();

  function admit(): Leave {
    inside += 1;
    let left = false;
    return () => {
      if (left) return;
      left = true;
      inside -= 1;
      const [next] = queue;
      next?.();
    };
  }

  function waitInLine(signal: AbortSignal): Promise<Leave | undefined> {
    return new Promise((resolve) => {
      const comeIn = () => {
        queue.delete(comeIn);
        signal.removeEventListener('abort', goAway);
        resolve(admit());
      };
      const goAway = () => {
        queue.delete(comeIn);
        resolve(undefined);
      };
      queue.add(comeIn);
      signal.addEventListener('abort', goAway, { once: true });
    });
  }

  return {
    async enter(signal) {
      if (signal.aborted) return undefined;
      if (inside < limit) return admit();
      return queue.size < queueLimit ? waitInLine(signal) : undefined;
    },
    get inside() {
      return inside;
    },
    get queued() {
      return queue.size;
    },
  };
}
