import { ClientGone, type WaitingClient } from './deadline.ts';

/** Runs work for the same key one at a time, in order of arrival. Different keys run concurrently. */
type OneAtATime = <T>(
  key: string,
  work: (turn: { readonly waited: boolean }) => Promise<T>,
  line?: WaitingLine<T>,
) => Promise<T>;

type WaitingLine<T> = {
  /** Rejects with `ClientGone` if the client leaves before its turn. */
  readonly client: WaitingClient;
  readonly maxWaiting: number;
  readonly whenFull: () => T;
};

type Waiting = Set<() => void>;

export function createOneAtATime(): OneAtATime {
  // Null while one caller works and none waits, the ordinary case.
  const lines = new Map<string, Waiting | null>();

  function waitFor(key: string, client: WaitingClient | undefined): Promise<void> {
    const waiting: Waiting = lines.get(key) ?? new Set();
    lines.set(key, waiting);
    const departure = client?.departure();
    return new Promise((resolve, reject) => {
      const proceed = () => {
        departure?.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = () => {
        waiting.delete(proceed);
        reject(new ClientGone());
      };
      if (departure?.aborted) return giveUp();
      waiting.add(proceed);
      departure?.addEventListener('abort', giveUp, { once: true });
    });
  }

  return async (key, work, line) => {
    const waiting = lines.get(key);
    const waited = waiting !== undefined;
    if (waited) {
      if (line && (waiting?.size ?? 0) >= line.maxWaiting) return line.whenFull();
      await waitFor(key, line?.client);
    } else lines.set(key, null);
    try {
      return await work({ waited });
    } finally {
      const others = lines.get(key);
      const [next] = others ?? [];
      if (next === undefined) lines.delete(key);
      else {
        others?.delete(next);
        next();
      }
    }
  };
}

/** Runs work in order of the calls, each after the previous one ended. A failure does not stop the next. */
export function createSequence(): (work: () => Promise<void>) => Promise<void> {
  let previous: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = previous.then(work);
    previous = done.catch(() => undefined);
    return done;
  };
}
