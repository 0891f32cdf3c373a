import { hash } from 'node:crypto';
import type { RecentOpenings } from '../sessions/recent-openings.ts';
import { type InterfaceCalls, isSession } from './interface-calls.ts';

export type OpeningReply = ReturnType<InterfaceCalls['open']>;
export type OpeningBody = Awaited<OpeningReply>;

/**
 * Sessions that calls without a handle have opened under a key of their client. A call that opens a session also uses it, so that
 * the interface, which gives a repeated key only a session that nobody has used, would open another one for a repeat.
 */
export type KeyedOpenings = {
  /** The session that was opened under this name, or being opened, or a new one. */
  open(name: string, openNew: () => OpeningReply): OpeningReply;
  /** Somebody has its handle, so that whoever repeats the key now is in another conversation. */
  forget(session: string): void | Promise<void>;
};

export function createKeyedOpenings(openings: RecentOpenings<OpeningBody>): KeyedOpenings {
  return {
    open(name, openNew) {
      // Names hold keys of clients, which are nobody else's business.
      const id = hash('sha256', name, 'base64url');
      // In turn, so that those who wait open a session when whoever came first has left.
      return openings.inTurn(id, async () => {
        const earlier = await openings.find(id);
        if (earlier) return earlier;
        const body = await openNew();
        if (isSession(body)) await openings.remember(id, body.session, body);
        return body;
      });
    },
    forget: (session) => openings.forget(session),
  };
}

/** The calls of one tool call, whose opening is found again when the call is repeated under its key. */
export function withKeyedOpenings(
  calls: InterfaceCalls,
  openings: KeyedOpenings,
  caller: string,
): InterfaceCalls {
  const opened = new Set<string>();
  const use = async (session: string) => {
    if (!opened.has(session)) await openings.forget(session);
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
    async search(session, values, key) {
      await use(session);
      return calls.search(session, values, key);
    },
    async result(session, view) {
      await use(session);
      return calls.result(session, view);
    },
  };
}
