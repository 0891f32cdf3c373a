import type { AvailabilityWriter } from '../availability/availability-index.ts';
import type {
  FollowedChanges,
  InventoryChange,
  InventoryStore,
  LoadedHome,
} from '../availability/inventory-store.ts';
import type { BrandAvailability, BrandId, PropertyId } from '../catalogue/catalogue.ts';
import type { RequestedStay } from '../catalogue/stay-criteria.ts';
import { type Clock, type ClockTime, timeOn } from '../clock.ts';
import { createSequence } from '../limits/keyed-mutex.ts';
import type { BookingSystem, ConfirmedLosses, UnavailableReason } from '../quotes/booking-system.ts';
import type { Random } from '../random.ts';
import { createBrandPause } from './brand-controls.ts';
import { createBrandOffer } from './brand-offer.ts';
import { type BrandStatus, createBrandProgress } from './brand-progress.ts';
import { createBrandRecord, createLeaderRecord } from './brand-record.ts';
import {
  createBrandRefreshes,
  createFirstTry,
  type FirstTry,
  type RefreshOptions,
  type RefreshResult,
} from './brand-refreshes.ts';
import { createCalendarQueue, fillQueue, outdateByRecord } from './calendar-queue.ts';
import { DECLINE_MEMORY_MS } from './decline-channel.ts';
import { type BrandLeases, createLeadership, createLeadingStore } from './leadership.ts';
import { createAgeChecks, createOfferFollower, type StoredBrand } from './offer-upkeep.ts';
import { createRereadRefused, type ReadCalendars } from './read-calendars.ts';
import type { RefreshBrand } from './refresh-brand.ts';
import { createRefusals, type Refusals } from './refusals.ts';
import { failureKindOf, type SyncObserver } from './sync-observer.ts';
import { elapsedAt, type SyncRecord } from './sync-record.ts';

/** Keeps one brand fresh. Brands share no state, so a failing one does not affect the others. */
export type BrandSync = Pick<Refusals, 'rulesAgainst' | 'inDoubt'> &
  Pick<FirstTry, 'wasTried' | 'untilTried'> & {
    /** What searches find of its homes. */
    availability(): BrandAvailability;
    /** The owner paused or resumed it. No search finds any of its homes once `pause` returns; `resume` reloads them from the store. */
    pause(at: number): void;
    resume(): void;
    readonly isPaused: boolean;
    /** Aborts with the next pause; stays aborted while the brand is paused. */
    readonly pauseSignal: AbortSignal;
    /** The owner requested a full reading at this instant, in epoch milliseconds. The node that leads it reads it once. */
    readingRequested(at: number): void;
    /** Puts a stored home into the index again if it is on offer, with the age that it had. */
    putAgain(stored: LoadedHome): void;
    /** The calendars lack nights: if this node leads, aborts the current run and reads everything again. */
    readAgain(): void;
    /** The lost nights of feeds that the owner has confirmed so far. A new confirmation rereads calendars with faults. */
    confirmLosses(confirmed: ConfirmedLosses): void;
    /** Restores how far it was read before the start. `start` is one instant on both clocks. */
    restoreRecord(record: SyncRecord, start: ClockTime): void;
    /** Offers a stored home until the operator's own catalogue was read; a calendar that is too old has to be read first. */
    restore(stored: LoadedHome, start: ClockTime): void;
    /** Await this before looking up many restored homes. */
    addPending(): Promise<void>;
    offers(property: PropertyId): boolean;
    /** Whether the index has it. */
    isOnOffer(property: PropertyId): boolean;
    /** How many it has. */
    readonly onOffer: number;
    /**
     * Never rejects. Joins a running refresh that reads as much. Also reads calendars that had faults, because the caller may have corrected
     * them.
     */
    refresh(signal: AbortSignal, options: RefreshOptions): Promise<RefreshResult>;
    /** Its operator refused a stay that the index had offered, on this node or on another one `ageMs` ago. */
    refused(property: PropertyId, stay: RequestedStay, reason: UnavailableReason, ageMs?: number): void;
    /** Another node has stored a change. */
    changed(change: InventoryChange): Promise<void>;
    /** Competes for the brand, and reads it while this node leads. */
    start(leases: BrandLeases, changes: Pick<FollowedChanges, 'caughtUp'>): void;
    stop(): Promise<void>;
    status(): BrandStatus;
  };

