import type { Clock } from '../clock.ts';
import type { SessionId } from './session.ts';

/** Claims in the memory of the one process that can make them: they end with it. */
export type SessionClaims = {
  /** Whether nobody else had it at that revision. */
  take(id: SessionId, revision: number, forMs: number): boolean;
  release(id: SessionId, revision: number): void;
};

export function createSessionClaims({ elapsed }: Pick<Clock, 'elapsed'>): SessionClaims {
  const claims = new Map<SessionId, { readonly revision: number; readonly until: number }>();
  return {
    take(id, revision, forMs) {
      const earlier = claims.get(id);
      if (earlier?.revision === revision && elapsed() < earlier.until) return false;
      claims.set(id, { revision, until: elapsed() + forMs });
      return true;
    },
    release(id, revision) {
      if (claims.get(id)?.revision === revision) claims.delete(id);
    },
  };
}
