import type { SessionId } from './session.ts';

/**
 * How threads that share sessions know whether what they remember of one is its latest state. Its mark changes when the session does, in
 * whichever thread; it may also change with other sessions.
 */
export type SessionMarks = {
  of(session: SessionId): number;
  /** Returns its new mark; undefined when it has changed since `earlier`, so that others may have changed the session too. */
  change(session: SessionId, earlier: number): number | undefined;
};

/** For a thread that alone changes sessions. */
export const NO_MARKS: SessionMarks = { of: () => 0, change: () => 0 };
