import type { PropertyId } from '../catalogue/catalogue.ts';
import type { FailureKind } from '../limits/booking-system-failure.ts';
import type { BrandProgress, RefreshMode } from './brand-progress.ts';
import { pauseBeforeNextRefresh, type RefreshProgress, readBrand } from './read-brand.ts';
import { CALENDAR_BATCH, readCalendars, type SyncedBrand } from './read-calendars.ts';
import { type BrandStatus, failureKindOf, type SyncContext } from './sync-observer.ts';

export type RefreshOptions = {
  readonly mode: RefreshMode;
  readonly onProgress?: (progress: RefreshProgress) => void;
};

export type RefreshResult = RejectedListings & {
  /** `interrupted` by the caller's signal or the end of the service. The next run does not read again what this one has read. */
  readonly outcome: 'complete' | 'failed' | 'interrupted';
  /** How many listings of the catalogue fit the network. */
  readonly listings: number;
  /** Usable ones of this run. */
  readonly calendarsRead: number;
  readonly failures: readonly { readonly kind: FailureKind; readonly error: unknown }[];
  readonly milliseconds: number;
};

type RejectedListings = Pick<BrandStatus, 'rejections' | 'notListed'>;

const NOTHING_DONE = {
  outcome: 'interrupted',
  listings: 0,
  calendarsRead: 0,
  failures: [],
  milliseconds: 0,
} as const;

/** Long enough to read the declines of one search, or of a burst of searches, in one call. */
const COLLECTING_MS = 2000;

type RunningRefresh = {
  readonly mode: RefreshMode;
  readonly listeners: Set<(progress: RefreshProgress) => void>;
  readonly result: Promise<RefreshResult>;
};

