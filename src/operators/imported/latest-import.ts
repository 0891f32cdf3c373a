import type { Clock } from '../../clock.ts';
import { BookingSystemFailure } from '../../quotes/booking-system.ts';
import { createCoalescer } from '../../quotes/coalesce.ts';
import { openDeadline } from '../../quotes/deadline.ts';
import type { IntakeLaneName } from '../intake/intake.ts';
import { type ReadImport, readImport, versionOf } from './read-import.ts';

/** The file as it was read last, and read again when somebody has written to it. */
export type LatestImport = {
  /** Read now, or found unchanged. */
  refreshed(signal: AbortSignal): Promise<ReadImport>;
  /** For pricing: as `refreshed`, or as it was read at most `maxAgeMs` ago when that takes too long. */
  fresh(signal: AbortSignal): Promise<ReadImport & { readonly readAt: number }>;
  /** However old; undefined before the first reading. */
  last(): ReadImport | undefined;
  close(): void;
};

/** Leaves time to price from the last reading within the four seconds of a quote call. */
const MAX_READING_FOR_A_PRICE_MS = 2500;

export function createLatestImport({
  clock,
  maxAgeMs,
  onLastUsed,
  ...file
}: Omit<Parameters<typeof readImport>[0], 'version' | 'lane' | 'signal'> & {
  readonly clock: Clock;
  readonly maxAgeMs: number;
  readonly onLastUsed: (failure: BookingSystemFailure) => void;
}): LatestImport {
  const share = createCoalescer<ReadImport>();
  const closing = new AbortController();
  let last: ReadImport | undefined;
  let elapsedAtCheck = 0;

  function read(signal: AbortSignal, lane: IntakeLaneName): Promise<ReadImport> {
    const start = async (shared: AbortSignal) => {
      const version = await versionOf(file.path, shared);
      const checkedAt = clock.elapsed();
      const current =
        last?.version === version ? last : await readImport({ ...file, version, lane, signal: shared });
      [last, elapsedAtCheck] = [current, checkedAt];
      return current;
    };
    // A price that gives up leaves the reading to those after it: begun anew for each, a large file would never be read.
    share('file', start, closing.signal).catch(() => undefined);
    return share('file', start, signal);
  }

  return {
    last: () => last,
    close: () => closing.abort(),
    async refreshed(signal) {
      if (signal.aborted) throw new BookingSystemFailure('timeout', 'the reading was given up');
      return await read(signal, 'background');
    },
    async fresh(signal) {
      const deadline = openDeadline({ clock, timeoutMs: MAX_READING_FOR_A_PRICE_MS, parent: signal });
      try {
        return dated(await read(deadline.signal, 'live_document'));
      } catch (error) {
        if (!last || signal.aborted || clock.elapsed() - elapsedAtCheck > maxAgeMs) throw error;
        if (error instanceof BookingSystemFailure) onLastUsed(error);
        return dated(last);
      } finally {
        deadline.close();
      }
    },
  };

  /** By the wall clock as it stands: if it was stepped back, the time of the reading would be in the future. */
  function dated(current: ReadImport) {
    return { ...current, readAt: Math.floor(clock.now() - (clock.elapsed() - elapsedAtCheck)) };
  }
}
