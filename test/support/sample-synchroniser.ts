import type { InventoryStore } from '../../src/availability/inventory-store.ts';
import { emptyCalendar } from '../../src/catalogue/calendar.ts';
import { type BrandBudget, DEFAULT_BRAND_BUDGET } from '../../src/catalogue/catalogue.ts';
import { BookingSystemFailure } from '../../src/limits/booking-system-failure.ts';
import { valid } from '../../src/parsing/reading.ts';
import type { BookingSystem, CalendarReadings, Horizon } from '../../src/quotes/booking-system.ts';
import { parseDay } from '../../src/stay/day.ts';
import { createMemoryInventoryStore } from '../../src/storage/memory/inventory-store.ts';
import type { BrandControls } from '../../src/sync/brand-controls.ts';
import { createSynchroniser } from '../../src/sync/synchroniser.ts';
import { createFakeClock, type FakeClock } from './fake-clock.ts';
import { NO_OTHER_NODES } from './no-other-nodes.ts';
import { createPlainIndexWriter } from './plain-index-writer.ts';
import { sampleNetwork } from './sample-network.ts';
import { sampleProperty } from './sample-property.ts';
import { createScriptedSystem } from './scripted-booking-system.ts';

export const NOW = Date.parse('2026-11-15T23:30:00Z');
export const TODAY = parseDay('2026-11-15') ?? 0;
export const REFRESH = 900_000;
export const never = new AbortController().signal;
const WITHOUT_JITTER = { bytes: (count: number) => Buffer.alloc(count, 0x80) };

export function setUpSynchroniser(
  systems: readonly BookingSystem[],
  store: InventoryStore = createMemoryInventoryStore(),
  {
    now = NOW,
    clock = createFakeClock(now),
    calendarMaxAgeMs = 24 * 3_600_000,
    untilWritable = async () => {},
    budgetOf = () => DEFAULT_BRAND_BUDGET,
    controls = null,
  }: {
    readonly now?: number;
    readonly clock?: FakeClock;
    readonly calendarMaxAgeMs?: number;
    readonly untilWritable?: () => Promise<void>;
    readonly budgetOf?: () => BrandBudget;
    readonly controls?: BrandControls | null;
  } = {},
) {
  const index = createPlainIndexWriter();
  const observed: string[] = [];
  const synchroniser = createSynchroniser({
    systems: new Map(systems.map((system) => [system.brand, system])),
    index,
    store,
    network: sampleNetwork(systems.map(({ brand }) => brand)),
    clock,
    random: WITHOUT_JITTER,
    refreshMs: REFRESH,
    horizonNights: 540,
    calendarMaxAgeMs,
    untilWritable,
    budgetOf,
    controls,
    observe: {
      refreshed: (brand, _milliseconds, properties) => observed.push(`${brand} has ${properties}`),
      failed: (brand, kind) => observed.push(`${brand} failed: ${kind}`),
      storedRejections: (brand, rejections) => {
        for (const { reference, field, reason } of rejections) {
          observed.push(`${brand} stored ${reference}: ${field} ${reason}`);
        }
      },
      paused: (brand, milliseconds) => observed.push(`${brand} paused for ${milliseconds}`),
      withdrawn: (brand, properties) => observed.push(`${brand} withdrew ${properties}`),
      dateNotFollowed: (error) => observed.push(String(error)),
      clockWasSet: (from, to) => observed.push(`clock set by ${(to - from) / 86_400_000} days`),
      indexFull: (brand, calendars) => observed.push(`${brand} without room for ${calendars}`),
      loaded: () => undefined,
      storeFailed: () => observed.push('store failed'),
      controlsNotRead: () => observed.push('controls not read'),
    },
  });
  return {
    clock,
    index,
    observed,
    store,
    synchroniser: { ...synchroniser, start: (nodes = NO_OTHER_NODES) => synchroniser.start(nodes) },
  };
}

export const catalogueOf = (brand: string, references: readonly string[]) => ({
  properties: references.map((reference) => sampleProperty({ brand, reference })),
  rejections: [],
});

export function allFree(references: readonly string[], { from, nights }: Horizon): CalendarReadings {
  return new Map(
    references.map((reference) => {
      const calendar = emptyCalendar(from, nights);
      calendar.available.fill(1);
      return [reference, valid(calendar)];
    }),
  );
}

/** A brand whose properties are all free. A test can change its catalogue. */
export function healthyBrand(brand: string, references: readonly string[]) {
  const houses = { references };
  const system = createScriptedSystem(brand, {
    catalogue: async () => catalogueOf(brand, houses.references),
    calendars: async (asked, horizon) => allFree(asked, horizon),
  });
  return { houses, system };
}

export const down = () => Promise.reject(new BookingSystemFailure('unreachable', 'no route'));
export const numbers = (count: number) => Array.from({ length: count }, (_, at) => String(at + 1));
