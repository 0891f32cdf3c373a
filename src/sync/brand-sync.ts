import { type Clock, type ClockTime, timeOn } from '../clock.ts';
import type { AvailabilityWriter } from '../inventory/availability-index/availability-index.ts';
import { type BrandId, type PropertyId, propertyIdOf } from '../inventory/catalogue.ts';
import { createSequence } from '../inventory/in-sequence.ts';
import { inTurns } from '../inventory/in-turns.ts';
import type { FollowedChanges, InventoryChange } from '../inventory/inventory-changes.ts';
import type { InventoryStore, LoadedHome } from '../inventory/inventory-store.ts';
import type { RequestedStay } from '../inventory/stay-criteria.ts';
import type { UnreadBrand } from '../inventory/unread-brand.ts';
import type { BookingSystem, FailureKind, HeldBack, UnavailableReason } from '../quotes/booking-system.ts';
import type { Random } from '../random.ts';
import type { BrandLeases } from './brand-leases.ts';
import { AGE_CHECK_MS, createBrandOffer } from './brand-offer.ts';
import { createCalendarQueue } from './calendar-queue.ts';
import { createLeaderRecord } from './leader-record.ts';
import { createLeadership } from './leadership.ts';
import { createLeadingStore } from './leading-store.ts';
import { pauseBeforeNextRefresh } from './next-refresh.ts';
import { createOfferFollower, type StoredBrand } from './offer-follower.ts';
import type { ReadCalendars } from './read-calendars.ts';
import type { RefreshBrand, RefreshProgress } from './refresh-brand.ts';
import { REFUSAL_MEMORY_MS } from './refusal-news.ts';
import { createRefusals, type Refusals } from './refusals.ts';
import { createRereadRefused } from './reread-refused.ts';
import { createRounds, type RefreshMode } from './rounds.ts';
import { elapsedAt } from './stored-instant.ts';
import { failureKindOf, type SyncObserver } from './sync-observer.ts';
import { isSameRecord, type SyncRecord, saveSyncRecord } from './sync-record.ts';

