import type { FollowedChanges, InventoryChange, LoadedHome } from '../availability/inventory-store.ts';
import type { BrandAvailability, BrandId, PropertyId } from '../catalogue/catalogue.ts';
import type { RequestedStay } from '../catalogue/stay-criteria.ts';
import { type ClockTime, timeOn } from '../clock.ts';
import { createSequence } from '../limits/keyed-mutex.ts';
import type { BookingSystem, UnavailableReason } from '../quotes/booking-system.ts';
import { elapsedAt, type SyncRecord } from './brand-documents.ts';
import { createBrandFollower, type StoredBrand } from './brand-follower.ts';
import { AGE_CHECK_MS, createBrandOffer } from './brand-offer.ts';
import { createBrandProgress } from './brand-progress.ts';
import { createBrandReader } from './brand-reader.ts';
import { createCalendarQueue, fillQueue, outdateByRecord } from './calendar-queue.ts';
import { DECLINE_MEMORY_MS } from './decline-channel.ts';
import { type BrandLeases, createLeadership, createLeadingStore } from './leadership.ts';
import { createRefusals } from './refusals.ts';
import type { BrandStatus, SyncContext } from './sync-observer.ts';

export type BrandSync = ReturnType<typeof createBrandSync>;

/** Why none of its homes is on offer: the owner paused it, or they are being loaded from the store again. */
type Hidden =
  | { readonly kind: 'paused'; readonly since: number }
  | { readonly kind: 'reloading'; readonly availability: 'resuming' | 'loading' };

/** Searches do not wait longer for a brand; they include it once it was read. */
const MAX_FIRST_WAIT_MS = 10_000;

