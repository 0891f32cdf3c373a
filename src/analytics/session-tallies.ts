import type { Clock } from '../clock.ts';
import {
  type AssistantId,
  CONSOLE_ASSISTANT,
  laterTally,
  MAX_COUNTED,
  NOTHING_COUNTED,
  type NotedTally,
  type Session,
  type SessionId,
  type SessionTally,
} from '../sessions/session.ts';

import type { SessionStore } from '../sessions/session-store.ts';
import { hourOf, type Labels, type Measure } from './count.ts';
import { type CountActivity, FLUSH_INTERVAL_MS } from './sums.ts';

/** An event that counts once for a session, in the hour in which it happened. */
export type FirstCount = {
  /** Its hash in `counted` of the tally. */
  readonly mark: number;
  readonly measure: Measure;
  readonly labels: Partial<Labels>;
  readonly hour: number;
};

/** What was counted of each session. */
export type SessionTallies = {
  of(session: Session): SessionTally;
  /** Counts the `firsts` and the last refusal of the session after the store has returned what other nodes have counted of it. */
  note(session: Session, tally: SessionTally, firsts: readonly FirstCount[]): void;
  /** Resolves once all notes so far are stored, or storing them has failed. Never rejects. */
  flush(): Promise<void>;
  stop(): Promise<void>;
};

/** Longer than any request that read its session before the tally was stored. */
const CACHED_MS = 60_000;
const MAX_CACHED = 50_000;
const MAX_WAITING_FIRSTS = 100_000;

type Note = {
  readonly session: Session;
  readonly tally: SessionTally;
  readonly firsts: readonly FirstCount[];
};
type Notes = ReadonlyMap<SessionId, Note>;
type TalliedRefusal = Pick<SessionTally, 'stage' | 'refusal'>;
const NOT_OURS: NotedTally = { replaced: null, own: [] };

/**
 * Tallies are stored within a second, for other nodes and for a restart, and cached here for a minute or two. An event that counts once
 * waits for the store's answer, because another node may have counted it a moment ago.
 */
