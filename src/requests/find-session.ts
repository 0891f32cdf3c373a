import { createGrowingCache } from '../limits/growing-cache.ts';
import type { RecentOpenings } from '../sessions/recent-openings.ts';
import type { AssistantId, LiveSession, Session, SessionId } from '../sessions/session.ts';
import type { SessionStore } from '../sessions/session-store.ts';
import { sessionIdOf } from '../sessions/session-token.ts';

export type SessionLookup =
  | { readonly kind: 'no_token' }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'expired'; readonly session: Session }
  | ({ readonly kind: 'live' } & LiveSession);

export type FindSession = (
  token: string | undefined,
  assistant: AssistantId,
  now: number,
) => Promise<SessionLookup>;

const MAX_REMEMBERED_TOKENS = 20_000;

/** A session of another assistant is reported as not found, so that a token reveals nothing about it. */
export function createFindSession(
  sessions: Pick<SessionStore, 'find'>,
  openings: Pick<RecentOpenings, 'forget'>,
): FindSession {
  /** Cached for tokens that found their session: hashing one takes a twentieth of the time of a reading request. */
  const ids = createGrowingCache<string, SessionId>(MAX_REMEMBERED_TOKENS);

  return async (token, assistant, now) => {
    if (token === undefined || token === '') return { kind: 'no_token' };
    const known = ids.get(token);
    const id = known ?? sessionIdOf(token);
    const session = id === undefined ? undefined : await sessions.find(id);
    if (!session || session.assistant !== assistant) return { kind: 'not_found' };
    if (known === undefined) ids.set(ownCopy(token), session.id);
    // The sender has the token, even if the request fails. A later revision means that this was done already.
    if (session.revision === 0) {
      const forgetting = openings.forget(session.id);
      if (forgetting) await forgetting;
    }
    if (session.expiresAt <= now) return { kind: 'expired', session };
    return { kind: 'live', session, token };
  };
}

/** Copies the token, because a slice of an address keeps the whole address in memory. */
function ownCopy(token: string): string {
  return Buffer.from(token).toString('latin1');
}
