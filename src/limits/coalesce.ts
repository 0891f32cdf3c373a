import type { CallerPath, Callers } from './fair-semaphore.ts';

/** Starts the work, or joins work in flight for the same key. Rejects with the signal's reason when it aborts. */
export type Coalesce<Result> = (
  key: string,
  start: SharedWork<Result>,
  signal: AbortSignal,
  caller?: { readonly path?: CallerPath | undefined; readonly onLeftBehind?: OnLeftBehind | undefined },
) => Promise<Result>;

/** Notified of work that continues after its last caller left; the promise resolves when the work has ended. */
export type OnLeftBehind = (work: Promise<unknown>) => void;

/** The signal aborts when the last caller leaves; `callers` are those present. */
type SharedWork<Result> = (signal: AbortSignal, callers: Callers) => Promise<Result>;

type Caller = { readonly path: CallerPath };

type Shared<Result> = {
  readonly result: Promise<Result>;
  readonly controller: AbortController;
  readonly present: Set<Caller>;
};

/** A caller's abort does not affect the others; the work aborts when its last caller leaves. */
export function createCoalescer<Result>(): Coalesce<Result> {
  const inFlight = new Map<string, Shared<Result>>();

  function begin(key: string, start: SharedWork<Result>, first: Caller): Shared<Result> {
    const controller = new AbortController();
    const present = new Set([first]);
    const callers: Callers = { [Symbol.iterator]: () => present.values().map(({ path }) => path) };
    const result = new Promise<Result>((resolve) => resolve(start(controller.signal, callers)));
    const shared: Shared<Result> = { result, controller, present };
    const forget = () => {
      if (inFlight.get(key) === shared) inFlight.delete(key);
    };
    result.then(forget, forget);
    inFlight.set(key, shared);
    return shared;
  }

  return (key, start, signal, { path = [], onLeftBehind } = {}) => {
    if (signal.aborted) return Promise.reject(signal.reason);
    const caller: Caller = { path };
    const shared = inFlight.get(key) ?? begin(key, start, caller);
    const { present, controller, result } = shared;
    present.add(caller);
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        present.delete(caller);
        reject(signal.reason);
        if (present.size > 0 || inFlight.get(key) !== shared) return;
        // The next caller must not join work that is being aborted.
        inFlight.delete(key);
        controller.abort(signal.reason);
        onLeftBehind?.(result);
      };
      const end = (conclude: () => void) => {
        signal.removeEventListener('abort', giveUp);
        conclude();
      };
      signal.addEventListener('abort', giveUp, { once: true });
      result.then(
        (value) => end(() => resolve(value)),
        (error) => end(() => reject(error)),
      );
    });
  };
}
