import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AvailabilityWriter } from '../availability/availability-index.ts';
import type { FollowedChanges, InventoryChanges, InventoryStore } from '../availability/inventory-store.ts';
import {
  type BrandBudget,
  type BrandId,
  brandOfProperty,
  DEFAULT_BRAND_BUDGET,
  type Network,
  type PropertyId,
  type UnreadyBrand,
  type UnreadyBrands,
} from '../catalogue/catalogue.ts';
import type { RequestedStay } from '../catalogue/stay-criteria.ts';
import { type Clock, timeOn } from '../clock.ts';
import { inTurns } from '../limits/event-loop.ts';
import type { BookingSystem, UnavailableReason } from '../quotes/booking-system.ts';
import type { Random } from '../random.ts';
import { admitChanges, loadStored } from './admission.ts';
import { type BrandControl, type BrandControls, createControlsWatch } from './brand-controls.ts';
import { readSyncRecord } from './brand-documents.ts';
import type { StoredBrand } from './brand-follower.ts';
import type { RefreshOptions, RefreshResult } from './brand-reader.ts';
import { type BrandSync, createBrandSync } from './brand-sync.ts';
import { type DeclineChannel, type FollowedDeclines, followDeclines } from './decline-channel.ts';
import type { BrandLeases } from './leadership.ts';
import { oldCalendarMs } from './rate-limit-pauses.ts';
import { createReadBrand } from './read-brand.ts';
import { createReadCalendars } from './read-calendars.ts';
import type { RulesAgainst } from './refusals.ts';
import type { BrandStatus, SyncObserver } from './sync-observer.ts';

const DEFAULT_CALENDAR_MAX_AGE_MS = 86_400_000;
const MAX_FULL_EVERY_MS = 86_400_000;
const HOMES_A_TURN = 2000;
const REMOVED_A_TURN = 100;
const MS_PER_DAY = 86_400_000;
/** Usually there is nothing to do. A search that began before midnight may move homes back after all were moved. */
const DATE_EVERY_MS = 5000;
/** Calendars are read from yesterday on, and a night more at the end, so a clock that was wrong by less has cost no night in any time zone. */
const MAX_STEP_MS = MS_PER_DAY / 2;

export type Synchroniser = {
  /**
   * Offers the stored homes, so that a restart serves immediately, and continues where the last run of each brand stopped. Reports the
   * listings that no longer fit the network. Homes in the index stay in it if the store has the same version. The loading state ends once
   * `also` has resolved too.
   */
  loadStored(also?: Promise<void>): Promise<void>;
  /** Reads every brand fully once, in parallel. A brand that fails shows in `status`; nothing rejects. */
  refreshAll(signal: AbortSignal): Promise<void>;
  /** Reads one brand once; undefined for an unknown brand. Never rejects. */
  refreshBrand(
    brand: BrandId,
    options: RefreshOptions & { readonly signal: AbortSignal },
  ): Promise<RefreshResult | undefined>;
  /**
   * Follows what other nodes store, and reads each brand while this node leads it: now unless it was read already, then at the refresh
   * interval, with a full round at least once a day. Withdraws calendars that become too old. Call it after `loadStored`.
   */
  start(nodes: OtherNodes): void;
  /** Aborts the reads under way and waits for them to end. */
  stop(): Promise<void>;
  /** An operator refused a stay that the index had offered. */
  propertyRefused(property: PropertyId, stay: RequestedStay, reason: UnavailableReason): void;
  /** The rules by which homes of the brand, or of any, were refused for exactly this stay and party in the last minutes. */
  rulesAgainst(stay: RequestedStay, brand: BrandId | null): RulesAgainst;
  /** Homes of the brand, or of any, that were refused for this stay or some of its nights in the last minutes: suggestions leave them out. */
  inDoubt(stay: RequestedStay, brand: BrandId | null): readonly PropertyId[];
  /**
   * True once every brand was read, was loaded from the store, has failed once or is too slow to wait for: searches then miss no brand that
   * could be available.
   */
  hasTriedEveryBrand(): boolean;
  /** False from `start` until this node has received the declines of the minutes before from other nodes, or the wait is over. */
  hasReceivedDeclines(): boolean;
  /** True while nights may be missing because the wall clock was set, until all homes are loaded from the store again. */
  wasClockSet(): boolean;
  /** After `start`: resolves once every brand was tried and the declines of other nodes were received. */
  untilReady(): Promise<void>;
  status(): readonly BrandStatus[];
  /** How long ago this node last had every change that others stored, in milliseconds; 0 before the start. */
  ageMs(): number;
  /** Reads the owner's decisions now; once it resolves, a brand that was paused by then is out of the index. Never rejects. */
  readControls(): Promise<void>;
  /** Aborts when the owner pauses the brand, so that its operator gets no requests, and stays aborted until it is resumed. */
  pauseSignal(brand: BrandId): AbortSignal;
  /** Whether paused brands are the only ones with missing homes: then there is nothing to wait for. */
  missesOnlyPaused(): boolean;
  /** Brands of which a search may miss homes. */
  unreadyBrands: UnreadyBrands;
};

