import { untilAborted } from './deadline.ts';

/** Starts the work, or joins the one that is in flight under the same key. Rejects with the signal's reason once it aborts. */
export type Coalesce<Result> = (
  key: string,
  start: (signal: AbortSignal) => Promise<Result>,
  signal: AbortSignal,
) => Promise<Result>;

type Shared<Result> = {
  readonly result: Promise<Result>;
  readonly controller: AbortController;
  waiting: number;
};

/** A caller's abort does not affect the others; the work is aborted when its last caller has gone. */
export function createCoalescer<Result>(): Coalesce<Result> {
  const inFlight = new Map<string, Shared<Result>>();

  function begin(key: string, start: (signal: AbortSignal) => Promise<Result>): Shared<Result> {
    const controller = new AbortController();
    const result = new Promise<Result>((resolve) => resolve(start(controller.signal)));
    const shared: Shared<Result> = { result, controller, waiting: 0 };
    const forget = () => {
      if (inFlight.get(key) === shared) inFlight.delete(key);
    };
    result.then(forget, forget);
    inFlight.set(key, shared);
    return shared;
  }

  return async (key, start, signal) => {
    signal.throwIfAborted();
    const shared = inFlight.get(key) ?? begin(key, start);
    shared.waiting += 1;
    try {
      return await untilAborted(shared.result, signal);
    } finally {
      shared.waiting -= 1;
      if (shared.waiting === 0 && inFlight.get(key) === shared) {
        // The next caller must not join work that is being aborted.
        inFlight.delete(key);
        shared.controller.abort(signal.reason);
      }
    }
  };
}
