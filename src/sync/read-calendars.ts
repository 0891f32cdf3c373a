import { setImmediate as nextTurn } from 'node:timers/promises';
import type { StoredCalendar } from '../availability/inventory-store.ts';
import { countStayRules, emptyCalendar } from '../catalogue/calendar.ts';
import type { Rejection } from '../catalogue/rejections/rejection.ts';
import { type Clock, type ClockTime, timeOn } from '../clock.ts';
import { BookingSystemFailure } from '../limits/booking-system-failure.ts';
import { untilAborted } from '../limits/deadline.ts';
import { invalid } from '../parsing/reading.ts';
import {
  type BookingSystem,
  CALENDAR_MISSING,
  type CalendarFault,
  type CalendarReading,
  type CalendarReadings,
  type Horizon,
  type StillReading,
} from '../quotes/booking-system.ts';
import {
  type BrandOffer,
  type CatalogueEntry,
  MANY_STAY_RULES,
  MAX_HOMES_WITH_MANY_RULES,
} from './brand-offer.ts';
import type { CalendarQueue } from './calendar-queue.ts';
import type { BrandWrites } from './leadership.ts';
import type { SyncContext } from './sync-observer.ts';

/** A calendar can have a fault in each of its periods; a few examples are enough. */
const MAX_FAULTS_LISTED = 3;
const MS_PER_DAY = 86_400_000;

/** Properties in one calendar call. */
export const CALENDAR_BATCH = 50;
/** Yields the event loop after this time: a home with hundreds of stay rules of its own takes a few milliseconds. */
const MAX_TURN_MS = 10;

/** The state that reading a brand changes. */
export type SyncedBrand = {
  readonly context: SyncContext;
  readonly system: BookingSystem;
  readonly offer: BrandOffer;
  readonly queue: CalendarQueue;
  readonly store: BrandWrites;
};

async function ask(
  { context: { clock }, system, queue }: SyncedBrand,
  properties: readonly CatalogueEntry[],
  horizon: Horizon,
  began: ClockTime,
  signal: AbortSignal,
): Promise<CalendarReadings> {
  const references = properties.map(({ reference }) => reference);
  try {
    return await readWhileAlive(clock, signal, (within, stillReading) =>
      system.calendars(references, horizon, within, stillReading),
    );
  } catch (error) {
    if (!signal.aborted) {
      queue.failed(
        properties.map(({ id }) => id),
        began.elapsed,
      );
    }
    throw error;
  }
}

/**
 * Reads the calendars of a few properties, puts them on offer as they arrive, and saves them. Resolves with how many have a usable calendar;
 * the others keep the calendar that was on offer.
 */
