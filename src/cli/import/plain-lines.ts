import {
  type NightPeriod,
  type NightPeriods,
  unpackPeriods,
} from '../../connectors/shared/calendars/night-periods.ts';
import type { Listing } from '../../connectors/shared/listings/listing.ts';
import {
  type CalendarLine,
  MAX_CALENDAR_LINE_PERIODS,
  PLAIN_FORMAT,
  PLAIN_VERSION,
} from '../../connectors/shared/plain/plain-line.ts';
import { formatDay } from '../../stay/day.ts';
import { formatAmount } from '../../stay/money.ts';

/** The lines that an import writes. */
export function headerLineOf(source: string): string {
  return JSON.stringify({ type: 'header', format: PLAIN_FORMAT, version: PLAIN_VERSION, source });
}

export function propertyLineOf(listing: Listing): string {
  return JSON.stringify({ type: 'property', ...listing });
}

/** Several when there are more periods than fit on a line. Prices are in minor units. */
export function* calendarLinesOf(
  reference: string,
  periods: NightPeriods,
  currency: string,
): Generator<string> {
  const entries = unpackPeriods(periods).map((period) => entryOf(period, currency));
  for (let from = 0; from < entries.length; from += MAX_CALENDAR_LINE_PERIODS) {
    const line: CalendarLine = {
      type: 'calendar',
      property: reference,
      periods: entries.slice(from, from + MAX_CALENDAR_LINE_PERIODS),
    };
    yield JSON.stringify(line);
  }
}

function entryOf(period: NightPeriod, currency: string): CalendarLine['periods'][number] {
  return {
    from: formatDay(period.from),
    to: formatDay(period.to),
    available: period.available,
    ...(period.minimumStay > 1 ? { minimum_stay: period.minimumStay } : {}),
    ...(period.maximumStay > 0 ? { maximum_stay: period.maximumStay } : {}),
    ...(period.closedToArrival ? { closed_to_arrival: true } : {}),
    ...(period.closedToDeparture ? { closed_to_departure: true } : {}),
    ...(Number.isNaN(period.price) ? {} : { price: formatAmount(period.price, currency) }),
  };
}