export function createSynchroniser({
  systems,
  index,
  store,
  network,
  clock,
  random,
  refreshMs: askedRefreshMs,
  horizonNights,
  calendarMaxAgeMs = DEFAULT_CALENDAR_MAX_AGE_MS,
  budgetOf = () => DEFAULT_BRAND_BUDGET,
  maxPausesInARow,
  untilWritable = async () => {},
  controls = null,
  observe,
}: {
  readonly systems: ReadonlyMap<BrandId, BookingSystem>;
  readonly index: AvailabilityWriter;
  readonly store: InventoryStore;
  readonly network: Network;
  readonly clock: Clock;
  readonly random: Random;
  readonly refreshMs: number;
  readonly horizonNights: number;
  /** Calendars read longer ago are not offered. */
  readonly calendarMaxAgeMs?: number;
  /** For homes loaded from the store; connectors apply it themselves. */
  readonly budgetOf?: (brand: BrandId) => BrandBudget;
  /** Limits how often in a row a run waits for a booking system that limits the rate. */
  readonly maxPausesInARow?: number;
  /** Resolves while no snapshot is being written, so that the index may change. */
  readonly untilWritable?: () => Promise<void>;
  /** The owner's decisions about brands; null where there are none, such as in a command. */
  readonly controls?: Pick<BrandControls, 'all'> | null | undefined;
  readonly observe: SyncObserver;
}): Synchroniser {
  const readCalendars = createReadCalendars({ clock, horizonNights, untilWritable, observe });
  // Both leave time for a second try before a calendar is too old.
  const refreshMs = Math.min(askedRefreshMs, calendarMaxAgeMs / 2);
  const fullEveryMs = Math.min(MAX_FULL_EVERY_MS, calendarMaxAgeMs / 2);
  const oldAfterMs = oldCalendarMs(refreshMs);
  const readBrand = createReadBrand({
    network,
    clock,
    random,
    readCalendars,
    oldAfterMs,
    maxPausesInARow,
    observe,
  });
  const brands = new Map<BrandId, BrandSync>();
  const readyBrands = new Set<BrandId>();
  for (const [brand, system] of systems) {
    const reading = { index, store, readCalendars, readBrand, untilWritable, clock, random, observe };
    const times = { refreshMs, fullEveryMs, calendarMaxAgeMs };
    const stored = storedBrand(brand);
    brands.set(brand, createBrandSync({ system, readyBrands, stored, ...reading, ...times }));
  }
  const watch =
    controls &&
    createControlsWatch({ controls, clock, take: applyControls, onFailure: observe.controlsNotRead });
  const stopping = new AbortController();
  const everyBrand = () => [...brands.values()];
  const brandsIn = (brand: BrandId | null) =>
    brand === null ? everyBrand() : everyBrand().filter((one) => one === brands.get(brand));

  /** While true, searches may find only some of the homes. */
  let isLoading = false;
  /** From elapsed time to the wall clock. It changes when the clock is set, and when the machine has slept: its calendars are old then too. */
  let clockOffset = clock.now() - clock.elapsed();
  let cancelDate = () => {};
  let followingDate: Promise<void> | undefined;
  let followed: FollowedChanges | undefined;
  let declines: DeclineChannel | undefined;
  let followedDeclines: FollowedDeclines | undefined;

  function applyControls(decided: readonly BrandControl[]): void {
    const controlOf = new Map(decided.map((control) => [control.brand, control]));
    for (const [id, brand] of brands) {
      const { pausedAt = null, readingRequestedAt = null, confirmedLosses } = controlOf.get(id) ?? {};
      if (pausedAt !== null) brand.pause(pausedAt);
      // Not while all homes are being loaded: the decisions are read again afterwards.
      else if (!isLoading) brand.resume();
      if (readingRequestedAt !== null) brand.readingRequested(readingRequestedAt);
      if (confirmedLosses) brand.confirmLosses(confirmedLosses);
    }
  }

  async function recordOf(brand: BrandId) {
    try {
      return await readSyncRecord(store, brand);
    } catch (error) {
      observe.storeFailed(error);
      return undefined;
    }
  }

  function storedBrand(brand: BrandId): StoredBrand {
    return {
      load: (take) =>
        loadStored({
          store,
          network,
          budgetOf,
          isKnown: (home) => home.brand !== brand || index.holds(home.id, home.version),
          restore(home) {
            if (home.brand === brand) take(home);
          },
          clock,
          // All of this was reported when it was first loaded or changed.
          observe: { loading() {}, loaded() {}, storedRejections() {} },
        }),
      record: () => recordOf(brand),
      admit: (homes, offer) => admitChanges(homes, { offer, network, budget: budgetOf(brand) }),
    };
  }

  function unreadyBrands(): readonly UnreadyBrand[] {
    checkClock();
    const unready: UnreadyBrand[] = [];
    for (const [brand, sync] of brands) {
      if (readyBrands.has(brand) && !isLoading) continue;
      const availability = isLoading && !sync.isPaused ? 'loading' : sync.availability();
      if (availability !== 'ready') unready.push({ brand, availability });
    }
    return unready;
  }

  function isPaused(brand: BrandId): boolean {
    return brands.get(brand)?.isPaused ?? false;
  }

  /** Removes homes that came from a snapshot and are gone from the store, rejected, or too old by now. */
  async function removeUnoffered(): Promise<void> {
    const offered = everyBrand().reduce((sum, { onOffer }) => sum + onOffer, 0);
    // Every offered home is in the index, so equal numbers mean equal homes.
    if (index.propertyCount === offered) return;
    const gone: PropertyId[] = [];
    await inTurns(index.homes(), HOMES_A_TURN, ({ id, brand }) => {
      if (!brands.get(brand)?.isOnOffer(id)) gone.push(id);
    });
    await inTurns(gone, REMOVED_A_TURN, index.remove);
  }

  /** A wrong clock has removed future nights from the index, and from calendars read meanwhile: then all homes are loaded and read again. */
  function checkClock(): void {
    const now = clock.now();
    const backMs = index.daysLost(now) * MS_PER_DAY || clockOffset + clock.elapsed() - now;
    if (isLoading || Math.abs(backMs) <= MAX_STEP_MS) return;
    observe.clockWasSet(now + backMs, now);
    clockOffset = now - clock.elapsed();
    index.rewind(now);
    for (const brand of everyBrand()) brand.reloadAll();
  }

  /** Moves the index to the current date, a little in every turn of the event loop, so that no search after midnight waits for it. */
  async function followDate(): Promise<void> {
    try {
      checkClock();
      while (!stopping.signal.aborted && index.followDate(clock.now())) await nextTurn();
    } catch (error) {
      // Searches move the homes they need meanwhile; the next attempt comes soon.
      observe.dateNotFollowed(error);
    }
    followDateLater();
  }

  /** Days begin on a full minute in every time zone, which is a multiple of this interval. */
  function followDateLater(): void {
    if (stopping.signal.aborted) return;
    cancelDate = clock.after(DATE_EVERY_MS - (clock.now() % DATE_EVERY_MS), () => {
      followingDate = followDate();
    });
  }

  async function loadEverything(): Promise<void> {
    await watch?.begin(stopping.signal);
    const start = timeOn(clock);
    for (const [id, brand] of brands) {
      const record = await recordOf(id);
      if (record) brand.restoreRecord(record, start);
    }
    await loadStored({
      ...{ store, network, budgetOf, clock, observe },
      // Homes of a paused brand are not offered, so they need not be read.
      isKnown: ({ id, brand, version }) => isPaused(brand) || index.holds(id, version),
      restore: (stored) => brands.get(stored.brand)?.restore(stored, start),
    });
    await removeUnoffered();
  }

  return {
    async loadStored(also) {
      isLoading = true;
      try {
        await Promise.all([loadEverything(), also]);
      } finally {
        isLoading = false;
      }
      await watch?.look();
    },
    async refreshAll(signal) {
      await Promise.all(everyBrand().map((brand) => brand.refresh(signal, { mode: 'full' })));
    },
    refreshBrand: async (brand, { signal, ...options }) => brands.get(brand)?.refresh(signal, options),
    start({ changes, leases, declineChannel }) {
      if (followed) return;
      followed = changes.follow(async (change) => brands.get(change.brand)?.changed(change));
      for (const brand of everyBrand()) brand.start(leases, followed);
      declines = declineChannel;
      followedDeclines = followDeclines({
        channel: declineChannel,
        brands: [...brands.keys()],
        take: ({ property, stay, reason }, ageMs) =>
          brands.get(brandOfProperty(property))?.refused(property, stay, reason, Math.max(0, ageMs)),
        clock,
      });
      followDateLater();
      watch?.start();
    },
    async stop() {
      stopping.abort();
      await watch?.stop();
      await followedDeclines?.stop();
      cancelDate();
      await Promise.all([followingDate, ...everyBrand().map((brand) => brand.stop())]);
      await followed?.stop();
    },
    propertyRefused(property, stay, reason) {
      const brand = everyBrand().find(({ offers }) => offers(property));
      brand?.refused(property, stay, reason);
      if (brand) declines?.publish({ property, stay, reason });
    },
    rulesAgainst: (stay, brand) => new Map(brandsIn(brand).flatMap((one) => [...one.rulesAgainst(stay)])),
    inDoubt: (stay, brand) => brandsIn(brand).flatMap((one) => [...one.inDoubt(stay)]),
    hasTriedEveryBrand: () => !isLoading && everyBrand().every((brand) => brand.wasTried()),
    wasClockSet() {
      checkClock();
      return everyBrand().some((brand) => brand.isReloading && brand.availability() === 'loading');
    },
    hasReceivedDeclines: () => followedDeclines?.hasCaughtUp() ?? true,
    async untilReady() {
      await Promise.all([
        followedDeclines?.untilCaughtUp(),
        ...everyBrand().map((brand) => brand.untilTried()),
      ]);
    },
    readControls: async () => watch?.look(),
    pauseSignal: (brand) => brands.get(brand)?.pauseSignal ?? stopping.signal,
    missesOnlyPaused() {
      const unready = unreadyBrands();
      return (
        unready.length > 0 &&
        unready.every(({ availability }) => availability === 'paused' || availability === 'resuming')
      );
    },
    ageMs: () => followed?.ageMs() ?? 0,
    status: () => everyBrand().map((brand) => brand.status()),
    unreadyBrands,
  };
}

/** The ports through which nodes that share a store coordinate. */
export type OtherNodes = {
  readonly changes: InventoryChanges;
  readonly leases: BrandLeases;
  readonly declineChannel: DeclineChannel;
};