export async function readCalendars(
  brand: SyncedBrand,
  properties: readonly CatalogueEntry[],
  signal: AbortSignal,
): Promise<number> {
  const { context, offer, queue, store } = brand;
  const { clock, horizonNights, untilWritable, observe } = context;
  const began = timeOn(clock);
  // Yesterday in UTC, so that today is inside in every time zone; two nights more, so that the far end is too.
  const horizon = { from: Math.floor(began.now / MS_PER_DAY) - 1, nights: horizonNights + 2 };
  const readings = await ask(brand, properties, horizon, began, signal);
  await untilWritable();
  signal.throwIfAborted();
  let usable = 0;
  const accepted: StoredCalendar[] = [];
  let turnBegan = clock.elapsed();
  for (const { id, reference } of properties) {
    if (clock.elapsed() - turnBegan > MAX_TURN_MS) {
      await nextTurn();
      turnBegan = clock.elapsed();
    }
    // The calendars put so far are saved below.
    if (signal.aborted) break;
    const even = withEvenColumns(readings.get(reference) ?? invalid(CALENDAR_MISSING));
    const reading = withAdmittedRules(even, (rules) => offer.admitsStayRules(id, rules));
    if (reading.kind === 'valid') {
      const closed = 'closedNights' in reading ? rejectedCalendar(reading.closedNights) : undefined;
      queue.answered(id, began.elapsed, closed && { reference, ...closed, repaired: true });
      usable += 1;
      const isPut = offer.putCalendar(id, reading.value, began.elapsed);
      if (isPut) accepted.push({ property: id, calendar: reading.value, readAt: began.now });
    } else {
      const fault: Rejection = { reference, ...rejectedCalendar(reading.faults) };
      const isWithdrawn = 'isWithdrawn' in reading;
      if (isWithdrawn && offer.hasCalendar(id)) {
        const calendar = emptyCalendar(horizon.from, horizon.nights);
        const isPut = offer.putCalendar(id, calendar, began.elapsed);
        if (isPut) accepted.push({ property: id, calendar, readAt: began.now });
      }
      const isOffered = offer.hasCalendar(id) && !isWithdrawn;
      queue.answered(id, began.elapsed, isOffered ? { ...fault, repaired: true } : fault);
    }
  }
  try {
    await store.saveCalendars(accepted);
  } catch (error) {
    observe.storeFailed(error);
    // The next reader, after a restart or on another node, does not have them.
    for (const { property } of accepted) queue.outdate(property, clock.elapsed());
  }
  return usable;
}

/** Uneven columns are a defect of the connector; the index relies on their equal length. */
function withEvenColumns(reading: CalendarReading): CalendarReading {
  if (reading.kind === 'invalid') return reading;
  const { firstDay: _, available, ...columns } = reading.value;
  const areEven = Object.values(columns).every(({ length }) => length === available.length);
  return areEven
    ? reading
    : invalid({ rule: 'calendar_uneven', reason: 'has columns that differ in length' });
}

function withAdmittedRules(reading: CalendarReading, admits: (rules: number) => boolean): CalendarReading {
  if (reading.kind === 'invalid') return reading;
  const rules = countStayRules(reading.value);
  if (admits(rules)) return reading;
  const reason = `has ${rules} different rules of stays, and ${MAX_HOMES_WITH_MANY_RULES} homes of the brand have more than ${MANY_STAY_RULES} already`;
  return invalid({ rule: 'too_many_stay_rules', reason, value: String(rules) });
}

/** Field, rule and value are those of the first fault: a home has one rejection, however many faults its calendar has. */
export function rejectedCalendar(faults: readonly CalendarFault[]): Omit<Rejection, 'reference'> {
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

/** More than a working system needs between two signs of life; without this limit, a system that hangs would block all later reads. */
const MAX_SILENCE_MS = 120_000;
/** Vendors announce pauses of hours. Beyond this the run ends, and the next one continues where it stopped. */
const MAX_QUIET_MS = 6 * 3_600_000;

/**
 * Gives up after `MAX_SILENCE_MS` without a sign of life, even when the booking system ignores the signal. A read may last as long as it
 * makes progress or waits for its turn.
 */
export async function readWhileAlive<T>(
  clock: Clock,
  signal: AbortSignal,
  read: (signal: AbortSignal, stillReading: StillReading) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const ending = new AbortController();
  const followParent = () => ending.abort(signal.reason);
  signal.addEventListener('abort', followParent, { once: true });
  let isOver = false;
  let cancelTimer = () => {};
  const stillReading: StillReading = (quietMs = 0) => {
    cancelTimer();
    if (isOver) return;
    const silenceMs = MAX_SILENCE_MS + Math.min(Math.max(0, quietMs), MAX_QUIET_MS);
    cancelTimer = clock.after(silenceMs, () =>
      ending.abort(new BookingSystemFailure('timeout', `nothing came for ${silenceMs} ms`)),
    );
  };
  stillReading();
  try {
    return await untilAborted(read(ending.signal, stillReading), ending.signal);
  } finally {
    isOver = true;
    cancelTimer();
    signal.removeEventListener('abort', followParent);
  }
}
