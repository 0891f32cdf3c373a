import type { Clock } from '../clock.ts';
import type { Random } from '../random.ts';
import type { ActivityStore, CountBatch } from './activity-store.ts';
import { type Count, type CountActivity, hourOf } from './count.ts';

/** Sums up counts, and stores them once a second. */
export type ActivityRecorder = {
  readonly count: CountActivity;
  /** Resolves once all counts so far are stored, or storing them has failed. Never rejects. */
  flush(): Promise<void>;
  /** Stores the remaining counts, and nothing after that. */
  stop(): Promise<void>;
};

const FLUSH_INTERVAL_MS = 1000;
const MAX_WAITING = 100_000;
/** A batch is one transaction, and other transactions wait for it. */
const MAX_COUNTS_IN_BATCH = 5000;
const BATCH_ID_BYTES = 16;
const LOST_REPORT_MS = 60_000;

export function createActivityRecorder({
  store,
  clock,
  random,
  onFailure,
  onLost,
  maxWaiting = MAX_WAITING,
}: {
  readonly store: Pick<ActivityStore, 'add'>;
  readonly clock: Clock;
  readonly random: Random;
  /** Called at the first failure, and again only after the store has accepted counts in between. */
  readonly onFailure: (failure: unknown) => void;
  /** The number of dropped counts; called at most once a minute. */
  readonly onLost: (counts: number) => void;
  readonly maxWaiting?: number;
}): ActivityRecorder {
  const waiting = new Map<string, { -readonly [Key in keyof Count]: Count[Key] }>();
  /** A batch that may or may not have been stored: it is sent again unchanged, and later counts wait. */
  let unconfirmed: CountBatch | null = null;
  let isFailing = false;
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
      await sendCounts();
      if (lost > 0 && cancelReport === null) reportLost();
      if (unconfirmed !== null || waiting.size > 0) flushLater();
    });
    return flushing;
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
    const counts: Count[] = [];
    for (const [key, one] of waiting) {
      if (counts.length >= MAX_COUNTS_IN_BATCH) break;
      waiting.delete(key);
      if (one.count !== 0 || one.sum !== 0) counts.push(one);
    }
    if (counts.length === 0) return null;
    return { id: random.bytes(BATCH_ID_BYTES).toString('base64url'), at: clock.now(), counts };
  }

  function reportLost(): void {
    cancelReport?.();
    cancelReport = null;
    if (lost === 0) return;
    onLost(lost);
    lost = 0;
    if (!isStopped) cancelReport = clock.after(LOST_REPORT_MS, reportLost);
  }

  return {
    count(measure, labels, { hour = hourOf(clock.now()), count = 1, sum = 0 } = {}) {
      const { brand = '', assistant = '', place = '', facet = '', reason = '' } = labels;
      // `+ 0` turns -0 into 0.
      const whole = Math.round(sum) + 0;
      const key = [measure, hour, brand, assistant, place, facet, reason].join('\n');
      const known = waiting.get(key);
      if (known) {
        known.count += count;
        known.sum += whole;
      } else if (waiting.size >= maxWaiting) {
        lost += 1;
      } else {
        waiting.set(key, { measure, hour, brand, assistant, place, facet, reason, count, sum: whole });
        flushLater();
      }
    },
    flush,
    async stop() {
      isStopped = true;
      await flush();
      lost += (unconfirmed?.counts.length ?? 0) + waiting.size;
      reportLost();
    },
  };
}
