import type { Clock } from '../clock.ts';
import type { Random } from '../random.ts';
import type { ActivityStore, CountBatch } from './activity-store.ts';
import type { Count } from './count.ts';
import { type CountActivity, createSums, FLUSH_INTERVAL_MS } from './sums.ts';

/** Sums up counts and stores them once a second. */
export type ActivityRecorder = {
  readonly count: CountActivity;
  /** Reports counts that were dropped before they could be counted. */
  noteLost(counts: number): void;
  /** Resolves once all counts so far are stored, or storing them has failed. Never rejects. */
  flush(): Promise<void>;
  /** Stores the remaining counts, and nothing after that. */
  stop(): Promise<void>;
};

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
  maxCounts,
}: {
  readonly store: Pick<ActivityStore, 'add'>;
  readonly clock: Clock;
  readonly random: Random;
  /** Called at the first failure, and again only after the store has accepted counts in between. */
  readonly onFailure: (failure: unknown) => void;
  /** The number of dropped counts; called at most once a minute. */
  readonly onLost: (counts: number) => void;
  readonly maxCounts?: number;
}): ActivityRecorder {
  const sums = createSums({ clock, onFirst: sendLater, ...(maxCounts === undefined ? {} : { maxCounts }) });
  /** A batch that may or may not have been stored: it is sent again unchanged, and later counts wait. */
  let unconfirmed: CountBatch | null = null;
  /** Counts taken out of the sums for the next batches. */
  let taken: Count[] = [];
  let sending: Promise<void> = Promise.resolve();
  let cancelSending = () => {};
  let isFailing = false;
  let isStopped = false;
  let lost = 0;
  let cancelReport: (() => void) | null = null;

  function sendLater(): void {
    cancelSending();
    if (!isStopped) cancelSending = clock.after(FLUSH_INTERVAL_MS, () => void flush());
  }

  function flush(): Promise<void> {
    cancelSending();
    sending = sending.then(sendAll);
    return sending;
  }

  async function sendAll(): Promise<void> {
    noteLost(sums.takeLost());
    for (;;) {
      unconfirmed ??= nextBatch();
      if (unconfirmed === null) return;
      try {
        await store.add(unconfirmed);
      } catch (failure) {
        if (!isFailing) onFailure(failure);
        isFailing = true;
        return sendLater();
      }
      isFailing = false;
      unconfirmed = null;
    }
  }

  function nextBatch(): CountBatch | null {
    if (taken.length === 0) taken = [...sums.take()];
    if (taken.length === 0) return null;
    const id = random.bytes(BATCH_ID_BYTES).toString('base64url');
    return { id, at: clock.now(), counts: taken.splice(0, MAX_COUNTS_IN_BATCH) };
  }

  function noteLost(more: number): void {
    lost += more;
    if (lost > 0 && cancelReport === null) reportLost();
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
    count: sums.count,
    noteLost,
    flush,
    async stop() {
      isStopped = true;
      await flush();
      lost += (unconfirmed?.counts.length ?? 0) + taken.length + sums.size;
      reportLost();
    },
  };
}
