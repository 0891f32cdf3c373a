import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FollowedChanges, HomeState, InventoryChanges } from '../availability/inventory-store.ts';
import {
  type BrandId,
  brandOfProperty,
  DEFAULT_BRAND_BUDGET,
  type PropertyId,
  type UnreadyBrand,
  type UnreadyBrands,
} from '../catalogue/catalogue.ts';
import type { RequestedStay } from '../catalogue/stay-criteria.ts';
import { timeOn } from '../clock.ts';
import { inTurns } from '../limits/event-loop.ts';
import type { BookingSystem, UnavailableReason } from '../quotes/booking-system.ts';
import { admitChanges, loadStored } from './admission.ts';
import { type BrandControl, type BrandControls, createControlsWatch } from './brand-controls.ts';
import { readSyncRecord } from './brand-documents.ts';
import type { StoredBrand } from './brand-follower.ts';
import type { RefreshOptions, RefreshResult } from './brand-reader.ts';
import { type BrandSync, createBrandSync } from './brand-sync.ts';
import { type DeclineChannel, type FollowedDeclines, followDeclines } from './decline-channel.ts';
import type { BrandLeases } from './leadership.ts';
import type { RulesAgainst } from './refusals.ts';
import type { BrandStatus, SyncContext } from './sync-observer.ts';

const DEFAULT_CALENDAR_MAX_AGE_MS = 86_400_000;
const MAX_FULL_EVERY_MS = 86_400_000;
const HOMES_A_TURN = 2000;
const REMOVED_A_TURN = 100;
const MS_PER_DAY = 86_400_000;
/** Usually there is nothing to do. A search that began before midnight may move homes back after all were moved. */
const DATE_EVERY_MS = 5000;
/** Calendars are read from yesterday on, and a night more at the end, so a clock that was wrong by less has cost no night in any time zone. */
const MAX_STEP_MS = MS_PER_DAY / 2;

export type Synchroniser = ReturnType<typeof createSynchroniser>;

export type SynchroniserOptions = Omit<
  SyncContext,
  'fullEveryMs' | 'calendarMaxAgeMs' | 'budgetOf' | 'untilWritable'
> &
  Partial<Pick<SyncContext, 'calendarMaxAgeMs' | 'budgetOf' | 'untilWritable'>> & {
    readonly systems: ReadonlyMap<BrandId, BookingSystem>;
    /** The owner's decisions about brands; null where there are none, such as in a command. */
    readonly controls?: Pick<BrandControls, 'all'> | null | undefined;
  };

