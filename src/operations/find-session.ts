import type { AssistantId, LiveSession, Session } from '../sessions/session.ts';
import type { SessionStore } from '../sessions/session-store.ts';
import { sessionIdOf } from '../sessions/session-token.ts';
import type { UsedSessions } from '../sessions/used-sessions.ts';

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

/** A session of another assistant is reported as not found, so that a token reveals nothing about it. */
export function createFindSession(
  sessions: Pick<SessionStore, 'find'>,
  usedSessions: UsedSessions,
): FindSession {
  return async (token, assistant, now) => {
    if (token === undefined || token === '') return { kind: 'no_token' };
    const id = sessionIdOf(token);
    const session = id === undefined ? undefined : await sessions.find(id);
    if (!session || session.assistant !== assistant) return { kind: 'not_found' };
    if (session.expiresAt <= now) return { kind: 'expired', session };
    // A later revision tells by itself that the session is in use.
    if (session.revision === 0 && !usedSessions.has(session.id)) usedSessions.add(session.id);
    return { kind: 'live', session, token };
  };
}
