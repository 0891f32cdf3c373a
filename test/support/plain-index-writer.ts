import {
  type AvailabilityWriter,
  type HomeVersion,
  type HomeWithCalendar,
  type IndexedHome,
  IndexFull,
  type RefusedNights,
} from '../../src/availability/availability-index.ts';
import type { Calendar } from '../../src/catalogue/calendar.ts';
import type { PropertyId } from '../../src/catalogue/catalogue.ts';
import type { Day } from '../../src/stay/day.ts';

export type PlainIndexWriter = AvailabilityWriter & {
  readonly entries: ReadonlyMap<PropertyId, HomeWithCalendar>;
  /** As many as it has memory for. */
  maxEntries: number;
  isFree(property: PropertyId, night: Day): boolean;
  /** Whether every night is free and they do not contain all nights of a refused stay. */
  hasStay(property: PropertyId, from: Day, to: Day): boolean;
};

/** The writing side of the availability index, whose entries a test can read. */
export function createPlainIndexWriter(): PlainIndexWriter {
  const entries = new Map<PropertyId, HomeWithCalendar>();
  const versions = new Map<PropertyId, HomeVersion | undefined>();
  const refusedOf = new Map<PropertyId, readonly RefusedNights[]>();
  function put(home: IndexedHome, calendar: Calendar, version?: HomeVersion): void {
    if (!entries.has(home.id) && entries.size >= writer.maxEntries) throw new IndexFull('as the test wants');
    entries.set(home.id, { home, calendar: structuredClone(calendar) });
    versions.set(home.id, version);
    refusedOf.delete(home.id);
  }
  function isFree(id: PropertyId, night: Day): boolean {
    const calendar = entries.get(id)?.calendar;
    return calendar?.available[night - calendar.firstDay] === 1;
  }
  const writer: PlainIndexWriter = {
    entries,
    maxEntries: Number.POSITIVE_INFINITY,
    put,
    remove(id) {
      entries.delete(id);
    },
    removeAll(ids) {
      for (const id of ids) entries.delete(id);
    },
    hideBrand(brand) {
      for (const { home } of entries.values()) if (home.brand === brand) entries.delete(home.id);
    },
    withdraw(id, refused) {
      refusedOf.set(id, refused);
    },
    holds(id, { listing, calendar }) {
      const version = entries.has(id) ? versions.get(id) : undefined;
      return version?.listing === listing && version.calendar === calendar;
    },
    homes: () => [...entries.values()].map(({ home: { id, brand } }) => ({ id, brand })),
    isFree,
    hasStay(id, from, to) {
      const isRefused = refusedOf.get(id)?.some((refused) => from <= refused.from && refused.to <= to);
      for (let night = from; night < to; night += 1) if (!isFree(id, night)) return false;
      return !isRefused;
    },
    followDate: () => false,
    daysLost: () => 0,
    rewind: () => undefined,
    get propertyCount() {
      return entries.size;
    },
  };
  return writer;
}
