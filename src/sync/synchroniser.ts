import type { AvailabilityWriter } from '../availability/availability-index.ts';
import type {
  FollowedChanges,
  HomeState,
  InventoryStore,
  LoadedHome,
} from '../availability/inventory-store.ts';
import type { UnsearchableBrand, UnsearchableBrands } from '../catalogue/catalogue.ts';
import {
  type BrandBudget,
  type BrandId,
  brandOfProperty,
  DEFAULT_BRAND_BUDGET,
  type Network,
  type PropertyId,
} from '../catalogue/catalogue.ts';
import type { RequestedStay } from '../catalogue/stay-criteria.ts';
import { type Clock, timeOn } from '../clock.ts';
import { inTurns } from '../limits/event-loop.ts';
import type { BookingSystem, UnavailableReason } from '../quotes/booking-system.ts';
import type { Random } from '../random.ts';
import { admitChanges } from './admit-changes.ts';
import type { BrandControl, BrandControls } from './brand-controls.ts';
import type { RefreshOptions, RefreshResult } from './brand-refreshes.ts';
import type { BrandStatus } from './brand-status.ts';
import { type BrandSync, createBrandSync } from './brand-sync.ts';
import { createControlsWatch } from './controls-watch.ts';
import { createDateFollower } from './date-follower.ts';
import type { DeclineChannel } from './decline-channel.ts';
import { followDeclines, type HeardRefusals } from './follow-declines.ts';
import { loadStored } from './load-stored.ts';
import { oldCalendarMs } from './next-refresh.ts';
import type { StoredBrand } from './offer-follower.ts';
import type { OtherNodes } from './other-nodes.ts';
import { createReadCalendars } from './read-calendars.ts';
import { createRefreshBrand } from './refresh-brand.ts';
import type { RulesAgainst } from './refusals.ts';
import type { SyncObserver } from './sync-observer.ts';
import { readSyncRecord } from './sync-record.ts';

const DEFAULT_CALENDAR_MAX_AGE_MS = 86_400_000;
const MAX_FULL_EVERY_MS = 86_400_000;
const HOMES_A_TURN = 2000;
const REMOVED_A_TURN = 100;
const MS_PER_DAY = 86_400_000;
/** Calendars are read from yesterday on, and a night more at the end, so a clock that was wrong by less has cost no night in any time zone. */
const MAX_STEP_MS = MS_PER_DAY / 2;