export function createBrandSync({
  system,
  index,
  store: sharedStore,
  readCalendars,
  refreshBrand,
  readRecord,
  stored,
  readyBrands,
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
  /** It is in it while it is ready and has homes: until it is paused, loses its last home or forgets how far it was read. */
  readonly readyBrands: Set<BrandId>;
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
    memoryMs: DECLINE_MEMORY_MS,
    onTakenChange: (property, taken) => index.withdraw(property, taken),
  });
  const offer = createBrandOffer({
    brand,
    index,
    listings: sharedStore.listings,
    refusals,
    untilWritable,
    clock,
    maxAgeMs: calendarMaxAgeMs,
    onEmpty() {
      readyBrands.delete(brand);
    },
  });
  let queue = createCalendarQueue();
  /** Other nodes have read since the queue was created. */
  let queueIsBehind = false;
  const stopping = new AbortController();
  const leadership = createLeadership({
    brand,
    clock,
    stopping: stopping.signal,
    begin: (signal, lead) => serially(() => beginToLead(signal, lead)),
    end: endReading,
    ended: followAgain,
    onStoreFailure: observe.storeFailed,
  });
  let reading = new AbortController();
  const readingSignal = () =>
    AbortSignal.any([leadership.signal ?? stopping.signal, pauses.signal, reading.signal]);
  const mayRead = () => leadership.mayRead && pauses.since === null;
  const store = createLeadingStore(sharedStore, () => leadership.mayStore);
  const synced = () => ({ system, offer, queue, store });
  const progress = createBrandProgress({ offer, queue: () => queue, clock, fullEveryMs });
  const record = createBrandRecord({
    brand,
    progress,
    offer,
    queue: () => queue,
    store,
    maySave: () => leadership.mayStore,
    clock,
    onFailure: observe.storeFailed,
  });
  const firstTry = createFirstTry(clock);
  const refreshes = createBrandRefreshes({
    synced,
    refreshBrand,
    progress,
    record,
    firstTry,
    stopping: stopping.signal,
    readingSignal,
    mayRead,
    clock,
    random,
    refreshMs,
    observe,
  });
  const ageChecks = createAgeChecks({
    clock,
    offer,
    async withdrawn(properties) {
      queue.withdrawn(properties);
      observe.withdrawn(brand, properties.length);
      await record.save();
    },
  });
  const rereadRefused = createRereadRefused({
    clock,
    listingOf: offer.listing,
    read: (properties) => readCalendars(synced(), properties, readingSignal()),
    onFailure: (error) => {
      if (!readingSignal().aborted) observe.failed(brand, failureKindOf(error), error);
    },
  });
  const leaderRecord = createLeaderRecord({
    clock,
    read: readRecord,
    take(found) {
      takeOverRecord(found);
      progress.followRecord(found);
      if (found.completedAt !== null || found.lastFailure !== null) firstTry.tried();
    },
  });
  const follower = createOfferFollower({ brand, offer, stored, clock, observe });
  /** Runs changes of other nodes, corrections from the store and the beginning of a lead one at a time. */
  const serially = createSequence();
  const pauses = createBrandPause({ serially, hideHomes: offer.close, clear: clearOffer, reloadHomes });
  let requestedAt: number | null = null;
  let confirmedText = '[]';
  let isStarted = false;
  let cancelFirstWait = () => {};

  /** Continues where the last leader stopped. */
  async function beginToLead(signal: AbortSignal, lead: () => void): Promise<void> {
    await leaderRecord.stop();
    const found = await readRecord();
    if (found) takeOverRecord(found);
    if (queueIsBehind) await renewQueue();
    if (signal.aborted) return;
    system.leads?.(true);
    lead();
    if (pauses.since === null) keepFresh(signal, progress.sinceRead(record.last()));
  }

  function keepFresh(lead: AbortSignal, sinceReadMs: number | undefined): void {
    for (const [property, at] of refusals.lastRefusedAt()) rereadUnlessRead(property, at);
    const isReadNow = isReadingDue();
    if (isReadNow) readAnew();
    refreshes.keepFresh(AbortSignal.any([lead, pauses.signal]), isReadNow ? 0 : sinceReadMs);
  }

  /** Whether no full round has begun since the owner requested one. */
  function isReadingDue(): boolean {
    const { fullStartedAt } = progress.rounds.state();
    return requestedAt !== null && requestedAt > (fullStartedAt ?? Number.NEGATIVE_INFINITY);
  }

  function readAnew(): void {
    // Includes calendars that an unfinished round has read already.
    queue.outdateAll(clock.elapsed());
    void refresh(stopping.signal, { mode: 'full' });
  }

  function refresh(signal: AbortSignal, options: RefreshOptions): Promise<RefreshResult> {
    queue.outdateFaulty(clock.elapsed());
    return refreshes.refresh(signal, options);
  }

  async function clearOffer(): Promise<void> {
    await endReading();
    await offer.clear();
  }

  /** As after a start: offers the stored homes that are not too old, and reads those that are due. */
  async function reloadHomes(signal: AbortSignal): Promise<void> {
    offer.open();
    await follower.takeStored(AbortSignal.any([signal, stopping.signal]));
    if (signal.aborted || stopping.signal.aborted) return;
    await renewQueue();
    const lead = leadership.signal;
    if (lead && !lead.aborted && !signal.aborted) keepFresh(lead, progress.sinceCompleted());
  }

  async function endReading(): Promise<void> {
    await Promise.all([refreshes.end(), rereadRefused.clear()]);
  }

  function followAgain(): void {
    system.leads?.(false);
    if (store.differs) void serially(correctFromStore);
    leaderRecord.watch();
  }

  async function correctFromStore(): Promise<void> {
    if (pauses.since === null) await follower.correctFromStore(stopping.signal);
    queueIsBehind = true;
    // The stored record says how far the brand was read; this node's own readings were not stored.
    record.forget();
    store.correctFromStore();
  }

  async function follow(change: InventoryChange): Promise<void> {
    if (stopping.signal.aborted) return;
    // While this node leads, no other stores anything: the change is older than the readings here, or this node has lost the lead.
    if (leadership.signal) return store.missed();
    // A resume loads its homes from the store.
    if (pauses.since !== null) return;
    await follower.follow(change);
    queueIsBehind = true;
    leaderRecord.soon();
  }

  /** Takes over the record of another node. */
  function takeOverRecord(found: SyncRecord): void {
    if (!record.take(found)) return;
    readyBrands.delete(brand);
    progress.restore(found, timeOn(clock));
    progress.followRecord(found);
    queueIsBehind = true;
  }

  async function renewQueue(): Promise<void> {
    queue = createCalendarQueue();
    const last = record.last();
    if (last) outdateByRecord(queue, brand, last, timeOn(clock));
    await fillQueue(queue, offer, refusals);
    queueIsBehind = false;
  }

  function rereadUnlessRead(property: PropertyId, refusedAt: number): void {
    const readAt = offer.readAt(property);
    if (readAt === null || readAt <= refusedAt) rereadRefused.soon(property);
  }

  return {
    restoreRecord(stored, start) {
      record.take(stored);
      readyBrands.delete(brand);
      progress.restore(stored, start);
      outdateByRecord(queue, brand, stored, start);
    },
    pause(at) {
      readyBrands.delete(brand);
      pauses.pause(at);
      // Searches do not wait for a brand that is not on offer.
      firstTry.tried();
    },
    resume: pauses.resume,
    get isPaused() {
      return pauses.since !== null;
    },
    get pauseSignal() {
      return pauses.signal;
    },
    readingRequested(at) {
      if (at === requestedAt) return;
      requestedAt = at;
      if (leadership.signal?.aborted === false && mayRead()) readAnew();
    },
    putAgain(home) {
      const readAt = offer.readAt(home.id);
      if (readAt !== null) offer.takeStored(home, readAt);
    },
    readAgain() {
      if (!leadership.signal || leadership.signal.aborted || !mayRead()) return;
      reading.abort();
      reading = new AbortController();
      readyBrands.delete(brand);
      progress.rounds.forget();
      // The first call may only join the aborted run.
      const read = () => refresh(stopping.signal, { mode: 'incremental' });
      void read().then(read);
    },
    confirmLosses(confirmed) {
      const text = JSON.stringify([...confirmed]);
      if (text === confirmedText) return;
      confirmedText = text;
      system.confirmLosses?.(confirmed);
      if (leadership.signal?.aborted === false && mayRead())
        void refresh(stopping.signal, { mode: 'incremental' });
    },
    restore(stored, start) {
      if (pauses.since !== null) return;
      const readAt = elapsedAt(stored.readAt, start);
      queue.restore(stored.id, readAt);
      const isOfUse = offer.restore(stored, readAt);
      if (!isOfUse) queue.withdrawn([stored.id]);
      if (offer.size > 0) firstTry.tried();
    },
    addPending: offer.addPending,
    offers: (property) => offer.listing(property) !== undefined,
    isOnOffer: offer.hasCalendar,
    get onOffer() {
      return offer.size;
    },
    refresh,
    refused(property, stay, reason, ageMs = 0) {
      const at = clock.elapsed() - ageMs;
      refusals.add(property, stay, reason, ageMs);
      queue.refused(property, at);
      if (mayRead()) rereadUnlessRead(property, at);
    },
    changed: (change) => serially(() => follow(change)),
    rulesAgainst: refusals.rulesAgainst,
    inDoubt: refusals.inDoubt,
    start(leases, changes) {
      if (isStarted) return;
      isStarted = true;
      ageChecks.start();
      leadership.compete(leases, changes);
      if (leadership.mayStore) return;
      system.leads?.(false);
      leaderRecord.watch();
      cancelFirstWait = firstTry.startWaiting();
    },
    async stop() {
      stopping.abort();
      cancelFirstWait();
      refusals.stop();
      await Promise.all([refreshes.end(), ageChecks.stop(), rereadRefused.stop(), leadership.stop()]);
      const lineIsEmpty = serially(async () => {});
      await Promise.all([leaderRecord.stop(), lineIsEmpty]);
      firstTry.brokenOff();
    },
    wasTried: firstTry.wasTried,
    untilTried: firstTry.untilTried,
    availability() {
      if (pauses.since !== null) return 'paused';
      const availability = pauses.isResuming ? 'resuming' : progress.availability();
      if (availability === 'ready' && offer.size > 0) readyBrands.add(brand);
      return availability;
    },
    status() {
      const oldest = offer.oldestReadAt();
      return {
        brand,
        leads: leadership.signal?.aborted === false,
        pausedAt: pauses.since,
        lastSuccessAt: progress.rounds.state().completedAt,
        lastFailure: progress.lastFailure,
        properties: offer.size,
        oldestCalendarMs: oldest === null ? null : clock.elapsed() - oldest,
        calendarsWaiting: progress.waiting,
        ...refreshes.rejections(),
      };
    },
  };
}
