import { type Clock, type ClockTime, timeOn } from '../clock.ts';
import type { AvailabilityWriter } from '../inventory/availability-index/availability-index.ts';
import { type BrandId, type PropertyId, propertyIdOf } from '../inventory/catalogue.ts';
import type { InventoryStore, LoadedHome } from '../inventory/inventory-store.ts';
import type { RequestedStay } from '../inventory/stay-criteria.ts';
import type { UnreadBrand } from '../inventory/unread-brand.ts';
import type { BookingSystem, FailureKind, HeldBack, UnavailableReason } from '../quotes/booking-system.ts';
import type { Random } from '../random.ts';
import { AGE_CHECK_MS, createBrandOffer } from './brand-offer.ts';
import { createCalendarQueue } from './calendar-queue.ts';
import { pauseBeforeNextRefresh } from './next-refresh.ts';
import type { ReadCalendars } from './read-calendars.ts';
import type { RefreshBrand, RefreshProgress } from './refresh-brand.ts';
import { createRefusals, type Refusals } from './refusals.ts';
import { createRereadRefused } from './reread-refused.ts';
import { createRounds, type RefreshMode } from './rounds.ts';
import { failureKindOf, type SyncObserver } from './sync-observer.ts';
import { type SyncRecord, saveSyncRecord } from './sync-record.ts';

/** A brand that takes longer to read is searched once it was read; the others are not kept waiting. */
const MAX_WAIT_FOR_FIRST_READ_MS = 10_000;
const REFUSAL_MEMORY_MS = 600_000;
/** While a run goes on, its record is saved this often at most. */
const RECORD_PAUSE_MS = 60_000;
/** By how much a stored time may lie ahead, after a small correction of the clock. Beyond it, its age is not known. */
const MAX_AHEAD_MS = 300_000;

export type BrandStatus = {
  readonly brand: BrandId;
  /** When a run last left nothing unread, in epoch milliseconds, also before this start; null when none ever did. */
  readonly lastSuccessAt: number | null;
  /** null when nothing has failed since the last success. */
  readonly lastFailure: { readonly at: number; readonly kind: FailureKind } | null;
  /** How many are offered. */
  readonly properties: number;
  /** The age of the oldest calendar on offer; null when there is none. */
  readonly oldestCalendarMs: number | null;
  /** How many calendars are still to be read, because a run did not get to them or because they are too old to be offered. */
  readonly calendarsWaiting: number;
  readonly heldBack: readonly HeldBack[];
  /** How many more listings are held back than the list has. */
  readonly notListed: number;
};

export type RefreshOptions = {
  readonly mode: RefreshMode;
  readonly onProgress?: (progress: RefreshProgress) => void;
};

export type RefreshResult = {
  /** `interrupted` by the caller's signal or the end of the service. What was read until then is kept, and not read again by the next run. */
  readonly outcome: 'complete' | 'failed' | 'interrupted';
  /** How many the catalogue has that fit the network. */
  readonly listings: number;
  /** Usable ones of this run. */
  readonly calendarsRead: number;
  readonly heldBack: readonly HeldBack[];
  /** How many more listings are held back than the list has. */
  readonly notListed: number;
  readonly failures: readonly RefreshFailure[];
  readonly milliseconds: number;
};

export type RefreshFailure = { readonly kind: FailureKind; readonly error: unknown };

