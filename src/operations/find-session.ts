import { LRUCache } from 'lru-cache';
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

/** Hashing a token costs more than the look at its session. */
const MAX_REMEMBERED_TOKENS = 20_000;

/** A session of another assistant is reported as not found, so that a token reveals nothing about it. */
export function createFindSession(
  sessions: Pick<SessionStore, 'find'>,
  openings: Pick<RecentOpenings, 'forget'>,
): FindSession {
  const ids = new LRUCache<string, SessionId>({ max: MAX_REMEMBERED_TOKENS });

  function idOf(token: string): SessionId | undefined {
    const known = ids.get(token);
    if (known !== undefined) return known;
    const id = sessionIdOf(token);
    if (id !== undefined) ids.set(token, id);
    return id;
  }

  return async (token, assistant, now) => {
    if (token === undefined || token === '') return { kind: 'no_token' };
    const id = idOf(token);
    const session = id === undefined ? undefined : await sessions.find(id);
    if (!session || session.assistant !== assistant) return { kind: 'not_found' };
    // Whatever becomes of the request, its sender has the token. A later revision means that this was done already.
    if (session.revision === 0) openings.forget(session.id);
    if (session.expiresAt <= now) return { kind: 'expired', session };
    return { kind: 'live', session, token };
  };
}