export function createSessionTallies({
  sessions,
  count,
  onLost,
  clock,
  maxFirsts = MAX_WAITING_FIRSTS,
}: {
  readonly sessions: Pick<SessionStore, 'noteTallies'>;
  readonly count: CountActivity;
  /** The number of counts dropped because too many waited for the store. */
  readonly onLost: (counts: number) => void;
  readonly clock: Clock;
  readonly maxFirsts?: number;
}): SessionTallies {
  let recent = new Map<SessionId, SessionTally>();
  let older = new Map<SessionId, SessionTally>();
  let beganAt = clock.elapsed();
  let unsaved = new Map<SessionId, Note>();
  let beingSaved: Notes = new Map();
  let waitingFirsts = 0;
  let saving: Promise<void> = Promise.resolve();
  let cancelSaving = () => {};
  let isStopped = false;

  function forgetOld(): void {
    if (clock.elapsed() - beganAt < CACHED_MS && recent.size < MAX_CACHED) return;
    older = recent;
    recent = new Map();
    beganAt = clock.elapsed();
  }

  function saveLater(): void {
    cancelSaving();
    if (!isStopped) cancelSaving = clock.after(FLUSH_INTERVAL_MS, () => void flush());
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
    const saved = beingSaved;
    try {
      const tallies = new Map(Array.from(saved, ([id, { tally }]) => [id, tally]));
      countNoted(saved, await sessions.noteTallies(tallies));
    } catch {
      // The session store reports the outage.
      saveAgain(saved);
    }
    beingSaved = new Map();
  }

  function countNoted(saved: Notes, answers: ReadonlyMap<SessionId, NotedTally>): void {
    for (const [id, { session, tally, firsts }] of saved) {
      waitingFirsts -= firsts.length;
      const { replaced, own } = answers.get(id) ?? NOT_OURS;
      for (const { mark, measure, labels, hour } of firsts) {
        if (own.includes(mark)) count(measure, labels, { hour });
      }
      if (replaced === null) continue;
      countRefused(session, replaced, -1);
      countRefused(session, tally, 1);
    }
  }

  /** Moves the session, within its stage, from the sessions without this refusal to those with it; back again when `by` is -1. */
  function countRefused(session: Session, { stage, refusal }: TalliedRefusal, by: number): void {
    if (refusal === '') return;
    countStanding(count, session, { stage, refusal: '' }, -by);
    countStanding(count, session, { stage, refusal }, by);
  }

  function saveAgain(notes: Notes): void {
    const noted = unsaved;
    unsaved = new Map();
    for (const [id, note] of [...notes, ...noted]) put(id, note);
    saveLater();
  }

  /** The later tally wins; the pending counts of both remain. */
  function put(id: SessionId, { session, tally, firsts }: Note): void {
    const earlier = unsaved.get(id);
    if (earlier || unsaved.size < MAX_CACHED) {
      unsaved.set(id, { session, tally, firsts: earlier ? [...earlier.firsts, ...firsts] : firsts });
    } else {
      lose(firsts.length);
    }
  }

  function lose(counts: number): void {
    waitingFirsts -= counts;
    if (counts > 0) onLost(counts);
  }

  return {
    of({ id, tally }) {
      const cached = recent.get(id) ?? older.get(id) ?? unsaved.get(id)?.tally ?? beingSaved.get(id)?.tally;
      if (cached === undefined || tally === undefined || cached === tally) {
        return cached ?? tally ?? NOTHING_COUNTED;
      }
      // Another node may have counted since.
      const later = laterTally(cached, tally) ?? tally;
      if (later === cached && tally.counted.every((mark) => cached.counted.includes(mark))) {
        return cached;
      }
      return { ...later, counted: [...new Set([...cached.counted, ...tally.counted])] };
    },
    note(session, tally, firsts) {
      forgetOld();
      recent.set(session.id, tally);
      const isFirstNote = unsaved.size === 0;
      waitingFirsts += firsts.length;
      const isTooMuch = waitingFirsts > maxFirsts;
      if (isTooMuch) lose(firsts.length);
      put(session.id, { session, tally, firsts: isTooMuch ? [] : firsts });
      if (isFirstNote) saveLater();
    },
    flush,
    async stop() {
      isStopped = true;
      await flush();
      lose(waitingFirsts);
    },
  };
}

export type Once = ReturnType<typeof createOnce>;
type LabelsOfFirst = Partial<Record<Measure, Partial<Labels>>> & { readonly hour?: number };

/** Collects the first occurrences of a session. After MAX_COUNTED marks nothing more is counted. */
export function createOnce(tally: SessionTally, thisHour: number) {
  const firsts: FirstCount[] = [];
  const once = {
    firsts,
    counted: tally.counted,
    has: (mark: number) => once.counted.includes(mark),
    isFull: () => once.counted.length >= MAX_COUNTED,
    /** Counts this mark in each measure, unless the session has it already; only then are the labels computed. */
    count(mark: number, labelsOf: () => LabelsOfFirst): void {
      if (once.has(mark) || once.isFull()) return;
      once.counted = [...once.counted, mark];
      const { hour = thisHour, ...byMeasure } = labelsOf();
      for (const [measure, labels] of Object.entries(byMeasure)) {
        firsts.push({ mark, measure: measure as Measure, labels, hour });
      }
    },
  };
  return once;
}

/** 32 bits by FNV-1a, in a fraction of the time of a digest: a collision only loses a count of the same session. */
export function markOf(...parts: readonly (string | number)[]): number {
  const text = parts.join('\n');
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** The brand through which a session was opened; empty for a direct one. */
export function entryOf({ source }: Session): string {
  return source ?? '';
}

/** Counts one session at a stage, in the hour in which it was opened. */
export function countStanding(
  count: CountActivity,
  session: Session,
  { stage, refusal }: { readonly stage: string; readonly refusal: string },
  by: number,
): void {
  const { assistant, openedAt } = session;
  const labels = { brand: entryOf(session), assistant, facet: stage, reason: refusal };
  count('standings', labels, { count: by, hour: hourOf(openedAt) });
}

/** False for the owner's own trials in the console, which say nothing about travellers. */
export function isCounted(assistant: AssistantId): boolean {
  return assistant !== CONSOLE_ASSISTANT;
}
