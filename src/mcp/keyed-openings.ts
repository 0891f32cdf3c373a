import { hash } from 'node:crypto';
import type { SessionBody } from '../contract/session-body.ts';
import type { RecentOpenings } from '../sessions/recent-openings.ts';
import { hasStep, type InterfaceCalls, isSession } from './interface-calls.ts';
import type { SpareSessions } from './spare-sessions.ts';

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

/** With a way to give a session back that the call has opened, and neither used nor told anybody of. */
export type ToolCalls = InterfaceCalls & {
  /** False for one that is found again in another way, or that was not opened by this call. */
  giveBack(session: string): boolean;
};

/** The calls of one tool call, whose opening is found again when the call is repeated under its key. */
export function withKeyedOpenings(
  calls: InterfaceCalls,
  { openings, spares }: { readonly openings: KeyedOpenings; readonly spares: SpareSessions },
  caller: string,
): ToolCalls {
  const opened = new Set<string>();
  const withoutKey = new Map<string, { readonly name: string; readonly body: SessionBody }>();
  const use = async (session: string) => {
    if (!opened.has(session)) await openings.forget(session);
  };
  async function openWithoutKey(source: string | null): OpeningReply {
    const name = JSON.stringify([caller, source]);
    const spare = spares.take(name);
    const body = spare && (await isUnused(spare)) ? spare : await calls.open(source, null);
    if (isSession(body)) withoutKey.set(body.session, { name, body });
    return body;
  }

  /** It may have ended, and what is said to be refused may have been stored by a thread that was lost. */
  async function isUnused({ session }: SessionBody): Promise<boolean> {
    const step = await calls.search(session, {}, null);
    return hasStep(step) && Object.keys(step.received).length === 0;
  }

  return {
    ...calls,
    async open(source, key) {
      const body =
        key === null
          ? await openWithoutKey(source)
          : await openings.open(JSON.stringify([caller, source, key]), () => calls.open(source, key));
      if (isSession(body)) opened.add(body.session);
      return body;
    },
    giveBack(session) {
      const unused = withoutKey.get(session);
      if (!unused) return false;
      withoutKey.delete(session);
      spares.keep(unused.name, unused.body);
      return true;
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
