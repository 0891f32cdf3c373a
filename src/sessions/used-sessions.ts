import { LRUCache } from 'lru-cache';
import type { SessionId } from './session.ts';

/**
 * Sessions that were only read so far, which leaves no trace in them. A repeated auth must not hand such a session to
 * another conversation. It matters for a minute after the opening, so the latest ones in memory are enough.
 */
export type UsedSessions = {
  add(id: SessionId): void;
  has(id: SessionId): boolean;
};

const MAX_SESSIONS = 20_000;

export function createUsedSessions(): UsedSessions {
  const ids = new LRUCache<SessionId, true>({ max: MAX_SESSIONS });
  return { add: (id) => void ids.set(id, true), has: (id) => ids.has(id) };
}
