import type { RecentOpenings } from '../sessions/recent-openings.ts';
import type { AssistantId, LiveSession, Session } from '../sessions/session.ts';
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

/** A session of another assistant is reported as not found, so that a token reveals nothing about it. */
export function createFindSession(
  sessions: Pick<SessionStore, 'find'>,
  openings: Pick<RecentOpenings, 'forget'>,
): FindSession {
  return async (token, assistant, now) => {
    if (token === undefined || token === '') return { kind: 'no_token' };
    const id = sessionIdOf(token);
    const session = id === undefined ? undefined : await sessions.find(id);
    if (!session || session.assistant !== assistant) return { kind: 'not_found' };
    // Whatever becomes of the request, its sender has the token. A later revision means that this was done already.
    if (session.revision === 0) openings.forget(session.id);
    if (session.expiresAt <= now) return { kind: 'expired', session };
    return { kind: 'live', session, token };
  };
}