export function createSynchroniser({ systems, controls = null, ...given }: SynchroniserOptions) {
  const { calendarMaxAgeMs = DEFAULT_CALENDAR_MAX_AGE_MS, budgetOf = () => DEFAULT_BRAND_BUDGET } = given;
  const { index, store, network, clock, observe } = given;
  const context: SyncContext = {
    untilWritable: async () => {},
    ...given,
    ...{ calendarMaxAgeMs, budgetOf },
    // Both leave time for a second try before a calendar is too old.
    refreshMs: Math.min(given.refreshMs, calendarMaxAgeMs / 2),
    fullEveryMs: Math.min(MAX_FULL_EVERY_MS, calendarMaxAgeMs / 2),
  };
  const brands = new Map<BrandId, BrandSync>();
  const readyBrands = new Set<BrandId>();
  for (const [brand, system] of systems) {
    brands.set(brand, createBrandSync({ context, system, readyBrands, stored: storedBrand(brand) }));
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
      const { pausedAt = null, readingRequestedAt = null } = controlOf.get(id) ?? {};
      if (pausedAt !== null) brand.pause(pausedAt);
      // Not while all homes are being loaded: the decisions are read again afterwards.
      else if (!isLoading) brand.resume();
      if (readingRequestedAt !== null) brand.readingRequested(readingRequestedAt);
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
      // What does not fit was reported when it was first loaded or changed.
      async load(take) {
        const isKnown = (home: HomeState) => home.brand !== brand || index.holds(home.id, home.version);
        await loadStored(context, isKnown, (home) => home.brand === brand && take(home));
      },
      record: () => recordOf(brand),
      admit: (homes, offer) => admitChanges(homes, offer, network, budgetOf(brand)),
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
    const { properties, rejections } = await loadStored(
      context,
      // Homes of a paused brand are not offered, so they need not be read.
      ({ id, brand, version }) => isPaused(brand) || index.holds(id, version),
      (stored) => brands.get(stored.brand)?.restore(stored, start),
    );
    if (properties > 0) observe.loaded(properties, clock.elapsed() - start.elapsed);
    for (const [brand, some] of rejections) observe.storedRejections(brand, some);
    await removeUnoffered();
  }

  return {
    /**
     * Offers the stored homes, so that a restart serves immediately, and continues where the last run of each brand stopped. Reports the
     * listings that no longer fit the network. Homes in the index stay in it if the store has the same version. The loading state ends once
     * `also` has resolved too.
     */
    async loadStored(also?: Promise<void>): Promise<void> {
      isLoading = true;
      try {
        await Promise.all([loadEverything(), also]);
      } finally {
        isLoading = false;
      }
      await watch?.look();
    },
    /** Reads every brand fully once, in parallel. A brand that fails shows in `status`; nothing rejects. */
    async refreshAll(signal: AbortSignal): Promise<void> {
      await Promise.all(everyBrand().map((brand) => brand.refresh(signal, { mode: 'full' })));
    },
    /** Reads one brand once; undefined for an unknown brand. Never rejects. */
    refreshBrand: async (
      brand: BrandId,
      { signal, ...options }: RefreshOptions & { readonly signal: AbortSignal },
    ): Promise<RefreshResult | undefined> => brands.get(brand)?.refresh(signal, options),
    /**
     * Follows what other nodes store, and reads each brand while this node leads it: now unless it was read already, then at the refresh
     * interval, with a full round at least once a day. Call it after `loadStored`.
     */
    start({ changes, leases, declineChannel }: OtherNodes): void {
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
    /** Aborts the reads under way and waits for them to end. */
    async stop(): Promise<void> {
      stopping.abort();
      await watch?.stop();
      await followedDeclines?.stop();
      cancelDate();
      await Promise.all([followingDate, ...everyBrand().map((brand) => brand.stop())]);
      await followed?.stop();
    },
    /** An operator refused a stay that the index had offered. */
    propertyRefused(property: PropertyId, stay: RequestedStay, reason: UnavailableReason): void {
      const brand = everyBrand().find(({ offers }) => offers(property));
      brand?.refused(property, stay, reason);
      if (brand) declines?.publish({ property, stay, reason });
    },
    /** The rules by which homes of the brand, or of any, were refused for exactly this stay and party in the last minutes. */
    rulesAgainst: (stay: RequestedStay, brand: BrandId | null): RulesAgainst =>
      new Map(brandsIn(brand).flatMap((one) => [...one.rulesAgainst(stay)])),
    /** Homes of the brand, or of any, that were refused for this stay or some of its nights in the last minutes: suggestions leave them out. */
    inDoubt: (stay: RequestedStay, brand: BrandId | null): readonly PropertyId[] =>
      brandsIn(brand).flatMap((one) => [...one.inDoubt(stay)]),
    /** True once every brand was read, was loaded from the store, has failed once or is too slow to wait for. */
    hasTriedEveryBrand: () => !isLoading && everyBrand().every((brand) => brand.wasTried()),
    /** True while nights may be missing because the wall clock was set. */
    wasClockSet(): boolean {
      checkClock();
      return everyBrand().some((brand) => brand.isReloading && brand.availability() === 'loading');
    },
    /** False from `start` until this node has received the declines of the minutes before from other nodes, or the wait is over. */
    hasReceivedDeclines: () => followedDeclines?.hasCaughtUp() ?? true,
    /** After `start`: resolves once every brand was tried and the declines of other nodes were received. */
    async untilReady(): Promise<void> {
      await Promise.all([
        followedDeclines?.untilCaughtUp(),
        ...everyBrand().map((brand) => brand.untilTried()),
      ]);
    },
    /** Reads the owner's decisions now; once it resolves, a brand that was paused by then is out of the index. Never rejects. */
    readControls: async (): Promise<void> => watch?.look(),
    /** Aborts when the owner pauses the brand, so that its operator gets no requests, and stays aborted until it is resumed. */
    pauseSignal: (brand: BrandId): AbortSignal => brands.get(brand)?.pauseSignal ?? stopping.signal,
    /** Whether paused brands are the only ones with missing homes: then there is nothing to wait for. */
    missesOnlyPaused(): boolean {
      const unready = unreadyBrands();
      return (
        unready.length > 0 &&
        unready.every(({ availability }) => availability === 'paused' || availability === 'resuming')
      );
    },
    /** How long ago this node last had every change that others stored, in milliseconds; 0 before the start. */
    ageMs: () => followed?.ageMs() ?? 0,
    status: (): readonly BrandStatus[] => everyBrand().map((brand) => brand.status()),
    /** Brands of which a search may miss homes. */
    unreadyBrands: unreadyBrands as UnreadyBrands,
  };
}

/** The ports through which nodes that share a store coordinate. */
export type OtherNodes = {
  readonly changes: InventoryChanges;
  readonly leases: BrandLeases;
  readonly declineChannel: DeclineChannel;
};