/** A brand that takes longer to read is searched once it was read; the others are not kept waiting. */
const MAX_WAIT_FOR_FIRST_READ_MS = 10_000;
const LISTINGS_A_TURN = 2000;
/** While a run goes on, its record is saved this often at most. */
const RECORD_PAUSE_MS = 60_000;
export type BrandStatus = {
  readonly brand: BrandId;
  /** Whether this node reads it from its operator. What follows is then its own, else what the node that does has last said. */
  readonly leads: boolean;
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
  /** Its operator refused a stay that the index had offered, on this node or on another one so long ago. */
  refused(property: PropertyId, stay: RequestedStay, reason: UnavailableReason, ageMs?: number): void;
  /** Another node has stored something of it. */
  changed(change: InventoryChange): Promise<void>;
  /** Competes for the brand, and reads it while this node leads. */
  start(leases: BrandLeases, changes: Pick<FollowedChanges, 'caughtUp'>): void;
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
  store: sharedStore,
  readCalendars,
  refreshBrand,
  readRecord,
  stored,
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
  readonly store: InventoryStore;
  readonly readCalendars: ReadCalendars;
  readonly refreshBrand: RefreshBrand;
  /** Undefined when there is none, or when it cannot be read. */
  readonly readRecord: () => Promise<SyncRecord | undefined>;
  readonly stored: StoredBrand;
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
    listings: sharedStore.listings,
    refusals,
    untilWritable,
    clock,
    maxAgeMs: calendarMaxAgeMs,
  });
  let queue = createCalendarQueue();
  const rounds = createRounds({ fullEveryMs });
  const stopping = new AbortController();
  const leadership = createLeadership({
    brand,
    clock,
    stopping: stopping.signal,
    begin: (signal, lead) => inLine(() => beginToLead(signal, lead)),
    end: endReading,
    ended: followAgain,
    onStoreFailure: observe.storeFailed,
  });
  const store = createLeadingStore(sharedStore, () => leadership.mayStore);
  const follower = createOfferFollower({ brand, offer, stored, clock, observe });
  /** Changes of others, putting right and the beginning of a lead come one after the other. */
  const inLine = createSequence();
  /** Others have read since the queue was made. */
  let queueIsBehind = false;
  /** What others have said last, until this node knows itself what is to be read. */
  let heard: SyncRecord | undefined;
  /** The last two that this node knows, because of the last one it may not know whether it was stored. */
  let knownRecords: readonly SyncRecord[] = [];
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
  let leaderHasTried = false;
  let cancelFirstWait = () => {};
  let recordSavedAt = Number.NEGATIVE_INFINITY;
  const firstTry = Promise.withResolvers<void>();

  const rereadRefused = createRereadRefused({
    clock,
    listingOf: offer.listing,
    read: (properties) => readCalendars(read(), properties, readingSignal()),
    onFailure: (error) => {
      if (!readingSignal().aborted) observe.failed(brand, failureKindOf(error), error);
    },
  });
  const leaderRecord = createLeaderRecord({
    clock,
    read: readRecord,
    take(record) {
      learn(record);
      heard = record;
      if (record.completedAt === null && record.lastFailure === null) return;
      leaderHasTried = true;
      firstTry.resolve();
    },
  });

  const read = () => ({ system, offer, queue, store });
  const readingSignal = () => leadership.signal ?? stopping.signal;
  const waiting = () => heard?.waiting ?? queue.waiting;

  async function saveRecord(): Promise<void> {
    if (!leadership.mayStore) return;
    recordSavedAt = clock.elapsed();
    const changed = await queue.outdated();
    const { now, elapsed } = timeOn(clock);
    const oldest = offer.oldestReadAt();
    try {
      const record = {
        ...rounds.state(),
        savedAt: now,
        changed,
        offered: offer.size,
        oldestCalendarAt: oldest === null ? null : Math.max(0, Math.round(now - (elapsed - oldest))),
        waiting: queue.waiting,
        lastFailure,
      };
      knownRecords = [...knownRecords.slice(-1), record];
      await saveSyncRecord(store, brand, record);
      knownRecords = [record];
    } catch (error) {
      observe.storeFailed(error);
    }
  }

  function waitedLongEnough(): void {
    isSlowToStart = true;
    firstTry.resolve();
  }

  async function refreshOnce(
    mode: RefreshMode,
    signal: AbortSignal,
    onProgress: (progress: RefreshProgress) => void,
  ): Promise<RefreshResult> {
    const startedAt = clock.elapsed();
    const stopWaiting = clock.after(MAX_WAIT_FOR_FIRST_READ_MS, waitedLongEnough);
    const { report, listings, calendarsRead, failures } = await refreshBrand(read(), {
      rounds,
      mode,
      signal,
      onProgress,
      planned() {
        heard = undefined;
        return saveRecord();
      },
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
    const either = AbortSignal.any([signal, stopping.signal, readingSignal()]);
    if (either.aborted || !leadership.mayRead) {
      return Promise.resolve({ ...NOTHING_DONE, heldBack, notListed });
    }
    const result = refreshOnce(mode, either, (progress) => {
      for (const listener of listeners) listener(progress);
    }).finally(() => {
      running = undefined;
    });
    running = { mode, listeners, result };
    return result;
  }

  async function refreshAndScheduleNext(signal: AbortSignal): Promise<void> {
    await refresh(signal, { mode: 'incremental' });
    scheduleNext(signal);
  }

  function scheduleNext(signal: AbortSignal, sinceLastMs = 0): void {
    if (signal.aborted) return;
    const pauseMs = pauseBeforeNextRefresh({ failuresInARow, refreshMs, random }) - sinceLastMs;
    cancelRefresh = clock.after(Math.max(0, pauseMs), () => void refreshAndScheduleNext(signal));
  }

  /** Goes on where the last leader stopped. */
  async function beginToLead(signal: AbortSignal, lead: () => void): Promise<void> {
    await leaderRecord.stop();
    const record = await readRecord();
    if (record) learn(record);
    if (queueIsBehind) await renewQueue();
    if (signal.aborted) return;
    lead();
    for (const [property, at] of refusals.lastRefusedAt()) rereadUnlessRead(property, at);
    const last = heard;
    if (last?.completedAt && last.lastFailure === null && last.waiting === 0) {
      scheduleNext(signal, Math.max(0, clock.now() - last.completedAt));
    } else if (wasRead && !last && knownRecords.length > 0) scheduleNext(signal);
    else void refreshAndScheduleNext(signal);
  }

  async function endReading(): Promise<void> {
    cancelRefresh();
    await Promise.all([running?.result, rereadRefused.clear()]);
  }

  function followAgain(): void {
    if (store.differs) void inLine(putRight);
    leaderRecord.watch();
  }

  async function putRight(): Promise<void> {
    await follower.putRight(stopping.signal);
    queueIsBehind = true;
    // The stored record says how far the brand was read, not what this node has done since.
    knownRecords = [];
    store.putRight();
  }

  async function follow(change: InventoryChange): Promise<void> {
    if (stopping.signal.aborted) return;
    // Nobody else stores anything of the brand while this node leads: it is older than what was read here, or the lead is lost by now.
    if (leadership.signal) return store.missed();
    await follower.follow(change);
    queueIsBehind = true;
    leaderRecord.soon();
  }

  /** What the record of another node says of the brand. */
  function learn(record: SyncRecord): void {
    if (knownRecords.some((known) => isSameRecord(known, record))) return;
    restoreRounds(record, timeOn(clock));
    knownRecords = [record];
    heard = record;
    failuresInARow = 0;
    queueIsBehind = true;
  }

  function restoreRounds(record: SyncRecord, start: ClockTime): void {
    const { completedAt, fullStartedAt, fullIsComplete, changesKnownUntil } = record;
    lastFailure = record.lastFailure;
    const known = { completedAt, fullStartedAt, fullIsComplete, changesKnownUntil };
    rounds.restore(known, (instant) => elapsedAt(instant, start));
  }

  function outdateBy({ fullStartedAt, changesKnownUntil, changed }: SyncRecord, start: ClockTime): void {
    if (fullStartedAt !== null) queue.outdateAll(elapsedAt(fullStartedAt, start));
    if (changesKnownUntil === null) return;
    const changedAt = elapsedAt(changesKnownUntil, start);
    for (const reference of changed) queue.outdate(propertyIdOf(brand, reference), changedAt);
  }

  /** Whatever others have read is not read again. */
  async function renewQueue(): Promise<void> {
    queue = createCalendarQueue();
    const record = knownRecords.at(-1);
    if (record) outdateBy(record, timeOn(clock));
    await offer.settle();
    await inTurns(offer.listings(), LISTINGS_A_TURN, ({ id, readAt }) => {
      if (readAt === null) queue.withdrawn([id]);
      else queue.restore(id, readAt);
    });
    for (const [property, at] of refusals.lastRefusedAt()) queue.refused(property, at);
    queueIsBehind = false;
  }

  function rereadUnlessRead(property: PropertyId, refusedAt: number): void {
    const readAt = offer.readAt(property);
    if (readAt === null || readAt <= refusedAt) rereadRefused.soon(property);
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
      knownRecords = [record];
      restoreRounds(record, start);
      outdateBy(record, start);
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
    refused(property, stay, reason, ageMs = 0) {
      const at = clock.elapsed() - ageMs;
      refusals.remember(property, stay, reason, ageMs);
      queue.refused(property, at);
      if (leadership.mayRead) rereadUnlessRead(property, at);
    },
    changed: (change) => inLine(() => follow(change)),
    rulesAgainst: refusals.rulesAgainst,
    inDoubt: refusals.inDoubt,
    start(leases, changes) {
      if (isStarted) return;
      isStarted = true;
      checkAgesRegularly();
      leadership.compete(leases, changes);
      if (leadership.mayStore) return;
      leaderRecord.watch();
      cancelFirstWait = clock.after(MAX_WAIT_FOR_FIRST_READ_MS, waitedLongEnough);
    },
    async stop() {
      stopping.abort();
      cancelRefresh();
      cancelAgeCheck();
      cancelFirstWait();
      refusals.stop();
      await Promise.all([running?.result, ageCheck, rereadRefused.stop(), leadership.stop()]);
      const lineIsEmpty = inLine(async () => {});
      await Promise.all([leaderRecord.stop(), lineIsEmpty]);
      firstTry.resolve();
    },
    wasTried: () => wasRestored || wasRead || isSlowToStart || leaderHasTried,
    untilTried: () => firstTry.promise,
    unread() {
      if (offer.size === 0) {
        const isKnown = offer.catalogueIsKnown || (heard?.completedAt ?? null) !== null;
        const isMissing = !isKnown || waiting() > 0;
        return isMissing ? { brand, isPartlyRead: false } : undefined;
      }
      const isFirstRound = rounds.state().completedAt === null && waiting() > 0;
      return isFirstRound ? { brand, isPartlyRead: true } : undefined;
    },
    status() {
      const oldest = offer.oldestReadAt();
      return {
        brand,
        leads: leadership.signal?.aborted === false,
        lastSuccessAt: rounds.state().completedAt,
        lastFailure,
        properties: offer.size,
        oldestCalendarMs: oldest === null ? null : clock.elapsed() - oldest,
        calendarsWaiting: waiting(),
        heldBack,
        notListed,
      };
    },
  };
}