/** Keeps one brand fresh: reads it while this node leads it, follows the store otherwise. Brands share no state, so a failing one does not affect the others. */
export function createBrandSync({
  context,
  system,
  stored,
  readyBrands,
}: {
  readonly context: SyncContext;
  readonly system: BookingSystem;
  readonly stored: StoredBrand;
  /** It is in it while it is ready and has homes: until it is hidden, loses its last home or forgets how far it was read. */
  readonly readyBrands: Set<BrandId>;
}) {
  const { index, clock, untilWritable, calendarMaxAgeMs, observe } = context;
  const { brand } = system;
  const stopping = new AbortController();
  /** Runs changes of other nodes, corrections from the store, reloads and the beginning of a lead one at a time. */
  const serially = createSequence();
  const refusals = createRefusals({
    clock,
    memoryMs: DECLINE_MEMORY_MS,
    onTakenChange: (property, taken) => index.withdraw(property, taken),
  });
  const offer = createBrandOffer({
    ...{ brand, index, refusals, untilWritable, clock },
    listings: context.store.listings,
    maxAgeMs: calendarMaxAgeMs,
    onEmpty: () => void readyBrands.delete(brand),
  });
  let queue = createCalendarQueue();
  /** Other nodes have read since the queue was created. */
  let queueIsBehind = false;
  let hidden: Hidden | null = null;
  /** Aborts with the next pause; aborted while the brand is paused. */
  let pausing = new AbortController();
  /** Aborts when the brand is hidden. */
  let showing = new AbortController();
  const leadership = createLeadership({
    ...{ brand, clock },
    stopping: stopping.signal,
    begin: (signal, lead) => serially(() => beginToLead(signal, lead)),
    end: () => reader.end(),
    ended: followAgain,
    onStoreFailure: observe.storeFailed,
  });
  const readingSignal = () => AbortSignal.any([leadership.signal ?? stopping.signal, showing.signal]);
  const mayRead = () => leadership.mayRead && hidden === null;
  const store = createLeadingStore(context.store, () => leadership.mayStore);
  const progress = createBrandProgress({
    ...{ context, brand, offer, store },
    queue: () => queue,
    maySave: () => leadership.mayStore,
  });
  const reader = createBrandReader({
    ...{ context, progress, readingSignal, mayRead },
    synced: () => ({ context, system, offer, queue, store }),
    onTried(outcome) {
      cancelFirstWait();
      if (outcome === 'began') waitForFirstTry();
      else if (outcome === 'interrupted') resolveFirstTry();
      else tried();
    },
    stopping: stopping.signal,
  });
  const follower = createBrandFollower({
    ...{ context, brand, offer, stored },
    takeRecord(found) {
      takeOverRecord(found);
      progress.follow(found);
      if (found.completedAt !== null || found.lastFailure !== null) tried();
    },
  });
  const { promise: firstTry, resolve: resolveFirstTry } = Promise.withResolvers<void>();
  let wasTried = false;
  let cancelFirstWait = () => {};
  let cancelAgeCheck = () => {};
  let ageCheck: Promise<void> | undefined;
  let requestedAt: number | null = null;
  let isStarted = false;

  function tried(): void {
    wasTried = true;
    resolveFirstTry();
  }

  function waitForFirstTry(): void {
    cancelFirstWait = clock.after(MAX_FIRST_WAIT_MS, tried);
  }

  /** Continues where the last leader stopped. */
  async function beginToLead(signal: AbortSignal, lead: () => void): Promise<void> {
    await follower.stopWatching();
    const found = await stored.record();
    if (found) takeOverRecord(found);
    if (queueIsBehind) await renewQueue();
    if (signal.aborted) return;
    system.leads?.(true);
    lead();
    if (hidden === null) keepFresh(progress.sinceRead());
  }

  function keepFresh(sinceReadMs: number | undefined): void {
    for (const [property, at] of refusals.lastRefusedAt()) reader.rereadSoon(property, at);
    const isRequested = isReadingDue();
    if (isRequested) reader.readAnew();
    reader.keepFresh(readingSignal(), isRequested ? 0 : sinceReadMs);
  }

  /** Whether no full round has begun since the owner requested one. */
  function isReadingDue(): boolean {
    const { fullStartedAt } = progress.rounds;
    return requestedAt !== null && requestedAt > (fullStartedAt ?? Number.NEGATIVE_INFINITY);
  }

  const leads = () => leadership.signal?.aborted === false;

  /** No search finds any of its homes once this returns. */
  function hide(how: Hidden): void {
    hidden = how;
    readyBrands.delete(brand);
    offer.close();
    showing.abort();
    showing = new AbortController();
    void serially(async () => {
      await reader.end();
      await offer.clear();
    });
  }

  /** As after a start: offers the stored homes that are not too old, and reads those that are due. */
  function reload(availability: 'resuming' | 'loading'): void {
    const how: Hidden = { kind: 'reloading', availability };
    hide(how);
    const { signal } = showing;
    void serially(async () => {
      if (hidden !== how) return;
      offer.open();
      await follower.loadAll(AbortSignal.any([signal, stopping.signal]));
      if (hidden !== how || stopping.signal.aborted) return;
      await renewQueue();
      if (hidden !== how) return;
      hidden = null;
      if (leads()) keepFresh(progress.sinceCompleted());
    });
  }

  function followAgain(): void {
    system.leads?.(false);
    void serially(correctFromStore);
    follower.watchRecord();
  }

  /** After leading: readings that this node could not store go, because no other node has them, and changes that it did not take come. */
  async function correctFromStore(): Promise<void> {
    if (hidden === null) await follower.loadAll(AbortSignal.any([showing.signal, stopping.signal]));
    queueIsBehind = true;
    // The stored record says how far the brand was read; this node's own readings were not stored.
    progress.forgetRecord();
  }

  async function follow(change: InventoryChange): Promise<void> {
    if (stopping.signal.aborted) return;
    // While this node leads, no other stores anything: the change is older than the readings here, or this node has lost the lead and will load what the store has.
    if (leadership.signal) return;
    // A reload takes all homes from the store.
    if (hidden !== null) return;
    await follower.follow(change);
    queueIsBehind = true;
  }

  function takeOverRecord(found: SyncRecord): void {
    if (!progress.take(found, timeOn(clock))) return;
    readyBrands.delete(brand);
    progress.follow(found);
    queueIsBehind = true;
  }

  async function renewQueue(): Promise<void> {
    queue = createCalendarQueue();
    const last = progress.lastRecord;
    if (last) outdateByRecord(queue, brand, last, timeOn(clock));
    await fillQueue(queue, offer, refusals);
    queueIsBehind = false;
  }

  function checkAgesLater(): void {
    cancelAgeCheck = clock.after(AGE_CHECK_MS, () => {
      ageCheck = withdrawTooOld().finally(() => {
        ageCheck = undefined;
        if (!stopping.signal.aborted) checkAgesLater();
      });
    });
  }

  /** Withdraws calendars that could not be read again in time. */
  async function withdrawTooOld(): Promise<void> {
    const properties = await offer.withdrawTooOld();
    if (properties.length === 0) return;
    queue.withdrawn(properties);
    observe.withdrawn(brand, properties.length);
    await progress.save();
  }

  return {
    /** The owner paused it. No search finds any of its homes once this returns. */
    pause(at: number): void {
      const wasPaused = hidden?.kind === 'paused';
      if (wasPaused) {
        hidden = { kind: 'paused', since: at };
        return;
      }
      hide({ kind: 'paused', since: at });
      pausing.abort();
      // Searches do not wait for a brand that is not on offer.
      tried();
    },
    /** The owner resumed it. */
    resume(): void {
      if (hidden?.kind !== 'paused') return;
      pausing = new AbortController();
      reload('resuming');
    },
    /** Its calendars may lack nights: loads its homes from the store, and reads everything again if this node leads. */
    reloadAll(): void {
      progress.forgetRounds();
      if (hidden?.kind !== 'paused') reload('loading');
    },
    get isPaused() {
      return hidden?.kind === 'paused';
    },
    get isReloading() {
      return hidden?.kind === 'reloading';
    },
    get pauseSignal(): AbortSignal {
      return pausing.signal;
    },
    /** The owner requested a full reading at this instant, in epoch milliseconds. The node that leads it reads it once. */
    readingRequested(at: number): void {
      if (at === requestedAt) return;
      requestedAt = at;
      if (leads() && mayRead()) reader.readAnew();
    },
    /** Restores how far it was read before the start. `start` is one instant on both clocks. */
    restoreRecord(record: SyncRecord, start: ClockTime): void {
      progress.take(record, start);
      outdateByRecord(queue, brand, record, start);
    },
    /** Offers a stored home until the operator's own catalogue was read; a calendar that is too old has to be read first. */
    restore(home: LoadedHome, start: ClockTime): void {
      if (hidden !== null) return;
      const readAt = elapsedAt(home.readAt, start);
      queue.restore(home.id, readAt);
      if (!offer.putStored(home, readAt)) queue.withdrawn([home.id]);
      if (offer.size > 0) tried();
    },
    offers: (property: PropertyId) => offer.listing(property) !== undefined,
    /** Whether the index has it. */
    isOnOffer: offer.hasCalendar,
    /** How many the index has. */
    get onOffer() {
      return offer.size;
    },
    refresh: reader.refresh,
    /** Its operator refused a stay that the index had offered, on this node or on another one `ageMs` ago. */
    refused(property: PropertyId, stay: RequestedStay, reason: UnavailableReason, ageMs = 0): void {
      const at = clock.elapsed() - ageMs;
      refusals.add(property, stay, reason, ageMs);
      queue.refused(property, at);
      if (mayRead()) reader.rereadSoon(property, at);
    },
    /** Another node has stored a change. */
    changed: (change: InventoryChange) => serially(() => follow(change)),
    rulesAgainst: refusals.rulesAgainst,
    inDoubt: refusals.inDoubt,
    /** Competes for the brand, and reads it while this node leads. */
    start(leases: BrandLeases, changes: Pick<FollowedChanges, 'caughtUp'>): void {
      if (isStarted) return;
      isStarted = true;
      checkAgesLater();
      leadership.compete(leases, changes);
      if (leadership.mayStore) return;
      system.leads?.(false);
      follower.watchRecord();
      waitForFirstTry();
    },
    async stop(): Promise<void> {
      stopping.abort();
      cancelFirstWait();
      cancelAgeCheck();
      refusals.stop();
      await Promise.all([reader.end(), ageCheck, leadership.stop()]);
      await Promise.all([follower.stopWatching(), serially(async () => {})]);
      resolveFirstTry();
    },
    /** It was read, was loaded from the store, has failed, or is too slow to wait for: until then, searches may miss homes that appear soon. */
    wasTried: () => wasTried,
    /** Resolves once it was tried, or will not be. */
    untilTried: () => firstTry,
    /** What searches find of its homes. */
    availability(): BrandAvailability {
      if (hidden?.kind === 'paused') return 'paused';
      if (hidden) return hidden.availability;
      const availability = progress.availability();
      if (availability === 'ready' && offer.size > 0) readyBrands.add(brand);
      return availability;
    },
    status(): BrandStatus {
      const oldest = offer.oldestReadAt();
      return {
        brand,
        leads: leads(),
        pausedAt: hidden?.kind === 'paused' ? hidden.since : null,
        lastSuccessAt: progress.rounds.completedAt,
        lastFailure: progress.lastFailure,
        properties: offer.size,
        oldestCalendarMs: oldest === null ? null : clock.elapsed() - oldest,
        calendarsWaiting: progress.waiting,
        ...reader.rejected(),
      };
    },
  };
}
