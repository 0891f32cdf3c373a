import type { Session } from './session.ts';

/** Every change of the state has its own revision. */
export function withNextRevision({ notes, ...session }: Session): Session {
  return { ...session, revision: session.revision + 1 };
}

/** Another node may note something at the same revision: nothing of either may be lost. */
export function withNextNote(session: Session): Session {
  return { ...session, notes: (session.notes ?? 0) + 1 };
}
