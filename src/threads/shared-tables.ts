import type { ClockTime } from '../clock.ts';
import type { Random } from '../random.ts';
import type { AssistantWindow, RateReading, RateRule, RateWindows } from '../sessions/rate-windows.ts';
import {
  type CountedWindow,
  hasEnded,
  newWindow,
  readingOf,
  shownReading,
} from '../sessions/rate-windows.ts';
import type { SessionVersions } from '../sessions/session-store.ts';

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** The same number in every thread for the same text (FNV-1a), from 0 to 2³² − 1. It distributes texts and protects no secrets. */
export function textHash(text: string, seed = FNV_OFFSET, prime = FNV_PRIME): number {
  let hash = seed;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), prime);
  return hash >>> 0;
}

/** Memory that all threads share: a number for each part of the sessions. */
export type MarkTable = Int32Array<SharedArrayBuffer>;

/** Enough that sessions which change at the same time hardly ever share a number. */
const MARKS = 1 << 18;

export function newMarkTable(): MarkTable {
  return new Int32Array(new SharedArrayBuffer(MARKS * Int32Array.BYTES_PER_ELEMENT));
}

export function createSharedMarks(table: MarkTable): SessionVersions {
  return {
    of: (session) => Atomics.load(table, placeOf(session)),
    change: (session, earlier) =>
      Atomics.add(table, placeOf(session), 1) === earlier ? (earlier + 1) | 0 : undefined,
  };
}

/** Marks all sessions, because a thread that has ended may have stored changes without marking them. */
export function changeAllMarks(table: MarkTable): void {
  for (let place = 0; place < table.length; place++) Atomics.add(table, place, 1);
}

function placeOf(session: string): number {
  return textHash(session) % MARKS;
}

/** Memory that all threads share: two seeds, a lock for each bucket, and the windows, bucket by bucket. */
export type RateTable = Int32Array<SharedArrayBuffer>;

type BucketRange = { readonly first: number; readonly count: number };
const OF_CALLERS: BucketRange = { first: 0, count: 1 << 15 };
/** Separate, so that callers cannot drop the window of an assistant; enough that hardly any bucket is full with a thousand of them. */
const OF_ASSISTANTS: BucketRange = { first: OF_CALLERS.count, count: 1 << 10 };
const BUCKETS = OF_CALLERS.count + OF_ASSISTANTS.count;
const WINDOWS_A_BUCKET = 8;
/** Words of a window: its caller and its start (two words each), the counted requests, and the reset that was reported. */
const WINDOW_WORDS = 6;
const [CALLER, OTHER_HALF, STARTED_AT, TAKEN, RESET_AT] = [0, 1, 2, 4, 5] as const;
const [SEED, OTHER_SEED, FIRST_LOCK] = [0, 1, 2] as const;
const FIRST_WINDOW = FIRST_LOCK + BUCKETS;
const TABLE_WORDS = FIRST_WINDOW + BUCKETS * WINDOWS_A_BUCKET * WINDOW_WORDS;

const NOBODY = 0;
/** Counting takes a microsecond. A thread that holds a bucket this much longer has ended and will be released. */
const MAX_WAIT_MS = 1000;
const OTHER_PRIME = 0x5bd1e995;

/** Seeds differ with every start, so that no caller can choose to collide with another. */
export function newRateTable(random: Random): RateTable {
  const table = new Int32Array(new SharedArrayBuffer(TABLE_WORDS * Int32Array.BYTES_PER_ELEMENT));
  const seeds = random.bytes(8);
  table[SEED] = seeds.readInt32LE(0);
  table[OTHER_SEED] = seeds.readInt32LE(4);
  return table;
}

/**
 * Counts the requests of a caller across all threads. A thread locks the bucket of the caller meanwhile. In a full bucket the oldest
 * window is dropped: its caller is counted from 0 again, which is harmless. Threads are numbered from 1.
 */