/** Keeps one brand fresh. Brands share no state, so that a failing one does not affect the others. */
export type BrandSync = Pick<Refusals, 'rulesAgainst' | 'inDoubt'> & {
  /** How far it had been read before the start. `start` is one instant on both clocks. */
  restoreRecord(record: SyncRecord, start: ClockTime): void;
  /** Offers a stored home until the operator's own catalogue has been read; a calendar that is too old has to be read first. */
  restore(stored: LoadedHome, start: ClockTime): void;
  /** To be awaited before many are asked for that were restored. */
  settle(): Promise<void>;
  offers(property: PropertyId): boolean;
  /** Whether the index has it. */
  isOnOffer(property: PropertyId): boolean;
  /** How many it has. */
  readonly onOffer: number;
  /**
   * Never rejects. Joins the refresh that is running, if there is one that reads as much. Calendars that were of no use are read
   * too, because whoever asks may have corrected them.
   */
  refresh(signal: AbortSignal, options: RefreshOptions): Promise<RefreshResult>;
  /** Its operator refused a stay that the index had offered. */
  refused(property: PropertyId, stay: RequestedStay, reason: UnavailableReason): void;
  start(): void;
  stop(): Promise<void>;
  /** Whether it was read, was loaded from the store, has failed since the start, or takes too long to wait for. */
  wasTried(): boolean;
  /** Resolves once it was tried, or when its first read is broken off. */
  untilTried(): Promise<void>;
  status(): BrandStatus;
  /** Undefined when nothing is missing that its operator has. */
  unread(): UnreadBrand | undefined;
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

export function createBrandSync({
  system,
  index,
  store,
  readCalendars,
  refreshBrand,
  untilWritable,
  clock,
  random,
  refreshMs,
  fullEveryMs,
  calendarMaxAgeMs,
  observe,
}: {
  readonly system: BookingSystem;
  readonly index: AvailabilityWriter;
  readonly store: Pick<InventoryStore, 'saveDocument' | 'listings'>;
  readonly readCalendars: ReadCalendars;
  readonly refreshBrand: RefreshBrand;
  readonly untilWritable: () => Promise<void>;
  readonly clock: Clock;
  readonly random: Random;
  readonly refreshMs: number;
  readonly fullEveryMs: number;
  readonly calendarMaxAgeMs: number;
  readonly observe: SyncObserver;
}): BrandSync {
  const { brand } = system;
  const refusals = createRefusals({
    clock,
    memoryMs: REFUSAL_MEMORY_MS,
    onTakenChange: (property, taken) => index.withdraw(property, taken),
  });
  const offer = createBrandOffer({
    index,
    listings: store.listings,
    refusals,
    untilWritable,
    clock,
    maxAgeMs: calendarMaxAgeMs,
  });
  const queue = createCalendarQueue();
  const rounds = createRounds({ fullEveryMs });
  const read = { system, offer, queue };
  const stopping = new AbortController();
  let running: RunningRefresh | undefined;
  let ageCheck: Promise<void> | undefined;
  let isStarted = false;
  let cancelRefresh = () => {};
  let cancelAgeCheck = () => {};
  let wasRestored = false;
  let wasRead = false;
  let lastFailure: { readonly at: number; readonly kind: FailureKind } | null = null;
  let failuresInARow = 0;
  let heldBack: readonly HeldBack[] = [];
  let notListed = 0;
  let isSlowToStart = false;
  let recordSavedAt = Number.NEGATIVE_INFINITY;
  const firstTry = Promise.withResolvers<void>();

  const rereadRefused = createRereadRefused({
    clock,
    listingOf: offer.listing,
    read: (properties) => readCalendars(read, properties, stopping.signal),
    onFailure: (error) => {
      if (!stopping.signal.aborted) observe.failed(brand, failureKindOf(error), error);
    },
  });

  async function saveRecord(): Promise<void> {
    recordSavedAt = clock.elapsed();
    const changed = await queue.outdated();
    const { now, elapsed } = timeOn(clock);
    const oldest = offer.oldestReadAt();
    try {
      await saveSyncRecord(store, brand, {
        ...rounds.state(),
        savedAt: now,
        changed,
        offered: offer.size,
        oldestCalendarAt: oldest === null ? null : Math.max(0, Math.round(now - (elapsed - oldest))),
        waiting: queue.waiting,
        lastFailure,
      });
    } catch (error) {
      observe.storeFailed(error);
    }
  }

  async function refreshOnce(
    mode: RefreshMode,
    signal: AbortSignal,
    onProgress: (progress: RefreshProgress) => void,
  ): Promise<RefreshResult> {
    const startedAt = clock.elapsed();
    const stopWaiting = clock.after(MAX_WAIT_FOR_FIRST_READ_MS, () => {
      isSlowToStart = true;
      firstTry.resolve();
    });
    const { report, listings, calendarsRead, failures } = await refreshBrand(read, {
      rounds,
      mode,
      signal,
      onProgress,
      planned: saveRecord,
      advanced: async () => {
        if (clock.elapsed() - recordSavedAt >= RECORD_PAUSE_MS) await saveRecord();
      },
    });
    stopWaiting();
    const withoutRoom = offer.takeWithoutRoom();
    if (withoutRoom > 0) observe.indexFull(brand, withoutRoom);
    if (report) ({ heldBack, notListed } = report.all());
    const milliseconds = clock.elapsed() - startedAt;
    const result = { listings, calendarsRead, heldBack, notListed, milliseconds };
    // We aborted it ourselves: not a failure of the operator.
    const outcome = signal.aborted ? 'interrupted' : failures.length > 0 ? 'failed' : 'complete';
    if (outcome === 'complete') {
      rounds.completed(clock.now());
      lastFailure = null;
      failuresInARow = 0;
      wasRead = true;
      observe.refreshed(brand, milliseconds, offer.size, heldBack, notListed);
    } else if (outcome === 'failed') {
      lastFailure = { at: clock.now(), kind: failureKindOf(failures[0]) };
      failuresInARow += 1;
      wasRead = true;
      observe.failed(brand, lastFailure.kind, failures[0]);
    }
    firstTry.resolve();
    await saveRecord();
    const told = outcome === 'interrupted' ? [] : failures;
    return { outcome, ...result, failures: told.map((error) => ({ kind: failureKindOf(error), error })) };
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
    const either = AbortSignal.any([signal, stopping.signal]);
    if (either.aborted) return Promise.resolve({ ...NOTHING_DONE, heldBack, notListed });
    const result = refreshOnce(mode, either, (progress) => {
      for (const listener of listeners) listener(progress);
    }).finally(() => {
      running = undefined;
    });
    running = { mode, listeners, result };
    return result;
  }

  async function refreshAndScheduleNext(): Promise<void> {
    await refresh(stopping.signal, { mode: 'incremental' });
    scheduleNext();
  }

  function scheduleNext(): void {
    if (stopping.signal.aborted) return;
    const pauseMs = pauseBeforeNextRefresh({ failuresInARow, refreshMs, random });
    cancelRefresh = clock.after(pauseMs, () => void refreshAndScheduleNext());
  }

  function checkAgesRegularly(): void {
    cancelAgeCheck = clock.after(AGE_CHECK_MS, () => {
      ageCheck = withdrawTooOld().finally(() => {
        ageCheck = undefined;
        if (!stopping.signal.aborted) checkAgesRegularly();
      });
    });
  }

  async function withdrawTooOld(): Promise<void> {
    const withdrawn = await offer.withdrawTooOld();
    if (withdrawn.length === 0) return;
    queue.withdrawn(withdrawn);
    observe.withdrawn(brand, withdrawn.length);
    await saveRecord();
  }

  return {
    restoreRecord(record, start) {
      const { completedAt, fullStartedAt, fullIsComplete, changesKnownUntil, changed } = record;
      lastFailure = record.lastFailure;
      const known = { completedAt, fullStartedAt, fullIsComplete, changesKnownUntil };
      rounds.restore(known, (instant) => elapsedAt(instant, start));
      if (fullStartedAt !== null) queue.outdateAll(elapsedAt(fullStartedAt, start));
      if (changesKnownUntil === null) return;
      const changedAt = elapsedAt(changesKnownUntil, start);
      for (const reference of changed) queue.outdate(propertyIdOf(brand, reference), changedAt);
    },
    restore(stored, start) {
      const readAt = elapsedAt(stored.readAt, start);
      queue.restore(stored.id, readAt);
      const isOfUse = offer.restore(stored, readAt);
      if (!isOfUse) queue.withdrawn([stored.id]);
      if (wasRestored || offer.size === 0) return;
      wasRestored = true;
      firstTry.resolve();
    },
    settle: offer.settle,
    offers: (property) => offer.listing(property) !== undefined,
    isOnOffer: offer.hasCalendar,
    get onOffer() {
      return offer.size;
    },
    refresh(signal, options) {
      queue.outdateFaulty(clock.elapsed());
      return refresh(signal, options);
    },
    refused(property, stay, reason) {
      refusals.remember(property, stay, reason);
      queue.refused(property, clock.elapsed());
      rereadRefused.soon(property);
    },
    rulesAgainst: refusals.rulesAgainst,
    inDoubt: refusals.inDoubt,
    start() {
      if (isStarted) return;
      isStarted = true;
      checkAgesRegularly();
      if (wasRead) scheduleNext();
      else void refreshAndScheduleNext();
    },
    async stop() {
      stopping.abort();
      cancelRefresh();
      cancelAgeCheck();
      refusals.stop();
      await Promise.all([running?.result, ageCheck, rereadRefused.stop()]);
    },
    wasTried: () => wasRestored || wasRead || isSlowToStart,
    untilTried: () => firstTry.promise,
    unread() {
      if (offer.size === 0) {
        const isMissing = !offer.catalogueIsKnown || queue.waiting > 0;
        return isMissing ? { brand, isPartlyRead: false } : undefined;
      }
      const isFirstRound = rounds.state().completedAt === null && queue.waiting > 0;
      return isFirstRound ? { brand, isPartlyRead: true } : undefined;
    },
    status() {
      const oldest = offer.oldestReadAt();
      return {
        brand,
        lastSuccessAt: rounds.state().completedAt,
        lastFailure,
        properties: offer.size,
        oldestCalendarMs: oldest === null ? null : clock.elapsed() - oldest,
        calendarsWaiting: queue.waiting,
        heldBack,
        notListed,
      };
    },
  };
}

/** What a stored instant is in elapsed time. Of one that lies well ahead nobody knows how long ago it was: it counts as the oldest. */
function elapsedAt(instant: number, { now, elapsed }: ClockTime): number {
  return instant > now + MAX_AHEAD_MS ? Number.NEGATIVE_INFINITY : elapsed - Math.max(0, now - instant);
}
