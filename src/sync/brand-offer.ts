import type { AvailabilityWriter } from '../inventory/availability-index/availability-index.ts';
import type { Calendar } from '../inventory/calendar.ts';
import type { Property, PropertyId } from '../inventory/catalogue.ts';
import { inTurns } from '../inventory/in-turns.ts';
import type { StoredProperty } from '../inventory/inventory-store.ts';
import type { Refusals } from './refusals.ts';

const LISTINGS_A_TURN = 5000;
/** Removing one takes nearly as long as removing all of these. */
const REMOVED_A_TURN = 500;

/** The properties of one brand that the index offers. */
export type BrandOffer = {
  /**
   * Properties that are not in the new catalogue are removed from the index, in several turns of the event loop. One that is in
   * both is offered all the time.
   */
  replaceCatalogue(properties: readonly Property[]): Promise<void>;
  /**
   * `readAt` is when the read began, in elapsed time. A calendar is ignored when a newer read has already been put, or when its property is
   * no longer in the catalogue.
   */
  putCalendar(property: PropertyId, calendar: Calendar, readAt: number): void;
  /** Adds stored properties. Ignored once the catalogue has been read from the operator. */
  restore(stored: readonly StoredProperty[]): void;
  property(id: PropertyId): Property | undefined;
  hasCalendar(id: PropertyId): boolean;
  /** Properties with a calendar. */
  readonly size: number;
};

export function createBrandOffer({
  index,
  refusals,
}: {
  readonly index: AvailabilityWriter;
  readonly refusals: Pick<Refusals, 'takenNights'>;
}): BrandOffer {
  let catalogue = new Map<PropertyId, Property>();
  const readAtOf = new Map<PropertyId, number>();
  let catalogueWasRead = false;

  function putCalendar(id: PropertyId, calendar: Calendar, readAt: number): void {
    const property = catalogue.get(id);
    if (!property || readAt < (readAtOf.get(id) ?? 0)) return;
    index.put(property, calendar);
    withdrawRefused(id);
    readAtOf.set(id, readAt);
  }

  /** A calendar that was put may not know yet what was refused. */
  function withdrawRefused(id: PropertyId): void {
    const taken = refusals.takenNights(id);
    if (taken.length > 0) index.withdraw(id, taken);
  }

  return {
    async replaceCatalogue(properties) {
      const replacement = new Map<PropertyId, Property>();
      await inTurns(properties, LISTINGS_A_TURN, (property) => replacement.set(property.id, property));
      catalogueWasRead = true;
      catalogue = replacement;
      const vanished = [...readAtOf.keys()].filter((id) => !replacement.has(id));
      for (const id of vanished) readAtOf.delete(id);
      await inTurns(batchesOf(vanished), 1, (batch) => index.removeAll(batch));
    },
    putCalendar,
    restore(stored) {
      if (catalogueWasRead) return;
      for (const { property } of stored) {
        catalogue.set(property.id, property);
        readAtOf.set(property.id, 0);
      }
      index.load(stored);
      for (const { property } of stored) withdrawRefused(property.id);
    },
    property: (id) => catalogue.get(id),
    hasCalendar: (id) => readAtOf.has(id),
    get size() {
      return readAtOf.size;
    },
  };
}

function* batchesOf(ids: readonly PropertyId[]): Generator<readonly PropertyId[]> {
  for (let from = 0; from < ids.length; from += REMOVED_A_TURN) yield ids.slice(from, from + REMOVED_A_TURN);
}
