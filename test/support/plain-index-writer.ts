import type {
  AvailabilityWriter,
  RefusedNights,
} from '../../src/inventory/availability-index/availability-index.ts';
import type { Calendar } from '../../src/inventory/calendar.ts';
import type { Property, PropertyId } from '../../src/inventory/catalogue.ts';
import type { Day } from '../../src/stay/day.ts';

export type PlainIndexWriter = AvailabilityWriter & {
  readonly entries: ReadonlyMap<PropertyId, { readonly property: Property; readonly calendar: Calendar }>;
  isFree(property: PropertyId, night: Day): boolean;
  /** Whether every night is free and they do not contain all nights of a refused stay. */
  hasStay(property: PropertyId, from: Day, to: Day): boolean;
};

/** The writing side of the availability index, whose entries a test can read. */
export function createPlainIndexWriter(): PlainIndexWriter {
  const entries = new Map<PropertyId, { property: Property; calendar: Calendar }>();
  const refusedOf = new Map<PropertyId, readonly RefusedNights[]>();
  function put(property: Property, calendar: Calendar): void {
    entries.set(property.id, { property, calendar: structuredClone(calendar) });
    refusedOf.delete(property.id);
  }
  function isFree(id: PropertyId, night: Day): boolean {
    const calendar = entries.get(id)?.calendar;
    return calendar?.available[night - calendar.firstDay] === 1;
  }
  return {
    entries,
    put,
    load(stored) {
      for (const { property, calendar } of stored) put(property, calendar);
    },
    remove(id) {
      entries.delete(id);
    },
    removeAll(ids) {
      for (const id of ids) entries.delete(id);
    },
    withdraw(id, refused) {
      refusedOf.set(id, refused);
    },
    isFree,
    hasStay(id, from, to) {
      const isRefused = refusedOf.get(id)?.some((refused) => from <= refused.from && refused.to <= to);
      for (let night = from; night < to; night += 1) if (!isFree(id, night)) return false;
      return !isRefused;
    },
    get propertyCount() {
      return entries.size;
    },
  };
}
