import { LRUCache } from 'lru-cache';
import type { Session, SessionId } from '../sessions/session.ts';

/**
 * Results with their tokens put in, as they were last sent: a result is read again and again, and putting the token into 30 KB
 * costs more than sending them. Only in memory, because nothing stored holds a token.
 */
export type ReadyResults = {
  /** The bytes to send, unless the session has changed since they were kept. */
  find(session: Session): Uint8Array | undefined;
  keep(session: Session, body: Uint8Array): void;
};

const MAX_BYTES = 32 * 1024 * 1024;

export function createReadyResults(maxBytes = MAX_BYTES): ReadyResults {
  const ready = new LRUCache<SessionId, { readonly revision: number; readonly body: Uint8Array }>({
    maxSize: maxBytes,
    sizeCalculation: ({ body }) => Math.max(1, body.length),
  });
  return {
    find({ id, revision }) {
      const known = ready.get(id);
      return known?.revision === revision ? known.body : undefined;
    },
    keep: ({ id, revision }, body) => void ready.set(id, { revision, body }),
  };
}
