import type { AvailabilityWriter } from '../inventory/availability-index/availability-index.ts';
import type { Calendar } from '../inventory/calendar.ts';
import type { Property, PropertyId } from '../inventory/catalogue.ts';
import type { StoredProperty } from '../inventory/inventory-store.ts';
import type { Refusals } from './refusals.ts';

/** What one brand has in the index. */
export type BrandOffer = {
  /** What is not in it any more is taken out of the index. */
  replaceCatalogue(properties: readonly Property[]): void;
  /** `readAt` is when the reading began: one that a newer one has overtaken is dropped, and so is one of a vanished property. */
  putCalendar(property: PropertyId, calendar: Calendar, readAt: number): void;
  /** From the store; does nothing once the catalogue has been read from the operator itself. */
  restore(stored: readonly StoredProperty[]): void;
  property(id: PropertyId): Property | undefined;
  /** Properties with a calendar. */
  readonly size: number;
};

export function createBrandOffer({
  index,
  refusals,
}: {
  readonly index: AvailabilityWriter;
  readonly refusals: Refusals;
}): BrandOffer {
  const catalogue = new Map<PropertyId, Property>();
  const readAtOf = new Map<PropertyId, number>();
  let catalogueWasRead = false;

  function putCalendar(id: PropertyId, calendar: Calendar, readAt: number): void {
    const property = catalogue.get(id);
    if (!property || readAt < (readAtOf.get(id) ?? 0)) return;
    index.put(property, refusals.withoutRefused(id, calendar));
    readAtOf.set(id, readAt);
  }

  return {
    replaceCatalogue(properties) {
      catalogueWasRead = true;
      catalogue.clear();
      for (const property of properties) catalogue.set(property.id, property);
      for (const id of readAtOf.keys()) {
        if (catalogue.has(id)) continue;
        readAtOf.delete(id);
        index.remove(id);
      }
    },
    putCalendar,
    restore(stored) {
      if (catalogueWasRead) return;
      for (const { property } of stored) {
        catalogue.set(property.id, property);
        readAtOf.set(property.id, 0);
      }
      index.load(
        stored.map(({ property, calendar }) => ({
          property,
          calendar: refusals.withoutRefused(property.id, calendar),
        })),
      );
    },
    property: (id) => catalogue.get(id),
    get size() {
      return readAtOf.size;
    },
  };
}