export type Synchroniser = {
  /**
   * Offers what was last stored, so that a restart serves at once, and goes on where the last run of each brand stopped. Reports
   * the listings that no longer fit the network. Homes that the index has already stay in it if the store has them in the same state.
   * Searches are answered as while loading until `also` has resolved too.
   */
  loadStored(also?: Promise<void>): Promise<void>;
  /** Reads every brand fully once, in parallel. A brand that fails shows in `status`; nothing rejects. */
  refreshAll(signal: AbortSignal): Promise<void>;
  /** Reads one brand once; undefined when there is none of this name. Never rejects. */
  refreshBrand(
    brand: BrandId,
    options: RefreshOptions & { readonly signal: AbortSignal },
  ): Promise<RefreshResult | undefined>;
  /**
   * Follows what other nodes store, and reads each brand while this node leads it: at once unless it was read already, and from then on at the
   * refresh interval, a full round at least once a day. Calendars that become too old meanwhile are withdrawn. Comes after `loadStored`.
   */
  start(nodes: OtherNodes): void;
  /** Aborts the reads that are running and waits for them to end. */
  stop(): Promise<void>;
  /** An operator refused a stay that the index had offered. */
  propertyRefused(property: PropertyId, stay: RequestedStay, reason: UnavailableReason): void;
  /** The rules by which homes of the brand, or of any, were refused for this very stay and party in the last minutes. */
  rulesAgainst(stay: RequestedStay, brand: BrandId | null): RulesAgainst;
  /** Homes of the brand, or of any, that were refused for this stay or for some of its nights in the last minutes: nobody is to be sent there. */
  inDoubt(stay: RequestedStay, brand: BrandId | null): readonly PropertyId[];
  /**
   * True once every brand was read, was loaded from the store, has failed once or is too slow to wait for: a search then
   * misses no brand that could be there.
   */
  hasTriedEveryBrand(): boolean;
  /** False from `start` until it is known what operators refused on other nodes in the minutes before, unless that takes too long. */
  hasHeardRefusals(): boolean;
  /** True while nights may be missing because the wall clock was set, until all homes are loaded from the store again. */
  wasClockSet(): boolean;
  /** After `start`: resolves once every brand was tried and refusals were heard. */
  untilReady(): Promise<void>;
  status(): readonly BrandStatus[];
  /** How long ago it was known that nothing was missed which other nodes have stored, in milliseconds; 0 before the start. */
  ageMs(): number;
  /** Looks now at what the owner has decided about brands; when it resolves, a brand that was paused by then is out of the index. Never rejects. */
  lookAtControls(): Promise<void>;
  /** Aborts when the owner pauses the brand, whose operator is then asked for nothing, and is aborted until it is resumed. */
  pauseSignal(brand: BrandId): AbortSignal;
  /** Whether some brands are paused and nothing is missing of the others: there is nothing to wait for, however few homes there are. */
  missesOnlyPaused(): boolean;
  /** Brands with homes that a search cannot find yet, or no longer, because they could not be read. */
  unsearchable: UnsearchableBrands;
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
  /** A calendar that was read longer ago is not offered. */
  readonly calendarMaxAgeMs?: number;
  /** For what is loaded from the store; connectors keep to it themselves. */
  readonly budgetOf?: (brand: BrandId) => BrandBudget;
  /** How often a run waits for a booking system that has had enough for now, where it is not as often as it helps. */
  readonly maxPausesInARow?: number;
  /** Resolves when the index may be changed without hurry. */
  readonly untilWritable?: () => Promise<void>;
  /** What the owner decides about brands; null where nobody decides anything, such as in a command. */
  readonly controls?: Pick<BrandControls, 'all'> | null | undefined;
  readonly observe: SyncObserver;
}): Synchroniser {
  const readCalendars = createReadCalendars({ clock, horizonNights, untilWritable, observe });
  // Both leave time for a second try before a calendar is too old.
  const refreshMs = Math.min(askedRefreshMs, calendarMaxAgeMs / 2);
  const fullEveryMs = Math.min(MAX_FULL_EVERY_MS, calendarMaxAgeMs / 2);
  const oldAfterMs = oldCalendarMs(refreshMs);
  const refreshBrand = createRefreshBrand({
    network,
    clock,
    random,
    readCalendars,
    oldAfterMs,
    maxPausesInARow,
    observe,
  });
  const brands = new Map<BrandId, BrandSync>();
  for (const [brand, system] of systems) {
    const reading = { index, store, readCalendars, refreshBrand, untilWritable, clock, random, observe };
    const times = { refreshMs, fullEveryMs, calendarMaxAgeMs };
    const kept = {
      readRecord: () => recordOf(brand),
      stored: storedBrand(brand),
    };
    brands.set(brand, createBrandSync({ system, ...reading, ...kept, ...times }));
  }
  const dateFollower = createDateFollower({
    index: { followDate },
    clock,
    onFailure: observe.dateNotFollowed,
  });
  const watch =
    controls && createControlsWatch({ controls, clock, take: obey, onFailure: observe.controlsNotRead });
  const stopping = new AbortController();
  const everyBrand = () => [...brands.values()];
  const brandsIn = (brand: BrandId | null) =>
    brand === null ? everyBrand() : everyBrand().filter((one) => one === brands.get(brand));

  /** Until all of them are loaded, a search finds none of the homes or some. */
  let isLoading = false;
  /** From when the clock is seen to be set until all homes are loaded again. */
  let isStale = false;
  /** Of the wall clock to the elapsed time, while it is not set. A machine that slept for half a day looks the same, and its calendars are old. */
  let distance = clock.now() - clock.elapsed();
  let settling: Promise<void> | undefined;
  let followed: FollowedChanges | undefined;
  let news: DeclineChannel | undefined;
  let heard: HeardRefusals | undefined;

  function obey(decided: readonly BrandControl[]): void {
    const controlOf = new Map(decided.map((control) => [control.brand, control]));
    for (const [id, brand] of brands) {
      const { pausedAt = null, readingRequestedAt = null, confirmedLosses } = controlOf.get(id) ?? {};
      if (pausedAt !== null) brand.pause(pausedAt);
      // While all homes are loaded none are loaded beside it: there is another look at the end.
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
          // All of it was told when it was first loaded or changed.
          observe: { loading() {}, loaded() {}, storedRejections() {} },
        }),
      admit: (homes, offer) => admitChanges(homes, { offer, network, budget: budgetOf(brand) }),
    };
  }

  function loadingOrPaused(id: BrandId, brand: BrandSync): UnsearchableBrand {
    return { brand: id, isPartlyRead: false, ...(brand.isPaused ? { isPaused: true } : { isLoading: true }) };
  }

  function unsearchable(): readonly UnsearchableBrand[] {
    if (isLoading || wasClockSet()) return Array.from(brands, ([id, brand]) => loadingOrPaused(id, brand));
    const missing: UnsearchableBrand[] = [];
    // No list of all brands first: this is asked with every step, and mostly there is none.
    for (const brand of brands.values()) {
      const one = brand.unsearchable();
      if (one) missing.push(one);
    }
    return missing;
  }

  function isPaused(brand: BrandId): boolean {
    return brands.get(brand)?.isPaused ?? false;
  }

  async function settleEveryBrand(): Promise<void> {
    for (const brand of everyBrand()) await brand.settle();
  }

  /** What a snapshot of the index had and the store has no longer, or what is held back or too old by now. */
  async function removeUnoffered(): Promise<void> {
    const offered = everyBrand().reduce((sum, { onOffer }) => sum + onOffer, 0);
    // All that is offered is in the index, so as many are the same.
    if (index.propertyCount === offered) return;
    await settleEveryBrand();
    const gone: PropertyId[] = [];
    await inTurns(index.homes(), HOMES_A_TURN, ({ id, brand }) => {
      if (!brands.get(brand)?.isOnOffer(id)) gone.push(id);
    });
    await inTurns(gone, REMOVED_A_TURN, index.remove);
  }

  function wasClockSet(): boolean {
    if (isStale) return true;
    const now = clock.now();
    const backMs = index.daysLost(now) * MS_PER_DAY || distance + clock.elapsed() - now;
    isStale = Math.abs(backMs) > MAX_STEP_MS;
    if (isStale) observe.clockWasSet(now + backMs, now);
    return isStale;
  }

  async function followDate(now: number): Promise<boolean> {
    if (wasClockSet()) await rebuild(now);
    return index.followDate(clock.now());
  }

  /** A clock that was wrong has cost nights that are still to come: in the index, and in calendars that were read meanwhile. */
  async function rebuild(now: number): Promise<void> {
    distance = now - clock.elapsed();
    await settleEveryBrand();
    index.rewind(now);
    await load((stored) => brands.get(stored.brand)?.putAgain(stored));
    isStale = false;
    for (const brand of everyBrand()) brand.readAgain();
  }

  function load(restore: (stored: LoadedHome) => void): Promise<void> {
    // What is not offered is not read.
    const isKnown = ({ id, brand, version }: HomeState) => isPaused(brand) || index.holds(id, version);
    return loadStored({ store, network, budgetOf, isKnown, restore, clock, observe });
  }

  async function loadEverything(): Promise<void> {
    await watch?.begin(stopping.signal);
    const start = timeOn(clock);
    for (const [id, brand] of brands) {
      const record = await recordOf(id);
      if (record) brand.restoreRecord(record, start);
    }
    await load((stored) => brands.get(stored.brand)?.restore(stored, start));
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
      news = declineChannel;
      heard = followDeclines({
        news: declineChannel,
        brands: [...brands.keys()],
        take: ({ property, stay, reason }, ageMs) =>
          brands.get(brandOfProperty(property))?.refused(property, stay, reason, Math.max(0, ageMs)),
        clock,
      });
      dateFollower.start();
      watch?.start();
      // Searches begin now, and homes that operators refuse are looked for.
      settling = settleEveryBrand();
    },
    async stop() {
      stopping.abort();
      await watch?.stop();
      await heard?.stop();
      await Promise.all([settling, dateFollower.stop(), ...everyBrand().map((brand) => brand.stop())]);
      await followed?.stop();
    },
    propertyRefused(property, stay, reason) {
      const brand = everyBrand().find(({ offers }) => offers(property));
      brand?.refused(property, stay, reason);
      if (brand) news?.tell({ property, stay, reason });
    },
    rulesAgainst: (stay, brand) => new Map(brandsIn(brand).flatMap((one) => [...one.rulesAgainst(stay)])),
    inDoubt: (stay, brand) => brandsIn(brand).flatMap((one) => [...one.inDoubt(stay)]),
    hasTriedEveryBrand: () => !isLoading && everyBrand().every((brand) => brand.wasTried()),
    wasClockSet,
    hasHeardRefusals: () => heard?.hasCaughtUp() ?? true,
    async untilReady() {
      await Promise.all([heard?.untilCaughtUp(), ...everyBrand().map((brand) => brand.untilTried())]);
    },
    lookAtControls: async () => watch?.look(),
    pauseSignal: (brand) => brands.get(brand)?.pauseSignal ?? stopping.signal,
    missesOnlyPaused() {
      const missing = unsearchable();
      return missing.length > 0 && missing.every(({ isPaused }) => isPaused === true);
    },
    ageMs: () => followed?.ageMs() ?? 0,
    status: () => everyBrand().map((brand) => brand.status()),
    unsearchable,
  };
}
