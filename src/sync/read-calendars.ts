import { setImmediate as nextTurn } from 'node:timers/promises';
import type { StoredCalendar } from '../availability/inventory-store.ts';
import { countStayRules, emptyCalendar } from '../catalogue/calendar.ts';
import type { Rejection } from '../catalogue/rejections/rejection.ts';
import { type Clock, type ClockTime, timeOn } from '../clock.ts';
import { invalid } from '../parsing/reading.ts';
import {
  type BookingSystem,
  CALENDAR_MISSING,
  type CalendarFault,
  type CalendarReading,
  type CalendarReadings,
  type Horizon,
} from '../quotes/booking-system.ts';
import { type BrandOffer, MANY_STAY_RULES, MAX_HOMES_WITH_MANY_RULES } from './brand-offer.ts';
import type { CalendarQueue } from './calendar-queue.ts';
import type { CatalogueEntry } from './catalogue-entry.ts';
import type { BrandWrites } from './leading-store.ts';
import { readWhileAlive } from './read-while-alive.ts';
import type { SyncObserver } from './sync-observer.ts';

/** A calendar can have a fault in each of its periods; a few show what is wrong. */
const MAX_FAULTS_LISTED = 3;
const MS_PER_DAY = 86_400_000;

/** Properties in one calendar call. */
export const CALENDAR_BATCH = 50;
/** Others have the event loop after this time: hundreds of stay rules that no other home has take a few milliseconds a home. */
const MAX_TURN_MS = 10;

/** What reading a brand changes. */
export type SyncedBrand = {
  readonly system: BookingSystem;
  readonly offer: BrandOffer;
  readonly queue: CalendarQueue;
  readonly store: BrandWrites;
};

/** Resolves with how many have a usable calendar; what the others had before stays on offer. */
export type ReadCalendars = (
  brand: SyncedBrand,
  properties: readonly CatalogueEntry[],
  signal: AbortSignal,
) => Promise<number>;

/** Reads the calendars of a few properties, puts them on offer as they arrive, and saves them. */
export function createReadCalendars({
  clock,
  horizonNights,
  untilWritable,
  observe,
}: {
  readonly clock: Clock;
  readonly horizonNights: number;
  readonly untilWritable: () => Promise<void>;
  readonly observe: Pick<SyncObserver, 'storeFailed'>;
}): ReadCalendars {
  async function ask(
    { system, queue }: SyncedBrand,
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

  return async (brand, properties, signal) => {
    const { offer, queue, store } = brand;
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
      // What was put until then is saved.
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
      // Whoever reads the brand next, after a restart or on another node, has not got them.
      for (const { property } of accepted) queue.outdate(property, clock.elapsed());
    }
    return usable;
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

function withAdmittedRules(reading: CalendarReading, admits: (rules: number) => boolean): CalendarReading {
  if (reading.kind === 'invalid') return reading;
  const rules = countStayRules(reading.value);
  if (admits(rules)) return reading;
  const reason = `has ${rules} different rules of stays, and ${MAX_HOMES_WITH_MANY_RULES} homes of the brand have more than ${MANY_STAY_RULES} already`;
  return invalid({ rule: 'too_many_stay_rules', reason, value: String(rules) });
}

/** The first fault decides about place, rule and value: a home is held back once, whatever is wrong with its calendar. */
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
