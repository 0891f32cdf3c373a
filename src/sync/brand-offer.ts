import type { Clock } from '../clock.ts';
import type { AvailabilityWriter } from '../inventory/availability-index/availability-index.ts';
import type { Calendar } from '../inventory/calendar.ts';
import type { Property, PropertyId } from '../inventory/catalogue.ts';
import { inTurns } from '../inventory/in-turns.ts';
import type { Refusals } from './refusals.ts';

/** Comparing a listing with forty pictures takes 50 µs. */
const LISTINGS_A_TURN = 200;
/** Removing one takes nearly as long as removing all of these. */
const REMOVED_A_TURN = 500;

/** Calendars are checked for their age this often, and withdrawn before the check after which they would be too old. */
export const AGE_CHECK_MS = 60_000;

/** In elapsed time. */
export type RestoredProperty = {
  readonly property: Property;
  readonly calendar: Calendar;
  readonly readAt: number;
};

/** The properties of one brand that the index offers. */
export type BrandOffer = {
  /**
   * Properties that are not in the new catalogue are removed from the index, in several turns of the event loop. One that is in
   * both is offered all the time. Resolves with those that are now described otherwise: the index knows it with their next calendar.
   */
  replaceCatalogue(properties: readonly Property[]): Promise<readonly PropertyId[]>;
  /**
   * `readAt` is when the read began, in elapsed time. A calendar is ignored when a newer read has already been put, when its property is
   * no longer in the catalogue, or when it is too old; says whether it was put.
   */
  putCalendar(property: PropertyId, calendar: Calendar, readAt: number): boolean;
  /** Adds stored properties; those with a calendar that is too old are known, but not offered. Ignored once the catalogue has been read from the operator. */
  restore(stored: readonly RestoredProperty[]): void;
  /** Takes what has become too old out of the index, in several turns of the event loop, and names it. A new reading brings it back. */
  withdrawTooOld(): Promise<readonly PropertyId[]>;
  /** From the operator or from the store. */
  readonly catalogueIsKnown: boolean;
  property(id: PropertyId): Property | undefined;
  hasCalendar(id: PropertyId): boolean;
  /** Properties with a calendar. */
  readonly size: number;
  /** When the oldest calendar on offer was read, in elapsed time. */
  oldestReadAt(): number | null;
};

export function createBrandOffer({
  index,
  refusals,
  clock,
  maxAgeMs,
}: {
  readonly index: AvailabilityWriter;
  readonly refusals: Pick<Refusals, 'takenNights'>;
  readonly clock: Pick<Clock, 'elapsed'>;
  /** Of the calendars on offer. */
  readonly maxAgeMs: number;
}): BrandOffer {
  let catalogue = new Map<PropertyId, Property>();
  const readAtOf = new Map<PropertyId, number>();
  let catalogueWasRead = false;

  function putCalendar(id: PropertyId, calendar: Calendar, readAt: number): boolean {
    const property = catalogue.get(id);
    const isOvertaken = readAt < (readAtOf.get(id) ?? Number.NEGATIVE_INFINITY);
    if (!property || isOvertaken || isTooOld(readAt)) return false;
    index.put(property, calendar);
    withdrawRefused(id);
    readAtOf.set(id, readAt);
    return true;
  }

  function isTooOld(readAt: number): boolean {
    return clock.elapsed() - readAt + AGE_CHECK_MS > maxAgeMs;
  }

  /** A calendar that was put may not know yet what was refused. */
  function withdrawRefused(id: PropertyId): void {
    const taken = refusals.takenNights(id);
    if (taken.length > 0) index.withdraw(id, taken);
  }

  return {
    async replaceCatalogue(properties) {
      const replacement = new Map<PropertyId, Property>();
      const changed: PropertyId[] = [];
      await inTurns(properties, LISTINGS_A_TURN, (property) => {
        replacement.set(property.id, property);
        const before = catalogue.get(property.id);
        if (before && !saysTheSame(before, property)) changed.push(property.id);
      });
      catalogueWasRead = true;
      catalogue = replacement;
      const vanished = [...readAtOf.keys()].filter((id) => !replacement.has(id));
      for (const id of vanished) readAtOf.delete(id);
      await inTurns(batchesOf(vanished), 1, (batch) => index.removeAll(batch));
      return changed;
    },
    putCalendar,
    restore(stored) {
      if (catalogueWasRead) return;
      for (const { property } of stored) catalogue.set(property.id, property);
      const offered = stored.filter(({ readAt }) => !isTooOld(readAt));
      for (const { property, readAt } of offered) readAtOf.set(property.id, readAt);
      index.load(offered.map(({ property, calendar }) => ({ home: property, calendar })));
      for (const { property } of offered) withdrawRefused(property.id);
    },
    async withdrawTooOld() {
      const tooOld: PropertyId[] = [];
      for (const [id, readAt] of readAtOf) if (isTooOld(readAt)) tooOld.push(id);
      for (const id of tooOld) readAtOf.delete(id);
      // One that was read again since then is on offer again.
      await inTurns(batchesOf(tooOld), 1, (batch) =>
        index.removeAll(batch.filter((id) => !readAtOf.has(id))),
      );
      return tooOld;
    },
    get catalogueIsKnown() {
      return catalogueWasRead || catalogue.size > 0;
    },
    property: (id) => catalogue.get(id),
    hasCalendar: (id) => readAtOf.has(id),
    get size() {
      return readAtOf.size;
    },
    oldestReadAt() {
      let oldest = Number.POSITIVE_INFINITY;
      for (const readAt of readAtOf.values()) oldest = Math.min(oldest, readAt);
      return readAtOf.size > 0 ? oldest : null;
    },
  };
}

/** One reader makes both, so their members are in the same order. */
function saysTheSame(one: Property, other: Property): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

function* batchesOf(ids: readonly PropertyId[]): Generator<readonly PropertyId[]> {
  for (let from = 0; from < ids.length; from += REMOVED_A_TURN) yield ids.slice(from, from + REMOVED_A_TURN);
}
