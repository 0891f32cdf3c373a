import type { Clock } from '../clock.ts';
import type { Random } from '../random.ts';
import {
  laterTally,
  NOTHING_COUNTED,
  type NotedTally,
  type Session,
  type SessionId,
  type SessionTally,
} from '../sessions/session.ts';
import type { SessionStore } from '../sessions/session-store.ts';
import type { ActivityStore, CountBatch } from './activity-store.ts';
import { type Count, type CountActivity, hourOf, type Labels, type Measure } from './count.ts';

/** Sums up counts and tallies of sessions, and stores them once a second. */
export type ActivityRecorder = {
  readonly count: CountActivity;
  readonly tallies: SessionTallies;
  /** Resolves once all counts so far are stored, or storing them has failed. Never rejects. */
  flush(): Promise<void>;
  /** Stores the remaining counts, and nothing after that. */
  stop(): Promise<void>;
};

/** What was counted of each session. */
export type SessionTallies = {
  of(session: Session): SessionTally;
  /** Counts the `firsts` and the last refusal of the session after the store has returned what other nodes have counted of it. */
  note(session: Session, tally: SessionTally, firsts: readonly FirstCount[]): void;
};

/** An event that counts once for a session, in the hour in which it happened. */
export type FirstCount = {
  /** Its hash in `counted` of the tally. */
  readonly mark: number;
  readonly measure: Measure;
  readonly labels: Partial<Labels>;
  readonly hour: number;
};

const FLUSH_INTERVAL_MS = 1000;
/** Of counts, and of events that count once. */
const MAX_WAITING = 100_000;
/** A batch is one transaction, and other transactions wait for it. */
const MAX_COUNTS_IN_BATCH = 5000;
const BATCH_ID_BYTES = 16;
const LOST_REPORT_MS = 60_000;
/** Longer than any request that read its session before the tally was stored. */
const CACHED_MS = 60_000;
const MAX_CACHED = 50_000;

type Note = {
  readonly session: Session;
  readonly tally: SessionTally;
  readonly firsts: readonly FirstCount[];
};
type WaitingCount = { -readonly [Key in keyof Count]: Count[Key] };
/** By measure, hour, brand, assistant, place, facet and reason. One map with a long key would take four times as long, for every request. */
type Counts = Map<string | number, Counts | WaitingCount>;

/**
 * Tallies are stored for other nodes and for a restart, and cached here for a minute or two. An event that counts once waits for the
 * session store's answer, because another node may have counted it a moment ago.
 */
