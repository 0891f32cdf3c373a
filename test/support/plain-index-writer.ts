import type { AvailabilityWriter } from '../../src/inventory/availability-index/availability-index.ts';
import type { Calendar } from '../../src/inventory/calendar.ts';
import type { Property, PropertyId } from '../../src/inventory/catalogue.ts';
import type { Day } from '../../src/stay/day.ts';

export type PlainIndexWriter = AvailabilityWriter & {
  readonly entries: ReadonlyMap<PropertyId, { readonly property: Property; readonly calendar: Calendar }>;
  isFree(property: PropertyId, night: Day): boolean;
};

/** The writing side of the availability index, whose entries a test can read. */
export function createPlainIndexWriter(): PlainIndexWriter {
  const entries = new Map<PropertyId, { property: Property; calendar: Calendar }>();
  function put(property: Property, calendar: Calendar): void {
    entries.set(property.id, { property, calendar: structuredClone(calendar) });
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
    withdraw(id, from, to) {
      const calendar = entries.get(id)?.calendar;
      calendar?.available.fill(0, from - calendar.firstDay, to - calendar.firstDay);
    },
    isFree(id, night) {
      const calendar = entries.get(id)?.calendar;
      return calendar?.available[night - calendar.firstDay] === 1;
    },
    get propertyCount() {
      return entries.size;
    },
  };
}
