import type { Clock } from '../clock.ts';
import type { Session, SessionId } from './session.ts';

/** SHA-256 of assistant, address and idempotency key, base64url. */
export type OpeningId = string;

export type Opening = { readonly session: Session; readonly token: string };

/**
 * Sessions that were opened under a key a moment ago and that nobody has used: whoever repeats the key gets the same one.
 * Tokens are in memory only, so a restart forgets them all, and a repeated key then opens a new session.
 */
export type RecentOpenings = {
  /** Replaces an older opening with the same id. */
  remember(id: OpeningId, opening: Opening): void;
  find(id: OpeningId): Opening | undefined;
  /** The session is in use: its conversation has the answer, so whoever repeats the key now is somebody else. */
  forget(session: SessionId): void;
  readonly size: number;
};

/**
 * Long enough to repeat a request whose answer was lost, too short for one conversation to be given the session of another:
 * all users of an assistant may share its identity, its address and a key such as "1".
 */
const MAX_REPEAT_MS = 60_000;
/** Beyond it the oldest are forgotten: their keys open new sessions, which harms nobody. */
const MAX_OPENINGS = 20_000;

export function createRecentOpenings(
  clock: Pick<Clock, 'elapsed'>,
  maxOpenings = MAX_OPENINGS,
): RecentOpenings {
  // In order of opening, so that those to forget are at the front.
  const openings = new Map<OpeningId, { readonly opening: Opening; readonly openedAt: number }>();
  const idOfSession = new Map<SessionId, OpeningId>();

  function remove(id: OpeningId): void {
    const session = openings.get(id)?.opening.session.id;
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
    remember(id, opening) {
      remove(id);
      openings.set(id, { opening, openedAt: clock.elapsed() });
      idOfSession.set(opening.session.id, id);
      removeOld();
    },
    find(id) {
      removeOld();
      return openings.get(id)?.opening;
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
