import type { Clock } from '../clock.ts';
import { createOneAtATime } from '../limits/keyed-mutex.ts';
import type { Session } from './session.ts';

/** SHA-256 of assistant, address and idempotency key, base64url. */
export type OpeningId = string;

export type Opening = { readonly session: Session; readonly token: string };

/**
 * Sessions that were opened under a key a moment ago and that nobody has used: whoever repeats the key gets the same one, from
 * any node that shares them. `Opened` is plain data. Tokens are on no disk, so a restart forgets them all, and a repeated key
 * then opens a new session. What is in memory is there at once: only a store elsewhere makes its callers wait.
 */
export interface RecentOpenings<Opened = Opening> {
  /** One at a time for each id, in order of arrival on one node, so that a concurrent duplicate finds what the first one opened. */
  inTurn<T>(id: OpeningId, work: () => Promise<T>): Promise<T>;
  find(id: OpeningId): Opened | undefined | Promise<Opened | undefined>;
  /** Replaces an older opening with the same id. */
  remember(id: OpeningId, session: string, opened: Opened): void | Promise<void>;
  /** The session is in use: its conversation has the answer, so whoever repeats the key now is somebody else. */
  forget(session: string): void | Promise<void>;
}

/** Those of one purpose know nothing of those of another. */
export type NewOpenings = <Opened>(purpose: string) => RecentOpenings<Opened>;

/** In the memory of this process. */
export type OpeningsInMemory<Opened> = {
  find(id: OpeningId): Opened | undefined;
  remember(id: OpeningId, session: string, opened: Opened): void;
  forget(session: string): void;
  readonly size: number;
} & Pick<RecentOpenings<Opened>, 'inTurn'>;

/**
 * Long enough to repeat a request whose answer was lost, too short for one conversation to be given the session of another:
 * all users of an assistant may share its identity, its address and a key such as "1".
 */
export const MAX_REPEAT_MS = 60_000;
/** Beyond it the oldest are forgotten: their keys open new sessions, which harms nobody. */
const MAX_OPENINGS = 20_000;

type RememberedOpening<Opened> = {
  readonly session: string;
  readonly opened: Opened;
  readonly openedAt: number;
};

export function createRecentOpenings<Opened>(
  clock: Pick<Clock, 'elapsed'>,
  maxOpenings = MAX_OPENINGS,
): OpeningsInMemory<Opened> {
  const oneAtATime = createOneAtATime();
  // In order of opening, so that those to forget are at the front.
  const openings = new Map<OpeningId, RememberedOpening<Opened>>();
  const idOfSession = new Map<string, OpeningId>();

  function remove(id: OpeningId): void {
    const session = openings.get(id)?.session;
    if (session === undefined) return;
    openings.delete(id);
    idOfSession.delete(session);
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
    forget(session) {
      const id = idOfSession.get(session);
      if (id !== undefined) remove(id);
    },
    get size() {
      return openings.size;
    },
  };
}

/** For a process that shares them with nobody. */
export function openingsInMemory(clock: Pick<Clock, 'elapsed'>): NewOpenings {
  return <Opened>(): RecentOpenings<Opened> => createRecentOpenings<Opened>(clock);
}
