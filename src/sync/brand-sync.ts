import type { Clock } from '../clock.ts';
import type { AvailabilityWriter } from '../inventory/availability-index/availability-index.ts';
import type { BrandId, PropertyId } from '../inventory/catalogue.ts';
import type { FailureKind, HeldBack } from '../quotes/booking-system.ts';
import { type BookingSystem, BookingSystemFailure } from '../quotes/booking-system.ts';
import type { Random } from '../random.ts';
import { type BrandOffer, createBrandOffer } from './brand-offer.ts';
import { restBeforeNextRefresh } from './next-refresh.ts';
import type { ReadCalendars, StoreObserver } from './read-calendars.ts';
import type { RefreshBrand } from './refresh-brand.ts';
import type { Refusals } from './refusals.ts';
import { createRereadRefused } from './reread-refused.ts';

/** For metrics and the log. */
export type SyncObserver = StoreObserver & {
  refreshed(brand: BrandId, milliseconds: number, properties: number, heldBack: readonly HeldBack[]): void;
  failed(brand: BrandId, kind: FailureKind, error: unknown): void;
};

export type BrandStatus = {
  readonly brand: BrandId;
  /** When everything of the brand was last read, in epoch milliseconds; null when it never was since the start. */
  readonly lastSuccessAt: number | null;
  /** null when there was none since the last success. */
  readonly lastFailure: { readonly at: number; readonly kind: FailureKind } | null;
  /** How many are on offer. */
  readonly properties: number;
  readonly heldBack: readonly HeldBack[];
};

/** Everything that keeps one brand fresh. No brand knows of another, so none can hurt another. */
export type BrandSync = {
  readonly offer: BrandOffer;
  /** Never rejects. Joins the refresh that is under way, if there is one. */
  refresh(signal: AbortSignal): Promise<void>;
  rereadSoon(property: PropertyId): void;
  start(): void;
  stop(): Promise<void>;
  status(): BrandStatus;
};

export function createBrandSync({
  system,
  index,
  refusals,
  readCalendars,
  refreshBrand,
  clock,
  random,
  refreshMs,
  observe,
}: {
  readonly system: BookingSystem;
  readonly index: AvailabilityWriter;
  readonly refusals: Refusals;
  readonly readCalendars: ReadCalendars;
  readonly refreshBrand: RefreshBrand;
  readonly clock: Clock;
  readonly random: Random;
  readonly refreshMs: number;
  readonly observe: SyncObserver;
}): BrandSync {
  const { brand } = system;
  const offer = createBrandOffer({ index, refusals });
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  let cancelTimer: (() => void) | undefined;
  let lastSuccessAt: number | null = null;
  let lastFailure: { readonly at: number; readonly kind: FailureKind } | null = null;
  let failuresInARow = 0;
  let heldBack: readonly HeldBack[] = [];

  const rereadRefused = createRereadRefused({
    clock,
    propertyOf: offer.property,
    read: (properties) => readCalendars(system, offer, properties, stopping.signal),
    onFailure: (error) => {
      if (!stopping.signal.aborted) observe.failed(brand, kindOf(error), error);
    },
  });

  async function refreshOnce(signal: AbortSignal): Promise<void> {
    const startedAt = clock.now();
    try {
      const refresh = await refreshBrand(system, offer, signal);
      heldBack = refresh.heldBack;
      if (refresh.failures.length > 0) throw refresh.failures[0];
      lastSuccessAt = clock.now();
      lastFailure = null;
      failuresInARow = 0;
      observe.refreshed(brand, clock.now() - startedAt, offer.size, heldBack);
    } catch (error) {
      // Broken off by us: that says nothing about the operator.
      if (signal.aborted) return;
      lastFailure = { at: clock.now(), kind: kindOf(error) };
      failuresInARow += 1;
      observe.failed(brand, lastFailure.kind, error);
    }
  }

  function refresh(signal: AbortSignal): Promise<void> {
    running ??= refreshOnce(AbortSignal.any([signal, stopping.signal])).finally(() => {
      running = undefined;
    });
    return running;
  }

  function scheduleIn(milliseconds: number): void {
    if (stopping.signal.aborted) return;
    cancelTimer = clock.after(milliseconds, () => {
      refresh(stopping.signal).then(() => scheduleIn(rest()));
    });
  }

  const rest = () => restBeforeNextRefresh({ failuresInARow, refreshMs, random });

  return {
    offer,
    refresh,
    rereadSoon: rereadRefused.soon,
    start() {
      if (cancelTimer) return;
      scheduleIn(lastSuccessAt === null && failuresInARow === 0 ? 0 : rest());
    },
    async stop() {
      stopping.abort();
      cancelTimer?.();
      await Promise.all([running, rereadRefused.stop()]);
    },
    status: () => ({ brand, lastSuccessAt, lastFailure, properties: offer.size, heldBack }),
  };
}

function kindOf(error: unknown): FailureKind {
  // Anything else was thrown while an answer was being read.
  return error instanceof BookingSystemFailure ? error.kind : 'garbled';
}
