import type { IndexedHome } from '../../availability/availability-index.ts';
import { indexedHome, type StoredCalendar } from '../../availability/inventory-store.ts';
import { type Calendar, calendarDigest } from '../../catalogue/calendar.ts';
import { digestOfText, type Property } from '../../catalogue/catalogue.ts';
import { type OwnedBytes, weightOf } from '../../parsing/owned-memory.ts';
import { StorageFailure } from '../../sessions/storage-failure.ts';
import { numberIn, type SqliteRow, textIn } from './database.ts';

/** A stored listing: the facts that the index needs as columns, so that a start parses no texts, and the whole listing as JSON. */
export type PropertyRow = Omit<IndexedHome, 'brand' | 'amenities'> & {
  readonly reference: string;
  readonly amenities: string | null;
  readonly digest: number;
  readonly weight: number;
  readonly state: string;
};

export type CalendarRow = {
  readonly property: string;
  readonly columns: OwnedBytes;
  readonly readAt: number;
  readonly digest: number;
};

export function rowOf(property: Property): PropertyRow {
  const { brand: _, amenities, ...home } = indexedHome(property);
  const state = JSON.stringify(property);
  return {
    ...home,
    reference: property.reference,
    amenities: amenities && JSON.stringify(amenities),
    digest: digestOfText(state),
    weight: weightOf(property),
    state,
  };
}

export function homeIn(row: SqliteRow): IndexedHome {
  return {
    id: textIn(row, 'id'),
    brand: textIn(row, 'brand'),
    place: textIn(row, 'place'),
    maxGuests: numberIn(row, 'max_guests'),
    leadDays: numberIn(row, 'lead_days'),
    currency: textIn(row, 'currency'),
    amenities: row.amenities === null ? null : JSON.parse(textIn(row, 'amenities')),
  };
}

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

/**
 * A calendar as one blob: a version, the first day, the number of nights, then the columns, widest first so that each is aligned. Numbers are
 * in the machine's byte order; a machine of the other order reads a first byte of 0, which is no version, and refuses.
 */
const VERSION = 1;
const HEADER_BYTES = 12;
const BYTES_A_NIGHT = 4 + 2 + 2 + 1 + 1 + 1;
/** Of the widest column. */
const ALIGNMENT = 4;

export function packCalendar(calendar: Calendar): Uint8Array<ArrayBuffer> {
  const { firstDay, price, minimumStay, maximumStay, available, closedToArrival, closedToDeparture } =
    calendar;
  const nights = price.length;
  const columns = [price, minimumStay, maximumStay, available, closedToArrival, closedToDeparture];
  if (columns.some((column) => column.length !== nights)) {
    throw new RangeError('the columns of a calendar differ in length');
  }
  const packed = new Uint8Array(HEADER_BYTES + nights * BYTES_A_NIGHT);
  new Int32Array(packed.buffer, 0, 3).set([VERSION, firstDay, nights]);
  let offset = HEADER_BYTES;
  for (const column of columns) {
    packed.set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength), offset);
    offset += column.byteLength;
  }
  return packed;
}

/** The columns are views of `packed` if it is aligned, so the caller must own its memory. */
export function unpackCalendar(packed: Uint8Array): Calendar {
  if (packed.length < HEADER_BYTES || packed[0] !== VERSION) {
    throw new StorageFailure('unknown_format', `Unknown form of a stored calendar: version ${packed[0]}.`);
  }
  const { buffer, byteOffset } = packed.byteOffset % ALIGNMENT === 0 ? packed : packed.slice();
  const [, firstDay = 0, nights = 0] = new Int32Array(buffer, byteOffset, HEADER_BYTES / ALIGNMENT);
  if (packed.length !== HEADER_BYTES + nights * BYTES_A_NIGHT) {
    throw new StorageFailure('corrupt', 'A stored calendar has lost some of its nights.');
  }
  let next = byteOffset + HEADER_BYTES;
  const offset = (bytesEach: number) => {
    const from = next;
    next += nights * bytesEach;
    return from;
  };
  return {
    firstDay,
    price: new Uint32Array(buffer, offset(4), nights),
    minimumStay: new Uint16Array(buffer, offset(2), nights),
    maximumStay: new Uint16Array(buffer, offset(2), nights),
    available: new Uint8Array(buffer, offset(1), nights),
    closedToArrival: new Uint8Array(buffer, offset(1), nights),
    closedToDeparture: new Uint8Array(buffer, offset(1), nights),
  };
}
