import type { Clock } from '../clock.ts';
import type { SyncRecord } from './sync-record.ts';

/** How often the record is read while nothing is heard of the brand. */
const READ_EVERY_MS = 30_000;
/** After a change of the brand: a run stores many, and its record after some of them. */
const READ_SOON_MS = 2000;

/** What the node that reads a brand says of it, for as long as this node only follows. */
export type LeaderRecord = {
  /** Reads it at once, and regularly from then on. */
  watch(): void;
  /** Something has happened to the brand. */
  soon(): void;
  /** Until the next `watch`. Waits for the read that is under way. */
  stop(): Promise<void>;
};

export function createLeaderRecord({
  clock,
  read,
  take,
}: {
  readonly clock: Pick<Clock, 'elapsed' | 'after'>;
  /** Undefined when there is none, or when it cannot be read. */
  readonly read: () => Promise<SyncRecord | undefined>;
  readonly take: (record: SyncRecord) => void;
}): LeaderRecord {
  let isWatching = false;
  let cancelNext = () => {};
  let nextAt = Number.POSITIVE_INFINITY;
  let reading: Promise<void> | undefined;

  function readIn(milliseconds: number): void {
    cancelNext();
    nextAt = clock.elapsed() + milliseconds;
    cancelNext = clock.after(milliseconds, readNow);
  }

  function readNow(): void {
    reading = read().then((record) => {
      reading = undefined;
      if (!isWatching) return;
      if (record) take(record);
      readIn(READ_EVERY_MS);
    });
  }

  return {
    watch() {
      if (isWatching) return;
      isWatching = true;
      readNow();
    },
    soon() {
      const isSooner = clock.elapsed() + READ_SOON_MS < nextAt;
      if (isWatching && !reading && isSooner) readIn(READ_SOON_MS);
    },
    async stop() {
      isWatching = false;
      cancelNext();
      await reading;
    },
  };
}
