import type { Clock } from '../clock.ts';
import type { AvailabilityWriter } from '../inventory/availability-index/availability-index.ts';
import type { BrandId, PropertyId } from '../inventory/catalogue.ts';
import type { StoredProperty } from '../inventory/inventory-store.ts';
import type { AskedStay } from '../inventory/stay-criteria.ts';
import type { FailureKind, HeldBack, UnavailableReason } from '../quotes/booking-system.ts';
import { type BookingSystem, BookingSystemFailure } from '../quotes/booking-system.ts';
import type { Random } from '../random.ts';
import { createBrandOffer } from './brand-offer.ts';
import { pauseBeforeNextRefresh } from './next-refresh.ts';
import type { ReadCalendars, StoreObserver } from './read-calendars.ts';
import type { RefreshBrand } from './refresh-brand.ts';
import { createRefusals } from './refusals.ts';
import { createRereadRefused } from './reread-refused.ts';

/** A brand that takes longer to read is searched once it was read; the others are not kept waiting. */
const MAX_WAIT_FOR_FIRST_READ_MS = 10_000;
const REFUSAL_MEMORY_MS = 600_000;

/** For metrics and the log. */
export type SyncObserver = StoreObserver & {
  /** `notListed`: how many more listings were held back than the list has. */
  refreshed(
    brand: BrandId,
    milliseconds: number,
    properties: number,
    heldBack: readonly HeldBack[],
    notListed: number,
  ): void;
  failed(brand: BrandId, kind: FailureKind, error: unknown): void;
  /** Stored listings that do not fit the network file of this start. */
  storedHeldBack(brand: BrandId, heldBack: readonly HeldBack[]): void;
};

export type BrandStatus = {
  readonly brand: BrandId;
  /** When the whole brand was last read, in epoch milliseconds; null when it was not read since the start. */
  readonly lastSuccessAt: number | null;
  /** null when nothing has failed since the last success. */
  readonly lastFailure: { readonly at: number; readonly kind: FailureKind } | null;
  /** How many are offered. */
  readonly properties: number;
  readonly heldBack: readonly HeldBack[];
  /** How many more listings are held back than the list has. */
  readonly notListed: number;
};

/** Keeps one brand fresh. Brands share no state, so that a failing one does not affect the others. */
export type BrandSync = {
  /** Offers stored properties until the operator's own catalogue has been read. */
  restore(stored: readonly StoredProperty[]): void;
  offers(property: PropertyId): boolean;
  /** Never rejects. Joins the refresh that is running, if there is one. */
  refresh(signal: AbortSignal): Promise<void>;
  /** Its operator refused a stay that the index had offered. */
  refused(property: PropertyId, stay: AskedStay, reason: UnavailableReason): void;
  /** Whether a rule of its operator refused this very stay to a party of this size recently. */
  hasRefused(property: PropertyId, stay: AskedStay): boolean;
  start(): void;
  stop(): Promise<void>;
  /** Whether it was read, was loaded from the store, has failed since the start, or takes too long to wait for. */
  wasTried(): boolean;
  /** Resolves once it was tried, or when its first read is broken off. */
  untilTried(): Promise<void>;
  status(): BrandStatus;
};

export function createBrandSync({
  system,
  index,
  readCalendars,
  refreshBrand,
  clock,
  random,
  refreshMs,
  observe,
}: {
  readonly system: BookingSystem;
  readonly index: AvailabilityWriter;
  readonly readCalendars: ReadCalendars;
  readonly refreshBrand: RefreshBrand;
  readonly clock: Clock;
  readonly random: Random;
  readonly refreshMs: number;
  readonly observe: SyncObserver;
}): BrandSync {
  const { brand } = system;
  const refusals = createRefusals({
    clock,
    memoryMs: REFUSAL_MEMORY_MS,
    onTakenChange: (property, taken) => index.withdraw(property, taken),
  });
  const offer = createBrandOffer({ index, refusals });
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  let isStarted = false;
  let cancelTimer: (() => void) | undefined;
  let wasRestored = false;
  let lastSuccessAt: number | null = null;
  let lastFailure: { readonly at: number; readonly kind: FailureKind } | null = null;
  let failuresInARow = 0;
  let heldBack: readonly HeldBack[] = [];
  let notListed = 0;
  let isSlowToStart = false;
  const firstTry = Promise.withResolvers<void>();

  const rereadRefused = createRereadRefused({
    clock,
    propertyOf: offer.property,
    read: (properties) => readCalendars(system, offer, properties, stopping.signal),
    onFailure: (error) => {
      if (!stopping.signal.aborted) observe.failed(brand, kindOf(error), error);
    },
  });

  async function refreshOnce(signal: AbortSignal): Promise<void> {
    const startedAt = clock.elapsed();
    const stopWaiting = clock.after(MAX_WAIT_FOR_FIRST_READ_MS, () => {
      isSlowToStart = true;
      firstTry.resolve();
    });
    try {
      const refresh = await refreshBrand(system, offer, signal);
      ({ heldBack, notListed } = refresh.report.all());
      if (refresh.failures.length > 0) throw refresh.failures[0];
      lastSuccessAt = clock.now();
      lastFailure = null;
      failuresInARow = 0;
      observe.refreshed(brand, clock.elapsed() - startedAt, offer.size, heldBack, notListed);
    } catch (error) {
      // We aborted it ourselves: not a failure of the operator.
      if (signal.aborted) return;
      lastFailure = { at: clock.now(), kind: kindOf(error) };
      failuresInARow += 1;
      observe.failed(brand, lastFailure.kind, error);
    } finally {
      stopWaiting();
      firstTry.resolve();
    }
  }

  function refresh(signal: AbortSignal): Promise<void> {
    running ??= refreshOnce(AbortSignal.any([signal, stopping.signal])).finally(() => {
      running = undefined;
    });
    return running;
  }

  async function refreshAndScheduleNext(): Promise<void> {
    await refresh(stopping.signal);
    scheduleNext();
  }

  function scheduleNext(): void {
    if (stopping.signal.aborted) return;
    const pauseMs = pauseBeforeNextRefresh({ failuresInARow, refreshMs, random });
    cancelTimer = clock.after(pauseMs, () => void refreshAndScheduleNext());
  }

  const wasRead = () => lastSuccessAt !== null || lastFailure !== null;

  return {
    restore(stored) {
      wasRestored = true;
      firstTry.resolve();
      offer.restore(stored);
    },
    offers: (property) => offer.property(property) !== undefined,
    refresh,
    refused(property, stay, reason) {
      refusals.remember(property, stay, reason);
      rereadRefused.soon(property);
    },
    hasRefused: refusals.hasRefused,
    start() {
      if (isStarted) return;
      isStarted = true;
      if (wasRead()) scheduleNext();
      else void refreshAndScheduleNext();
    },
    async stop() {
      stopping.abort();
      cancelTimer?.();
      refusals.stop();
      await Promise.all([running, rereadRefused.stop()]);
    },
    wasTried: () => wasRestored || wasRead() || isSlowToStart,
    untilTried: () => firstTry.promise,
    status: () => ({ brand, lastSuccessAt, lastFailure, properties: offer.size, heldBack, notListed }),
  };
}

function kindOf(error: unknown): FailureKind {
  // Any other error was thrown while an answer was being read.
  return error instanceof BookingSystemFailure ? error.kind : 'garbled';
}