/** Reads a brand from its operator while this node leads it, one run at a time. */
export function createBrandReader({
  context: { clock, random, refreshMs, observe },
  synced,
  progress,
  onTried,
  stopping,
  readingSignal,
  mayRead,
}: {
  readonly context: SyncContext;
  readonly synced: () => SyncedBrand;
  readonly progress: BrandProgress;
  readonly onTried: (outcome: 'began' | RefreshResult['outcome']) => void;
  /** This node stops altogether. */
  readonly stopping: AbortSignal;
  /** Aborts when this node may no longer read the brand. */
  readonly readingSignal: () => AbortSignal;
  readonly mayRead: () => boolean;
}) {
  let running: RunningRefresh | undefined;
  let rejected: RejectedListings = { rejections: [], notListed: 0 };
  let cancelNext = () => {};
  const declined = new Set<PropertyId>();
  let cancelRereading: (() => void) | undefined;
  let rereading: Promise<void> | undefined;

  async function run(
    mode: RefreshMode,
    signal: AbortSignal,
    onProgress: (progress: RefreshProgress) => void,
  ): Promise<RefreshResult> {
    const startedAt = clock.elapsed();
    onTried('began');
    const brand = synced();
    const { report, listings, calendarsRead, failures } = await readBrand(brand, {
      ...{ progress, mode, signal, onProgress },
    });
    if (report) {
      const { rejections, notListed } = report.all();
      rejected = { rejections, notListed };
    }
    const milliseconds = clock.elapsed() - startedAt;
    // This node aborted it: not a failure of the operator.
    const outcome = signal.aborted ? 'interrupted' : failures.length > 0 ? 'failed' : 'complete';
    const named = failures.map((error) => ({ kind: failureKindOf(error), error }));
    const reported = outcome === 'interrupted' ? [] : named;
    const result = {
      outcome,
      listings,
      calendarsRead,
      ...rejected,
      milliseconds,
      failures: reported,
    } as const;
    conclude(result, brand);
    await progress.save();
    return result;
  }

  function conclude(
    { outcome, rejections, notListed, failures, milliseconds }: RefreshResult,
    { system: { brand }, offer }: SyncedBrand,
  ): void {
    const notIndexed = offer.takeNotIndexed();
    if (notIndexed > 0) observe.indexFull(brand, notIndexed);
    const [failure] = failures;
    if (outcome === 'complete') {
      progress.completed();
      observe.refreshed(brand, milliseconds, offer.size, rejections, notListed);
    } else if (failure) {
      progress.failed(failure.kind, failure.error);
      observe.failed(brand, failure.kind, failure.error);
    }
    onTried(outcome);
  }

  function join(signal: AbortSignal, { mode, onProgress }: RefreshOptions): Promise<RefreshResult> {
    if (running) {
      const { listeners, result } = running;
      if (mode === 'full' && running.mode !== 'full') {
        return result.then(() => join(signal, { mode, ...(onProgress ? { onProgress } : {}) }));
      }
      if (onProgress) listeners.add(onProgress);
      return result;
    }
    const listeners = new Set(onProgress ? [onProgress] : []);
    const either = AbortSignal.any([signal, stopping, readingSignal()]);
    if (either.aborted || !mayRead()) return Promise.resolve({ ...NOTHING_DONE, ...rejected });
    const result = run(mode, either, (step) => {
      for (const listener of listeners) listener(step);
    }).finally(() => {
      running = undefined;
    });
    running = { mode, listeners, result };
    return result;
  }

  async function refreshAndScheduleNext(signal: AbortSignal): Promise<void> {
    await join(signal, { mode: 'incremental' });
    scheduleNext(signal, 0);
  }

  function scheduleNext(signal: AbortSignal, sinceReadMs: number): void {
    if (signal.aborted) return;
    const { failuresInARow } = progress;
    const pauseMs = pauseBeforeNextRefresh({ failuresInARow, refreshMs, random }) - sinceReadMs;
    cancelNext();
    cancelNext = clock.after(Math.max(0, pauseMs), () => void refreshAndScheduleNext(signal));
  }

  function refresh(signal: AbortSignal, options: RefreshOptions): Promise<RefreshResult> {
    synced().queue.outdateFaulty(clock.elapsed());
    return join(signal, options);
  }

  function scheduleRereading(): void {
    if (stopping.aborted || rereading || cancelRereading || declined.size === 0) return;
    cancelRereading = clock.after(COLLECTING_MS, () => {
      cancelRereading = undefined;
      rereading = reread().finally(() => {
        rereading = undefined;
        scheduleRereading();
      });
    });
  }

  async function reread(): Promise<void> {
    const brand = synced();
    const ids = [...declined].slice(0, CALENDAR_BATCH);
    for (const id of ids) declined.delete(id);
    const properties = ids.flatMap((id) => brand.offer.listing(id) ?? []);
    if (properties.length === 0) return;
    const signal = readingSignal();
    // Not retried: the stay is already withdrawn, and the next refresh reads this calendar before others.
    await readCalendars(brand, properties, signal).catch((error: unknown) => {
      if (!signal.aborted) observe.failed(brand.system.brand, failureKindOf(error), error);
    });
  }

  return {
    /** Never rejects. Joins a run under way that reads as much. Also reads calendars that had faults, because the caller may have corrected them. */
    refresh,
    /** Reads everything again now, including what an unfinished round has read already. */
    readAnew(): void {
      synced().queue.outdateAll(clock.elapsed());
      void refresh(stopping, { mode: 'full' });
    },
    /**
     * Refreshes at the refresh interval until the signal aborts. `sinceReadMs`, the age of the last complete reading, counts towards the first
     * interval; undefined means now.
     */
    keepFresh(signal: AbortSignal, sinceReadMs: number | undefined): void {
      if (sinceReadMs === undefined) void refreshAndScheduleNext(signal);
      else scheduleNext(signal, sinceReadMs);
    },
    /** Reads the calendar of a home again soon, unless it was read since the operator declined a stay. */
    rereadSoon(property: PropertyId, declinedAt: number): void {
      const readAt = synced().offer.readAt(property);
      if (readAt !== null && readAt > declinedAt) return;
      declined.add(property);
      scheduleRereading();
    },
    /** Schedules nothing further. Waits for what is under way, which the caller's signal has to abort. */
    async end(): Promise<void> {
      cancelNext();
      declined.clear();
      cancelRereading?.();
      cancelRereading = undefined;
      await Promise.all([running?.result, rereading]);
    },
    /** Of the last run that could read the catalogue. */
    rejected: () => rejected,
  };
}
