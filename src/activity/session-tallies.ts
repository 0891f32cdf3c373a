import type { Clock } from '../clock.ts';
import type { Session, SessionId } from '../sessions/session.ts';
import type { SessionStore } from '../sessions/session-store.ts';
import { laterTally, NOTHING_COUNTED, type SessionTally } from '../sessions/session-tally.ts';

/** What was counted of the sessions whose requests arrive here. */
export type SessionTallies = {
  of(session: Session): SessionTally;
  note(session: SessionId, tally: SessionTally): void;
  /** Resolves once the store has what was noted so far, or does not take it. Never rejects. */
  flush(): Promise<void>;
  stop(): Promise<void>;
};

const NOTED_AFTER_MS = 1000;
/** Longer than any request that found its session before the store had the tally of it. */
const REMEMBERED_MS = 60_000;
const MAX_REMEMBERED = 50_000;

/**
 * The store has them a second later, which is for other nodes and for what comes after a restart; until then, and for a minute or two beyond,
 * they are remembered here.
 */
export function createSessionTallies({
  sessions,
  clock,
}: {
  readonly sessions: Pick<SessionStore, 'noteTallies'>;
  readonly clock: Clock;
}): SessionTallies {
  let recent = new Map<SessionId, SessionTally>();
  let older = new Map<SessionId, SessionTally>();
  let beganAt = clock.elapsed();
  let unsaved = new Map<SessionId, SessionTally>();
  let beingSaved: ReadonlyMap<SessionId, SessionTally> = new Map();
  let saving: Promise<void> = Promise.resolve();
  let cancelSaving = () => {};
  let isStopped = false;

  function forgetOld(): void {
    if (clock.elapsed() - beganAt < REMEMBERED_MS && recent.size < MAX_REMEMBERED) return;
    older = recent;
    recent = new Map();
    beganAt = clock.elapsed();
  }

  function saveLater(): void {
    cancelSaving();
    if (!isStopped) cancelSaving = clock.after(NOTED_AFTER_MS, () => void flush());
  }

  function flush(): Promise<void> {
    cancelSaving();
    saving = saving.then(save);
    return saving;
  }

  async function save(): Promise<void> {
    if (unsaved.size === 0) return;
    beingSaved = unsaved;
    unsaved = new Map();
    try {
      await sessions.noteTallies(beingSaved);
    } catch {
      // Whoever needs the store for more than this says that it is away. What was noted meanwhile is later.
      const all = new Map([...beingSaved, ...unsaved]);
      unsaved = all.size > MAX_REMEMBERED ? unsaved : all;
      saveLater();
    }
    beingSaved = new Map();
  }

  return {
    of({ id, tally }) {
      const remembered = recent.get(id) ?? older.get(id) ?? unsaved.get(id) ?? beingSaved.get(id);
      if (remembered === undefined || tally === undefined || remembered === tally) {
        return remembered ?? tally ?? NOTHING_COUNTED;
      }
      // Another node may have counted since.
      const later = laterTally(remembered, tally) ?? tally;
      return { ...later, counted: [...new Set([...remembered.counted, ...tally.counted])] };
    },
    note(session, tally) {
      forgetOld();
      recent.set(session, tally);
      if (unsaved.size < MAX_REMEMBERED || unsaved.has(session)) unsaved.set(session, tally);
      if (unsaved.size === 1) saveLater();
    },
    flush,
    stop() {
      isStopped = true;
      return flush();
    },
  };
}
