import type { Session } from './session.ts';

/** What was counted of a session, so that nothing of it is counted twice, on whichever node its requests arrive. */
export type SessionTally = {
  /** How often it has changed: of two that are known of a session, the later one holds. */
  readonly changes: number;
  /** The last refusal, and the stage where it was refused; both empty where it was not refused since it came to a stage. */
  readonly stage: string;
  readonly refusal: string;
  /** Hashes of what was counted once. */
  readonly counted: readonly number[];
};

export const NOTHING_COUNTED: SessionTally = { changes: 0, stage: '', refusal: '', counted: [] };

/** What a store says to a tally that was noted. */
export type NotedTally = {
  /** The refusal that it has replaced; null where a later one stays. */
  readonly replaced: Pick<SessionTally, 'stage' | 'refusal'> | null;
  /** What is the caller's to count: what nobody else has noted before, on any node. */
  readonly own: readonly number[];
};

/** What a session asks for beyond these is not counted. */
export const MAX_COUNTED = 32;

/** Of two tallies of one session. */
export function laterTally(
  one: SessionTally | undefined,
  other: SessionTally | undefined,
): SessionTally | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return other.changes > one.changes ? other : one;
}

/** The tally is stored beside the state, which a commit replaces. */
export function withoutTally(session: Session): Session {
  if (session.tally === undefined) return session;
  const { tally: _, ...state } = session;
  return state;
}

export function withTally(session: Session, tally: SessionTally | undefined): Session {
  return tally === undefined || tally === session.tally ? session : { ...session, tally };
}
