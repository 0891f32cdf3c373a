import { hash } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { SessionBody } from '../contract/session-body.ts';
import { MAX_REPEAT_MS, type RecentOpenings } from '../sessions/recent-openings.ts';
import { hasStep, type InterfaceCalls, isSession } from './interface-calls.ts';

type OpeningReply = ReturnType<InterfaceCalls['open']>;
export type OpeningBody = Awaited<OpeningReply>;

/**
 * Sessions that calls without a handle opened. One that was opened under a key of the client is stored under it: the call also uses its
 * session, and the interface returns only unused sessions for a repeated key, so a repeat would open another one. One that was opened
 * without a key and not used, because the search was refused until later, is a spare: no client knows it, so the next call takes it.
 * Otherwise a client that retries would leave an open session behind each time.
 */
export type SessionOpenings = {
  /** The session opened, or being opened, under this name; otherwise a new one. */
  open(name: string, openNew: () => OpeningReply): OpeningReply;
  /** Called once a client uses its handle: a repeat of the key then belongs to another conversation. */
  forget(session: string): void | Promise<void>;
  /** Removes and returns the newest spare of this name. */
  takeSpare(name: string): SessionBody | undefined;
  /** Stores recent sessions only, because the next caller expects nearly the lifetime of a new one. */
  addSpare(name: string, opened: SessionBody): void;
};

/** Beyond this number the oldest are dropped and expire. */
const MAX_SPARES = 1000;

export function createSessionOpenings(
  openings: RecentOpenings<OpeningBody>,
  clock: Pick<Clock, 'elapsed'>,
): SessionOpenings {
  const spares: { readonly name: string; readonly opened: SessionBody; readonly storedAt: number }[] = [];
  /** When each was first stored, also after it was taken, for one that comes back again. */
  const firstStoredAt = new WeakMap<SessionBody, number>();
  const isRecent = (storedAt: number) => clock.elapsed() - storedAt <= MAX_REPEAT_MS;

  return {
    open(name, openNew) {
      // Hashed, because names contain the secret keys of clients.
      const id = hash('sha256', name, 'base64url');
      // One after another, so that a waiting call opens a session if the first one was abandoned.
      return openings.inTurn(id, async () => {
        const earlier = await openings.find(id);
        if (earlier) return earlier;
        const body = await openNew();
        if (isSession(body)) await openings.remember(id, body.session, body);
        return body;
      });
    },
    forget: (session) => openings.forget(session),
    takeSpare(name) {
      const place = spares.findLastIndex((spare) => spare.name === name && isRecent(spare.storedAt));
      return place < 0 ? undefined : spares.splice(place, 1)[0]?.opened;
    },
    addSpare(name, opened) {
      const storedAt = firstStoredAt.get(opened) ?? clock.elapsed();
      firstStoredAt.set(opened, storedAt);
      if (isRecent(storedAt) && spares.push({ name, opened, storedAt }) > MAX_SPARES) spares.shift();
    },
  };
}

/** Adds a way to return a session that the call opened and neither used nor reported to its client. */
export type ToolCalls = InterfaceCalls & {
  /** False for a session that has a key, or that this call did not open. */
  returnUnused(session: string): boolean;
};

/** The calls of one tool call. A repeat of the tool call under its key finds the same session. */
export function withKeyedOpenings(
  calls: InterfaceCalls,
  openings: SessionOpenings,
  caller: string,
): ToolCalls {
  const opened = new Set<string>();
  const withoutKey = new Map<string, { readonly name: string; readonly body: SessionBody }>();
  const use = async (session: string) => {
    if (!opened.has(session)) await openings.forget(session);
  };
  /** Checks a spare session: it may have expired, and a lost write may have stored values that were reported as refused. */
  async function openWithoutKey(source: string | null): OpeningReply {
    const name = JSON.stringify([caller, source]);
    const spare = openings.takeSpare(name);
    const step = spare && (await calls.search(spare.session, {}, null));
    const isUnused = step && hasStep(step) && Object.keys(step.received).length === 0;
    const body = spare && isUnused ? spare : await calls.open(source, null);
    if (isSession(body)) withoutKey.set(body.session, { name, body });
    return body;
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
    returnUnused(session) {
      const unused = withoutKey.get(session);
      if (!unused) return false;
      withoutKey.delete(session);
      openings.addSpare(unused.name, unused.body);
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
