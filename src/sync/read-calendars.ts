import type { Clock } from '../clock.ts';
import type { Calendar } from '../inventory/calendar.ts';
import type { Property, PropertyId } from '../inventory/catalogue.ts';
import type { InventoryStore } from '../inventory/inventory-store.ts';
import {
  type BookingSystem,
  CALENDAR_MISSING,
  type CalendarFault,
  type CalendarReading,
  type HeldBack,
} from '../quotes/booking-system.ts';
import { openDeadline, untilAborted } from '../quotes/deadline.ts';
import { invalid } from '../reading/reading.ts';
import type { BrandOffer } from './brand-offer.ts';

/** More than a working system needs; without it, one that hangs would never be read again. */
const MAX_READING_MS = 120_000;
/** A calendar can have a fault in each of its periods; a few show what is wrong. */
const MAX_FAULTS_LISTED = 3;
const MS_PER_DAY = 86_400_000;

/** Properties in one calendar call. */
export const CALENDAR_BATCH = 50;

/** For metrics and the log, beside what the synchroniser's own status says. */
export type StoreObserver = {
  /** The inventory is still served from memory; the next refresh saves again. */
  storeFailed(error: unknown): void;
};

/** Gives up after `MAX_READING_MS`, even when the booking system ignores the signal. */
export async function readWithin<T>(
  clock: Clock,
  signal: AbortSignal,
  read: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const deadline = openDeadline({ clock, timeoutMs: MAX_READING_MS, parent: signal });
  try {
    return await untilAborted(read(deadline.signal), deadline.signal);
  } finally {
    deadline.close();
  }
}

/** Resolves with the properties without a usable calendar; what they had before stays on offer. */
export type ReadCalendars = (
  system: BookingSystem,
  offer: BrandOffer,
  properties: readonly Property[],
  signal: AbortSignal,
) => Promise<readonly HeldBack[]>;

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
    const readAt = clock.elapsed();
    // Yesterday in UTC, so that today is inside in every time zone; two nights more, so that the far end is too.
    const horizon = { from: Math.floor(clock.now() / MS_PER_DAY) - 1, nights: horizonNights + 2 };
    const readings = await readWithin(clock, signal, (within) =>
      system.calendars(
        properties.map(({ reference }) => reference),
        horizon,
        within,
      ),
    );
    const heldBack: HeldBack[] = [];
    const usable: { property: PropertyId; calendar: Calendar }[] = [];
    for (const { id, reference } of properties) {
      const reading = withEvenColumns(readings.get(reference) ?? invalid(CALENDAR_MISSING));
      if (reading.kind === 'valid') {
        offer.putCalendar(id, reading.value, readAt);
        usable.push({ property: id, calendar: reading.value });
      } else {
        const fault: HeldBack = { reference, ...summaryOf(reading.faults) };
        heldBack.push(offer.hasCalendar(id) ? { ...fault, repaired: true } : fault);
      }
    }
    try {
      await store.saveCalendars(usable);
    } catch (error) {
      observe.storeFailed(error);
    }
    return heldBack;
  };
}

/** Uneven columns are a defect of a connector; the index relies on their equal length. */
function withEvenColumns(reading: CalendarReading): CalendarReading {
  if (reading.kind === 'invalid') return reading;
  const { firstDay: _, available, ...columns } = reading.value;
  const areEven = Object.values(columns).every(({ length }) => length === available.length);
  return areEven
    ? reading
    : invalid({ rule: 'calendar_uneven', reason: 'has columns that differ in length' });
}

/** The first fault decides about place, rule and value: a home is held back once, whatever is wrong with its calendar. */
function summaryOf(faults: readonly CalendarFault[]): Omit<HeldBack, 'reference'> {
  const { field, rule, value } = faults[0] ?? CALENDAR_MISSING;
  const listed = faults.slice(0, MAX_FAULTS_LISTED).map(({ reason }) => reason);
  const others = faults.length - MAX_FAULTS_LISTED;
  return {
    field: field === undefined ? 'calendar' : `calendar/${field}`,
    rule,
    reason: [...listed, ...(others > 0 ? [`and ${others} more`] : [])].join('; '),
    ...(value === undefined ? {} : { value }),
  };
}
