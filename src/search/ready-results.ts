import type { Session, SessionId } from '../sessions/session.ts';

/**
 * Results with their tokens put in, as they were last sent. A result is read again and again, and two copies of 30 KB
 * would cost more than sending it. Only in memory: what is stored has no tokens.
 */
export type ReadyResults = {
  /** The bytes to send, unless the session has changed since they were kept. */
  find(session: Session): Uint8Array | undefined;
  keep(session: Session, body: Uint8Array): void;
};

const MAX_BYTES = 32 * 1024 * 1024;

/** Forgets what was kept first when it is full. */
export function createReadyResults(maxBytes = MAX_BYTES): ReadyResults {
  const ready = new Map<SessionId, { readonly revision: number; readonly body: Uint8Array }>();
  let bytes = 0;

  function drop(id: SessionId): void {
    bytes -= ready.get(id)?.body.length ?? 0;
    ready.delete(id);
  }

  return {
    find({ id, revision }) {
      const known = ready.get(id);
      return known?.revision === revision ? known.body : undefined;
    },
    keep({ id, revision }, body) {
      drop(id);
      ready.set(id, { revision, body });
      bytes += body.length;
      for (const oldest of ready.keys()) {
        if (bytes <= maxBytes) return;
        drop(oldest);
      }
    },
  };
}
