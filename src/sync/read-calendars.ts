import type { Clock } from '../clock.ts';
import type { Calendar } from '../inventory/calendar.ts';
import type { Property, PropertyId } from '../inventory/catalogue.ts';
import type { InventoryStore } from '../inventory/inventory-store.ts';
import type { BookingSystem } from '../quotes/booking-system.ts';
import { openDeadline, untilAborted } from '../quotes/deadline.ts';
import type { BrandOffer } from './brand-offer.ts';

/** More than any well system needs; without it one that hangs would never be read again. */
const MAX_READING_MS = 120_000;
const MS_PER_DAY = 86_400_000;

/** How many properties one calendar call carries at most. */
export const CALENDAR_BATCH = 50;

/** For metrics and the log, beside what the synchroniser's own status says. */
export type StoreObserver = {
  /** Serving goes on from memory; the next refresh saves again. */
  storeFailed(error: unknown): void;
};

/** Waits for a booking system only so long, whatever it does with the signal. */
export async function readWithin<T>(
  clock: Clock,
  signal: AbortSignal,
  read: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const deadline = openDeadline({ clock, milliseconds: MAX_READING_MS, parent: signal });
  try {
    return await untilAborted(read(deadline.signal), deadline.signal);
  } finally {
    deadline.close();
  }
}

/** Answers with those that got no calendar that could be used; what they had before stays on offer. */
export type ReadCalendars = (
  system: BookingSystem,
  offer: BrandOffer,
  properties: readonly Property[],
  signal: AbortSignal,
) => Promise<readonly Property[]>;

/** Reads the calendars of a few properties, puts them on offer as they arrive, and saves them. */
export function createReadCalendars({
  store,
  clock,
  horizonNights,
  observe,
}: {
  readonly store: InventoryStore;
  readonly clock: Clock;
  readonly horizonNights: number;
  readonly observe: StoreObserver;
}): ReadCalendars {
  return async (system, offer, properties, signal) => {
    const readAt = clock.now();
    // Yesterday in UTC, so that today is inside in every time zone; two nights more, so that the far end is too.
    const horizon = { from: Math.floor(readAt / MS_PER_DAY) - 1, nights: horizonNights + 2 };
    const readings = await readWithin(clock, signal, (within) =>
      system.calendars(
        properties.map(({ reference }) => reference),
        horizon,
        within,
      ),
    );
    const calendars = new Map(readings.map(({ reference, calendar }) => [reference, calendar]));
    const withoutCalendar: Property[] = [];
    const usable: { property: PropertyId; calendar: Calendar }[] = [];
    for (const property of properties) {
      const calendar = calendars.get(property.reference);
      if (calendar && hasEvenColumns(calendar)) {
        offer.putCalendar(property.id, calendar, readAt);
        usable.push({ property: property.id, calendar });
      } else withoutCalendar.push(property);
    }
    try {
      await store.saveCalendars(usable);
    } catch (error) {
      observe.storeFailed(error);
    }
    return withoutCalendar;
  };
}

function hasEvenColumns(calendar: Calendar): boolean {
  const { available, minimumStay, maximumStay, closedToArrival, closedToDeparture, price } = calendar;
  const columns = [minimumStay, maximumStay, closedToArrival, closedToDeparture, price];
  return columns.every((column) => column.length === available.length);
}