export function createActivityRecorder({
  store,
  sessions,
  clock,
  random,
  onFailure,
  onLost,
  maxWaiting = MAX_WAITING,
}: {
  readonly store: Pick<ActivityStore, 'add'>;
  readonly sessions: Pick<SessionStore, 'noteTallies'>;
  readonly clock: Clock;
  readonly random: Random;
  /** Called at the first failure, and again only after the store has accepted counts in between. */
  readonly onFailure: (failure: unknown) => void;
  /** The number of dropped counts; called at most once a minute. */
  readonly onLost: (counts: number) => void;
  readonly maxWaiting?: number;
}): ActivityRecorder {
  let counts: Counts = new Map();
  let waiting: WaitingCount[] = [];
  /** Counts taken out of `waiting` for the next batches. */
  let taken: Count[] = [];
  /** A batch that may or may not have been stored: it is sent again unchanged, and later counts wait. */
  let unconfirmed: CountBatch | null = null;
  let isFailing = false;

  let recent = new Map<SessionId, SessionTally>();
  let older = new Map<SessionId, SessionTally>();
  let recentSince = clock.elapsed();
  let unsaved = new Map<SessionId, Note>();
  let beingSaved: ReadonlyMap<SessionId, Note> = new Map();
  let waitingFirsts = 0;

  let flushing: Promise<void> = Promise.resolve();
  let cancelFlush: (() => void) | null = null;
  let isStopped = false;
  let lost = 0;
  let cancelReport: (() => void) | null = null;

  function flushLater(): void {
    if (!isStopped) cancelFlush ??= clock.after(FLUSH_INTERVAL_MS, () => void flush());
  }

  function flush(): Promise<void> {
    cancelFlush?.();
    cancelFlush = null;
    flushing = flushing.then(async () => {
      await saveTallies();
      await sendCounts();
      if (lost > 0 && cancelReport === null) reportLost();
      if (unconfirmed !== null || waiting.length > 0 || unsaved.size > 0) flushLater();
    });
    return flushing;
  }

  async function saveTallies(): Promise<void> {
    if (unsaved.size === 0) return;
    const saved = unsaved;
    beingSaved = saved;
    unsaved = new Map();
    try {
      const answers = await sessions.noteTallies(
        new Map(Array.from(saved, ([id, { tally }]) => [id, tally])),
      );
      for (const [id, note] of saved) countNoted(note, answers.get(id));
    } catch {
      // The session store reports the outage. The later tally wins; the firsts of both remain.
      for (const [id, note] of saved) {
        const newer = unsaved.get(id);
        unsaved.set(id, newer ? { ...newer, firsts: [...note.firsts, ...newer.firsts] } : note);
      }
    }
    beingSaved = new Map();
  }

  function countNoted({ session, tally, firsts }: Note, answer: NotedTally | undefined): void {
    waitingFirsts -= firsts.length;
    for (const { mark, measure, labels, hour } of firsts) {
      if (answer?.own.includes(mark)) count(measure, labels, { hour });
    }
    const replaced = answer?.replaced;
    if (!replaced) return;
    // Moves the session, within its stage, from the sessions without a refusal to those with it, and out of those with the earlier one.
    for (const [{ stage, refusal }, by] of [[replaced, -1] as const, [tally, 1] as const]) {
      if (refusal === '') continue;
      countStanding(count, session, { stage, refusal: '' }, -by);
      countStanding(count, session, { stage, refusal }, by);
    }
  }

  async function sendCounts(): Promise<void> {
    for (;;) {
      unconfirmed ??= nextBatch();
      if (unconfirmed === null) return;
      try {
        await store.add(unconfirmed);
      } catch (failure) {
        if (!isFailing) onFailure(failure);
        isFailing = true;
        return;
      }
      isFailing = false;
      unconfirmed = null;
    }
  }

  function nextBatch(): CountBatch | null {
    if (taken.length === 0) {
      taken = waiting.filter(({ count, sum }) => count !== 0 || sum !== 0);
      counts = new Map();
      waiting = [];
    }
    if (taken.length === 0) return null;
    const id = random.bytes(BATCH_ID_BYTES).toString('base64url');
    return { id, at: clock.now(), counts: taken.splice(0, MAX_COUNTS_IN_BATCH) };
  }

  function reportLost(): void {
    cancelReport?.();
    cancelReport = null;
    if (lost === 0) return;
    onLost(lost);
    lost = 0;
    if (!isStopped) cancelReport = clock.after(LOST_REPORT_MS, reportLost);
  }

  function count(...[measure, labels, amounts]: Parameters<CountActivity>): void {
    const hour = amounts?.hour ?? hourOf(clock.now());
    const by = amounts?.count ?? 1;
    // `+ 0` turns -0 into 0.
    const sum = Math.round(amounts?.sum ?? 0) + 0;
    const { brand = '', assistant = '', place = '', facet = '', reason = '' } = labels;
    let level = counts;
    for (const key of [measure, hour, brand, assistant, place, facet]) {
      let inner = level.get(key) as Counts | undefined;
      if (inner === undefined) {
        if (waiting.length >= maxWaiting) {
          lost += 1;
          return;
        }
        inner = new Map();
        level.set(key, inner);
      }
      level = inner;
    }
    const known = level.get(reason) as WaitingCount | undefined;
    if (known) {
      known.count += by;
      known.sum += sum;
    } else if (waiting.length >= maxWaiting) {
      lost += 1;
    } else {
      const one = { measure, hour, brand, assistant, place, facet, reason, count: by, sum };
      level.set(reason, one);
      waiting.push(one);
      flushLater();
    }
  }

  function tallyOf({ id, tally }: Session): SessionTally {
    const cached = recent.get(id) ?? older.get(id) ?? unsaved.get(id)?.tally ?? beingSaved.get(id)?.tally;
    if (cached === undefined || tally === undefined || cached === tally) {
      return cached ?? tally ?? NOTHING_COUNTED;
    }
    // Another node may have counted since.
    const later = laterTally(cached, tally) ?? tally;
    if (later === cached && tally.counted.every((mark) => cached.counted.includes(mark))) return cached;
    return { ...later, counted: [...new Set([...cached.counted, ...tally.counted])] };
  }

  function noteTally(session: Session, tally: SessionTally, firsts: readonly FirstCount[]): void {
    const { id } = session;
    if (clock.elapsed() - recentSince >= CACHED_MS || recent.size >= MAX_CACHED) {
      older = recent;
      recent = new Map();
      recentSince = clock.elapsed();
    }
    recent.set(id, tally);
    const earlier = unsaved.get(id);
    const hasRoom = earlier !== undefined || unsaved.size + beingSaved.size < MAX_CACHED;
    const isAccepted = hasRoom && waitingFirsts + firsts.length <= maxWaiting;
    if (isAccepted) waitingFirsts += firsts.length;
    else lost += firsts.length;
    if (!hasRoom) return;
    const added = isAccepted ? firsts : [];
    unsaved.set(id, { session, tally, firsts: earlier ? [...earlier.firsts, ...added] : added });
    flushLater();
  }

  return {
    count,
    tallies: { of: tallyOf, note: noteTally },
    flush,
    async stop() {
      isStopped = true;
      await flush();
      lost += (unconfirmed?.counts.length ?? 0) + taken.length + waiting.length + waitingFirsts;
      reportLost();
    },
  };
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
