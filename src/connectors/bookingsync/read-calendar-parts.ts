import type { CalendarFault, Horizon } from '../../quotes/booking-system.ts';
import { parseDocument } from '../shared/intake/parse-document.ts';
import {
  type BookingsyncCalendarPart,
  type BookingsyncCalendarResource,
  bookingsyncMap,
  enterRatePeriod,
} from './calendar-parts.ts';
import { bookingsyncPageCount } from './page-count.ts';
import { unratedNights } from './rated-nights.ts';
import type { BookingsyncPage } from './read-records.ts';
import { linkedIds, listOnPage } from './records.ts';

type CalendarPartsParameters = {
  readonly resource: BookingsyncCalendarResource;
  readonly horizon: Horizon;
  /** Of the rentals that were asked for; null to learn only which rentals the page is about. */
  readonly currencies: ReadonlyMap<string, string> | null;
};

export const MAX_CALENDAR_FAULTS = 20;

/**
 * A task of the intake: one page of the maps or rates of several rentals. However much is on it, each rental that was asked for gets one part,
 * or a few faults.
 */
export function* readBookingsyncCalendarParts(
  document: Uint8Array,
  { resource, horizon, currencies }: CalendarPartsParameters,
): Generator<BookingsyncCalendarPart, BookingsyncPage> {
  const page = parseDocument(document);
  const byRental = Map.groupBy(listOnPage(page, resource), (record) => linkedIds(record, 'rental')[0]);
  for (const [rental, records] of byRental) {
    if (rental === undefined) continue;
    const currency = currencies?.get(rental);
    if (!currencies) yield { kind: 'mentioned', rental };
    else if (currency === undefined) continue;
    else if (resource === 'rates') yield* ratesOf(records, { rental, currency, horizon });
    else if (records.length > 1) yield inTheAnswer(rental, records.length);
    else yield bookingsyncMap(records[0], { resource, rental, currency, horizon });
  }
  return { pages: bookingsyncPageCount(page) };
}

function* ratesOf(
  records: readonly unknown[],
  {
    rental,
    currency,
    horizon,
  }: { readonly rental: string; readonly currency: string; readonly horizon: Horizon },
): Generator<BookingsyncCalendarPart> {
  const nights = unratedNights(horizon);
  const faults: CalendarFault[] = [];
  for (const record of records) {
    const fault = enterRatePeriod(nights, record, { currency, horizon });
    if (fault) faults.push(fault);
    if (faults.length === MAX_CALENDAR_FAULTS) break;
  }
  if (faults.length === 0) yield { kind: 'rates', rental, nights };
  for (const fault of faults) yield { kind: 'fault', rental, fault };
}

function inTheAnswer(rental: string, times: number): BookingsyncCalendarPart {
  return {
    kind: 'fault',
    rental,
    fault: { rule: 'calendar_twice', reason: `is in the answer ${times} times` },
  };
}
