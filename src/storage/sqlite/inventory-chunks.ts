import type { StoredCalendar } from '../../availability/inventory-store.ts';
import { calendarDigest } from '../../catalogue/calendar.ts';
import type { Property } from '../../catalogue/catalogue.ts';
import { type PropertyRow, rowOf } from './home-columns.ts';
import type { CalendarRow } from './inventory-writes.ts';
import { packCalendar } from './packed-calendar.ts';

/** Packing this many calendars takes about a millisecond; then the event loop gets a turn. */
const MAX_CHUNK = 64;
/** Listings can be long, so their chunks are limited by length too. */
const MAX_CHUNK_LENGTH = 256 * 1024;

export function* rowsInChunks(properties: Iterable<Property>): Generator<readonly PropertyRow[]> {
  let rows: PropertyRow[] = [];
  let length = 0;
  for (const property of properties) {
    const row = rowOf(property);
    rows.push(row);
    length += row.state.length;
    if (rows.length < MAX_CHUNK && length < MAX_CHUNK_LENGTH) continue;
    yield rows;
    rows = [];
    length = 0;
  }
  if (rows.length > 0) yield rows;
}

export function* calendarRowsInChunks(
  calendars: readonly StoredCalendar[],
): Generator<readonly CalendarRow[]> {
  for (let from = 0; from < calendars.length; from += MAX_CHUNK) {
    yield calendars.slice(from, from + MAX_CHUNK).map(calendarRowOf);
  }
}

function calendarRowOf({ property, calendar, readAt }: StoredCalendar): CalendarRow {
  return {
    property,
    columns: packCalendar(calendar),
    // The column takes whole numbers only.
    readAt: Math.trunc(readAt),
    digest: calendarDigest(calendar),
  };
}
