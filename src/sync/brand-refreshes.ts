import type { Clock } from '../clock.ts';
import type { FailureKind } from '../limits/booking-system-failure.ts';
import type { Random } from '../random.ts';
import type { BrandProgress, BrandStatus, RefreshMode } from './brand-progress.ts';
import type { BrandRecord } from './brand-record.ts';
import type { SyncedBrand } from './read-calendars.ts';
import { pauseBeforeNextRefresh, type RefreshBrand, type RefreshProgress } from './refresh-brand.ts';
import { failureKindOf, type SyncObserver } from './sync-observer.ts';

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
  readonly failures: readonly RefreshFailure[];
  readonly milliseconds: number;
};

type RefreshFailure = { readonly kind: FailureKind; readonly error: unknown };

type RejectedListings = Pick<BrandStatus, 'rejections' | 'notListed'>;

/** Refreshes a brand, one run at a time. */
type BrandRefreshes = {
  /** Never rejects. Joins a run under way that reads as much. */
  refresh(signal: AbortSignal, options: RefreshOptions): Promise<RefreshResult>;
  /**
   * Refreshes at the refresh interval until the signal aborts. `sinceReadMs`, the age of the last complete reading, counts towards the first
   * interval; undefined means now.
   */
  keepFresh(signal: AbortSignal, sinceReadMs: number | undefined): void;
  /** Schedules no further run. Waits for a run under way, which the caller's signal has to abort. */
  end(): Promise<void>;
  /** Of the last run that could read the catalogue. */
  rejections(): RejectedListings;
};

const NOTHING_DONE = {
  outcome: 'interrupted',
  listings: 0,
  calendarsRead: 0,
  failures: [],
  milliseconds: 0,
} as const;

type RunningRefresh = {
  readonly mode: RefreshMode;
  readonly listeners: Set<(progress: RefreshProgress) => void>;
  readonly result: Promise<RefreshResult>;
};

export function createBrandRefreshes({
  synced,
  refreshBrand,
  progress,
  record,
  firstTry,
  stopping,
  readingSignal,
  mayRead,
  clock,
  random,
  refreshMs,
  observe,
}: {
  readonly synced: () => SyncedBrand;
  readonly refreshBrand: RefreshBrand;
  readonly progress: Pick<BrandProgress, 'rounds' | 'failuresInARow' | 'planned' | 'completed' | 'failed'>;
  readonly record: Pick<BrandRecord, 'save' | 'saveNowAndThen'>;
  readonly firstTry: Pick<FirstTry, 'tried' | 'startWaiting' | 'brokenOff'>;
  /** This node stops altogether. */
  readonly stopping: AbortSignal;
  /** Aborts when this node may no longer read the brand. */
  readonly readingSignal: () => AbortSignal;
  readonly mayRead: () => boolean;
  readonly clock: Pick<Clock, 'elapsed' | 'after'>;
  readonly random: Random;
  readonly refreshMs: number;
  readonly observe: Pick<SyncObserver, 'refreshed' | 'failed' | 'indexFull'>;
}): BrandRefreshes {
  let running: RunningRefresh | undefined;
  let rejected: RejectedListings = { rejections: [], notListed: 0 };
  let cancelNext = () => {};

  async function run(
    mode: RefreshMode,
    signal: AbortSignal,
    onProgress: (progress: RefreshProgress) => void,
  ): Promise<RefreshResult> {
    const startedAt = clock.elapsed();
    const stopWaiting = firstTry.startWaiting();
    const brand = synced();
    const { report, listings, calendarsRead, failures } = await refreshBrand(brand, {
      rounds: progress.rounds,
      mode,
      signal,
      onProgress,
      planned() {
        progress.planned();
        return record.save();
      },
      advanced: record.saveNowAndThen,
    });
    stopWaiting();
    if (report) {
      const { rejections, notListed } = report.all();
      rejected = { rejections, notListed };
    }
    const milliseconds = clock.elapsed() - startedAt;
    // This node aborted it: not a failure of the operator.
    const outcome = signal.aborted ? 'interrupted' : failures.length > 0 ? 'failed' : 'complete';
    const reported = outcome === 'interrupted' ? [] : failures.map(refreshFailure);
    const result: RefreshResult = {
      outcome,
      listings,
      calendarsRead,
      ...rejected,
      milliseconds,
      failures: reported,
    };
    conclude(result, brand);
    await record.save();
    return result;
  }

  function conclude(
    { outcome, rejections, notListed, failures, milliseconds }: RefreshResult,
    { system, offer }: SyncedBrand,
  ): void {
    const { brand } = system;
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
    if (outcome === 'interrupted') firstTry.brokenOff();
    else firstTry.tried();
  }

  function refresh(signal: AbortSignal, { mode, onProgress }: RefreshOptions): Promise<RefreshResult> {
    if (running) {
      const { listeners, result } = running;
      if (mode === 'full' && running.mode !== 'full') {
        return result.then(() => refresh(signal, { mode, ...(onProgress ? { onProgress } : {}) }));
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
    await refresh(signal, { mode: 'incremental' });
    scheduleNext(signal, 0);
  }

  function scheduleNext(signal: AbortSignal, sinceReadMs: number): void {
    if (signal.aborted) return;
    const { failuresInARow } = progress;
    const pauseMs = pauseBeforeNextRefresh({ failuresInARow, refreshMs, random }) - sinceReadMs;
    cancelNext = clock.after(Math.max(0, pauseMs), () => void refreshAndScheduleNext(signal));
  }

  return {
    refresh,
    keepFresh(signal, sinceReadMs) {
      if (sinceReadMs === undefined) void refreshAndScheduleNext(signal);
      else scheduleNext(signal, sinceReadMs);
    },
    async end() {
      cancelNext();
      await running?.result;
    },
    rejections: () => rejected,
  };
}

function refreshFailure(error: unknown): RefreshFailure {
  return { kind: failureKindOf(error), error };
}

/** Searches do not wait longer for a brand; they include it once it was read. */
const MAX_WAIT_MS = 10_000;

/** Whether a brand was tried since the start: until then, searches may miss homes that appear soon. */
export type FirstTry = {
  /** It was read, was loaded from the store, or has failed, on this node or its leader. */
  tried(): void;
  /** Counts it as tried after a while, unless the returned function is called first. */
  startWaiting(): () => void;
  /** Ends all waiting, tried or not. */
  brokenOff(): void;
  /** Also true once the wait is over. */
  wasTried(): boolean;
  /** Resolves once it was tried or the wait was ended. */
  untilTried(): Promise<void>;
};

export function createFirstTry(clock: Pick<Clock, 'after'>): FirstTry {
  const { promise, resolve } = Promise.withResolvers<void>();
  let wasTried = false;

  function tried(): void {
    wasTried = true;
    resolve();
  }

  return {
    tried,
    startWaiting: () => clock.after(MAX_WAIT_MS, tried),
    brokenOff: resolve,
    wasTried: () => wasTried,
    untilTried: () => promise,
  };
}
