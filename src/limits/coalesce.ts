import type { Line } from './fair-queue.ts';
import type { Callers } from './fair-semaphore.ts';

/** Starts the work, or joins work in flight for the same key. Rejects with the signal's reason when it aborts. */
export type Coalesce<Result> = (
  key: string,
  start: SharedWork<Result>,
  signal: AbortSignal,
  caller?: { readonly line?: Line | undefined; readonly onLeftBehind?: OnLeftBehind | undefined },
) => Promise<Result>;

/** Notified of work that continues after its last caller left; the promise resolves when the work has ended. */
export type OnLeftBehind = (work: Promise<unknown>) => void;

/** The signal aborts when the last caller leaves. */
type SharedWork<Result> = (signal: AbortSignal, callers: Callers) => Promise<Result>;

type Shared<Result> = {
  readonly result: Promise<Result>;
  readonly controller: AbortController;
  readonly audience: Audience;
};

/** A caller's abort does not affect the others; the work aborts when its last caller leaves. */
export function createCoalescer<Result>(): Coalesce<Result> {
  const inFlight = new Map<string, Shared<Result>>();

  function begin(key: string, start: SharedWork<Result>, first: Listener): Shared<Result> {
    const controller = new AbortController();
    const audience = createAudience(first);
    const result = new Promise<Result>((resolve) => resolve(start(controller.signal, audience)));
    const shared: Shared<Result> = { result, controller, audience };
    const forget = () => {
      if (inFlight.get(key) === shared) inFlight.delete(key);
    };
    result.then(forget, forget);
    inFlight.set(key, shared);
    return shared;
  }

  function join(key: string, start: SharedWork<Result>, listener: Listener): Shared<Result> {
    const shared = inFlight.get(key);
    if (!shared) return begin(key, start, listener);
    shared.audience.add(listener);
    return shared;
  }

  function leave(
    key: string,
    { audience, controller, result }: Shared<Result>,
    one: Listener,
    reason: unknown,
  ): void {
    audience.remove(one);
    if (!audience.isEmpty() || inFlight.get(key)?.controller !== controller) return;
    // The next caller must not join work that is being aborted.
    inFlight.delete(key);
    controller.abort(reason);
    one.onLeftBehind?.(result);
  }

  return (key, start, signal, { line = [], onLeftBehind } = {}) => {
    if (signal.aborted) return Promise.reject(signal.reason);
    const listener: Listener = { line, onLeftBehind, leave: null };
    const shared = join(key, start, listener);
    return new Promise((resolve, reject) => {
      const giveUp = () => end(() => reject(signal.reason));
      const end = (settle: () => void) => {
        signal.removeEventListener('abort', giveUp);
        leave(key, shared, listener, signal.reason);
        settle();
      };
      signal.addEventListener('abort', giveUp, { once: true });
      shared.result.then(
        (result) => end(() => resolve(result)),
        (error) => end(() => reject(error)),
      );
    });
  };
}

type Listener = {
  readonly line: Line;
  readonly onLeftBehind: OnLeftBehind | undefined;
  leave: (() => void) | null;
};

type Audience = Callers & {
  add(listener: Listener): void;
  remove(listener: Listener): void;
  isEmpty(): boolean;
};

function createAudience(first: Listener): Audience {
  const listeners = new Set([first]);
  let join: ((line: Line) => () => void) | null = null;

  function leave(listener: Listener): void {
    const leaving = listener.leave;
    listener.leave = null;
    leaving?.();
  }

  return {
    add(listener) {
      listeners.add(listener);
      if (join) listener.leave = join(listener.line);
    },
    remove(listener) {
      listeners.delete(listener);
      leave(listener);
    },
    isEmpty: () => listeners.size === 0,
    follow(next) {
      join = next;
      for (const listener of listeners) listener.leave = next(listener.line);
      return () => {
        if (join === next) join = null;
        for (const listener of listeners) leave(listener);
      };
    },
  };
}
