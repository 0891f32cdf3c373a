import type { Clock } from '../clock.ts';
import { createOneAtATime } from '../limits/keyed-mutex.ts';
import type { Session } from './session.ts';

/** SHA-256 of assistant, address and idempotency key, base64url. */
export type OpeningId = string;

export type Opening = { readonly session: Session; readonly token: string };

/**
 * Sessions opened under a key a moment ago and not used yet: a caller that repeats the key gets the same one, from any node that shares
 * them. `Opened` is plain data. Tokens are on no disk, so after a restart a repeated key opens a new session. Only a remote store returns
 * promises.
 */
export interface RecentOpenings<Opened = Opening> {
  /** One at a time for each id, in order of arrival on a node, so that a concurrent duplicate finds the session of the first one. */
  inTurn<T>(id: OpeningId, work: () => Promise<T>): Promise<T>;
  find(id: OpeningId): Opened | undefined | Promise<Opened | undefined>;
  /** Replaces an older opening with the same id. */
  remember(id: OpeningId, session: string, opened: Opened): void | Promise<void>;
  /** The session is in use: its conversation has the answer, so a caller that repeats the key now is another one. */
  forget(session: string): void | Promise<void>;
}

/** Openings of different purposes are separate. */
export type NewOpenings = <Opened>(purpose: string) => RecentOpenings<Opened>;

type OpeningsInMemory<Opened> = RecentOpenings<Opened> & { readonly size: number };

/**
 * Long enough to repeat a request whose answer was lost, too short for a conversation to get the session of another: all users of an
 * assistant may share its identity, its address and a key such as "1".
 */
export const MAX_REPEAT_MS = 60_000;
/** Beyond it the oldest are forgotten; their keys then open new sessions, which does no harm. */
const MAX_OPENINGS = 20_000;

export function createRecentOpenings<Opened>(
  clock: Pick<Clock, 'elapsed'>,
  maxOpenings = MAX_OPENINGS,
): OpeningsInMemory<Opened> {
  const oneAtATime = createOneAtATime();
  // In order of opening, so that the oldest are at the front.
  const openings = new Map<OpeningId, { session: string; opened: Opened; openedAt: number }>();
  const idOfSession = new Map<string, OpeningId>();

  function remove(id: OpeningId): void {
    idOfSession.delete(openings.get(id)?.session ?? '');
    openings.delete(id);
  }

  function removeOld(): void {
    const oldest = clock.elapsed() - MAX_REPEAT_MS;
    for (const [id, { openedAt }] of openings) {
      if (openedAt >= oldest && openings.size <= maxOpenings) return;
      remove(id);
    }
  }

  return {
    inTurn: (id, work) => oneAtATime(id, work),
    remember(id, session, opened) {
      remove(id);
      openings.set(id, { session, opened, openedAt: clock.elapsed() });
      idOfSession.set(session, id);
      removeOld();
    },
    find(id) {
      removeOld();
      return openings.get(id)?.opened;
    },
    forget: (session) => remove(idOfSession.get(session) ?? ''),
    get size() {
      return openings.size;
    },
  };
}

/** For a process that is alone. */
export function openingsInMemory(clock: Pick<Clock, 'elapsed'>): NewOpenings {
  return <Opened>(): RecentOpenings<Opened> => createRecentOpenings<Opened>(clock);
}
