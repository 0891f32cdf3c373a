import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';
import { type InterfaceCalls, isSession } from './interface-calls.ts';

export type OpeningReply = ReturnType<InterfaceCalls['open']>;

/**
 * Sessions that calls without a handle have opened under a key of their client. A call that opens a session also uses it, so that
 * the interface, which gives a repeated key only a session that nobody has used, would open another one for a repeat.
 */
export type KeyedOpenings = {
  /** The session that was opened under this name, or being opened, or a new one. */
  open(name: string, openNew: () => OpeningReply): OpeningReply;
  /** Somebody has its handle, so that whoever repeats the key now is in another conversation. */
  forget(session: string): void;
};

/** As long as the interface repeats an opening. */
const MAX_REPEAT_MS = 60_000;
/** Beyond it the oldest are forgotten: their keys open new sessions, which harms nobody. */
const MAX_OPENINGS = 20_000;

export function createKeyedOpenings(elapsed: Clock['elapsed']): KeyedOpenings {
  const openings = new LRUCache<string, { readonly opened: OpeningReply; readonly at: number }>({
    max: MAX_OPENINGS,
  });
  const nameOf = new LRUCache<string, string>({ max: MAX_OPENINGS });

  function begin(name: string, openNew: () => OpeningReply): OpeningReply {
    const opened = openNew().then(
      (body) => {
        if (isSession(body)) nameOf.set(body.session, name);
        else openings.delete(name);
        return body;
      },
      (fault: unknown) => {
        openings.delete(name);
        throw fault;
      },
    );
    openings.set(name, { opened, at: elapsed() });
    return opened;
  }

  async function open(name: string, openNew: () => OpeningReply): OpeningReply {
    const earlier = openings.get(name);
    if (!earlier || elapsed() - earlier.at > MAX_REPEAT_MS) return begin(name, openNew);
    // Whoever came first may have left before it was opened.
    return earlier.opened.catch(() => open(name, openNew));
  }

  return {
    open,
    forget(session) {
      const name = nameOf.get(session);
      if (name === undefined) return;
      nameOf.delete(session);
      openings.delete(name);
    },
  };
}

/** The calls of one tool call, whose opening is found again when the call is repeated under its key. */
export function withKeyedOpenings(
  calls: InterfaceCalls,
  openings: KeyedOpenings,
  caller: string,
): InterfaceCalls {
  const opened = new Set<string>();
  const use = (session: string) => {
    if (!opened.has(session)) openings.forget(session);
  };
  return {
    ...calls,
    async open(source, key) {
      const body =
        key === null
          ? await calls.open(source, key)
          : await openings.open(JSON.stringify([caller, source, key]), () => calls.open(source, key));
      if (isSession(body)) opened.add(body.session);
      return body;
    },
    search(session, values, key) {
      use(session);
      return calls.search(session, values, key);
    },
    result(session, view) {
      use(session);
      return calls.result(session, view);
    },
  };
}