export function createSharedRateWindows(rule: RateRule, table: RateTable, thread: number): RateWindows {
  const starts = new Float64Array(table.buffer);
  const seeds = [table[SEED] ?? 0, table[OTHER_SEED] ?? 0] as const;

  function withBucketOf<Value>(range: BucketRange, name: string, work: (bucket: Bucket) => Value): Value {
    const half = textHash(name, seeds[0]) | 0;
    const lock = FIRST_LOCK + range.first + ((half >>> 0) % range.count);
    seize(table, lock, thread);
    try {
      return work({
        first: FIRST_WINDOW + (lock - FIRST_LOCK) * WINDOWS_A_BUCKET * WINDOW_WORDS,
        half,
        otherHalf: textHash(name, seeds[1], OTHER_PRIME) | 0,
      });
    } finally {
      Atomics.store(table, lock, NOBODY);
      Atomics.notify(table, lock);
    }
  }

  /** The position of the caller's window, or else of the window that a new one replaces. */
  function placeIn({ first, half, otherHalf }: Bucket): number {
    let oldest = first;
    for (let place = first; place < first + WINDOWS_A_BUCKET * WINDOW_WORDS; place += WINDOW_WORDS) {
      if (table[place + CALLER] === half && table[place + OTHER_HALF] === otherHalf) return place;
      if (startOf(place) < startOf(oldest)) oldest = place;
    }
    return oldest;
  }

  function startOf(place: number): number {
    return table[place + TAKEN] === 0 ? Number.NEGATIVE_INFINITY : (starts[(place + STARTED_AT) / 2] ?? 0);
  }

  function windowAt(place: number, { half, otherHalf }: Bucket, elapsed: number): CountedWindow | undefined {
    if (table[place + CALLER] !== half || table[place + OTHER_HALF] !== otherHalf) return undefined;
    const window = {
      startedAt: startOf(place),
      resetAt: table[place + RESET_AT] ?? 0,
      taken: table[place + TAKEN] ?? 0,
    };
    return hasEnded(window, rule, elapsed) ? undefined : window;
  }

  function lookIn(bucket: Bucket, itsRule: RateRule, time: ClockTime, requests = 1): FoundWindow {
    const place = placeIn(bucket);
    const window = windowAt(place, bucket, time.elapsed) ?? newWindow(itsRule, time);
    return { bucket, place, window, rule: itsRule, isFree: window.taken + requests <= itsRule.limit };
  }

  function read(found: FoundWindow, time: ClockTime): RateReading {
    return readingOf(found.window, found.isFree, found.rule, time);
  }

  function count(found: FoundWindow, time: ClockTime, requests: number): RateReading {
    const { bucket, place } = found;
    const { startedAt, resetAt } = found.window;
    const taken = found.window.taken + requests;
    const reading = readingOf({ startedAt, resetAt, taken }, true, found.rule, time);
    table[place + CALLER] = bucket.half;
    table[place + OTHER_HALF] = bucket.otherHalf;
    starts[(place + STARTED_AT) / 2] = startedAt;
    table[place + TAKEN] = taken;
    table[place + RESET_AT] = reading.resetAt;
    return reading;
  }

  const ruleOf = ({ limit }: AssistantWindow): RateRule => ({ limit, windowMs: rule.windowMs });

  /** Buckets of callers are always locked before those of assistants, so no two threads wait for each other. */
  return {
    take: async (caller, time, assistant, requests = 1) =>
      withBucketOf(OF_CALLERS, caller, (bucket) => {
        const own = lookIn(bucket, rule, time, requests);
        if (!assistant) return own.isFree ? count(own, time, requests) : read(own, time);
        return withBucketOf(OF_ASSISTANTS, assistant.assistant, (other) => {
          const whole = lookIn(other, ruleOf(assistant), time, requests);
          if (!own.isFree || !whole.isFree) return shownReading(read(own, time), read(whole, time));
          count(whole, time, requests);
          return count(own, time, requests);
        });
      }),
    peek: async (caller, time, assistant) => {
      const look = (range: BucketRange, name: string, itsRule: RateRule) =>
        withBucketOf(range, name, (bucket) => read(lookIn(bucket, itsRule, time), time));
      const own = look(OF_CALLERS, caller, rule);
      if (!assistant) return own;
      return shownReading(own, look(OF_ASSISTANTS, assistant.assistant, ruleOf(assistant)));
    },
  };
}

type FoundWindow = {
  readonly bucket: Bucket;
  readonly place: number;
  readonly window: CountedWindow;
  readonly rule: RateRule;
  readonly isFree: boolean;
};

type Bucket = {
  /** Start of its windows. */
  readonly first: number;
  readonly half: number;
  readonly otherHalf: number;
};

/** Releases the locks of a thread that has ended. */
export function releaseRateTable(table: RateTable, thread: number): void {
  for (let lock = FIRST_LOCK; lock < FIRST_WINDOW; lock++) {
    if (Atomics.compareExchange(table, lock, thread, NOBODY) === thread) Atomics.notify(table, lock);
  }
}

function seize(table: RateTable, lock: number, thread: number): void {
  for (;;) {
    const holder = Atomics.compareExchange(table, lock, NOBODY, thread);
    if (holder === NOBODY) return;
    if (Atomics.wait(table, lock, holder, MAX_WAIT_MS) === 'timed-out') {
      throw new Error('rate windows are held by a thread that does not let go of them');
    }
  }
}
