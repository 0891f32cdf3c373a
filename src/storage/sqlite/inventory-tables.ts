import type { DatabaseSync } from 'node:sqlite';
import type { IndexedHome } from '../../availability/availability-index.ts';
import { indexedHome, type StoredCalendar } from '../../availability/inventory-store.ts';
import { type Calendar, calendarDigest } from '../../catalogue/calendar.ts';
import { digestOfText, type Property } from '../../catalogue/catalogue.ts';
import { type OwnedBytes, weightOf } from '../../parsing/owned-memory.ts';
import { StorageFailure } from '../../sessions/storage-failure.ts';
import { numberIn, type SqliteRow, textIn } from './database.ts';

export type InventoryTables = ReturnType<typeof createInventoryTables>;

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

/** Changes of single homes of any brands, for a copy that follows another inventory. Removals apply first, then listings, then calendars. */
export type HomeChanges = {
  readonly removed: readonly string[];
  readonly listings: readonly { readonly brand: string; readonly row: PropertyRow }[];
  readonly withoutCalendar: readonly string[];
  readonly calendars: readonly CalendarRow[];
  /** Read again with the same calendar. */
  readonly readAgain: readonly Pick<CalendarRow, 'property' | 'readAt'>[];
};

export type ReplicaPosition = {
  /** The inventory that is copied. */
  readonly source: string;
  /** The last change that the copy has. */
  readonly number: number;
  /** Distinguishes that change from another one of the same number; null before the first. */
  readonly mark: string | null;
};

/** The changes of `inventory.sqlite`. */
export function createInventoryTables(database: DatabaseSync) {
  // A catalogue arrives in chunks, so that no single message blocks the event loop, and is replaced in one step.
  let gathered: PropertyRow[] = [];
  const upsert = database.prepare(
    `INSERT INTO property (id, brand, reference, place, max_guests, lead_days, currency, amenities, weight, digest)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET brand = excluded.brand, reference = excluded.reference, place = excluded.place,
       max_guests = excluded.max_guests, lead_days = excluded.lead_days, currency = excluded.currency,
       amenities = excluded.amenities, weight = excluded.weight, digest = excluded.digest
     WHERE digest <> excluded.digest OR brand <> excluded.brand
     RETURNING number`,
  );
  const putListing = database.prepare('INSERT OR REPLACE INTO listing (property, state) VALUES (?, ?)');
  // One JSON array instead of one statement per property.
  const removeOthers = database.prepare(
    'DELETE FROM property WHERE brand = ? AND id NOT IN (SELECT value FROM json_each(?))',
  );
  const remove = database.prepare('DELETE FROM property WHERE id IN (SELECT value FROM json_each(?))');
  const removeCalendars = database.prepare(
    'DELETE FROM calendar WHERE property IN (SELECT number FROM property WHERE id IN (SELECT value FROM json_each(?)))',
  );
  const putCalendar = database.prepare(
    'INSERT OR REPLACE INTO calendar (property, columns, read_at, digest) SELECT number, ?, ?, ? FROM property WHERE id = ?',
  );
  const readAgain = database.prepare(
    'UPDATE calendar SET read_at = ? WHERE property = (SELECT number FROM property WHERE id = ?)',
  );
  const putDocument = database.prepare(
    'INSERT OR REPLACE INTO document (name, content) VALUES (?, CAST(? AS TEXT))',
  );
  const putLearned = database.prepare('INSERT OR REPLACE INTO learned (brand, json) VALUES (?, ?)');
  const putPosition = database.prepare(
    'INSERT OR REPLACE INTO replica_position (only_row, source, number, mark) VALUES (1, ?, ?, ?)',
  );

  /** Adds a listing, or updates one that differs. */
  function put(brand: string, row: PropertyRow): void {
    const { id, reference, place, maxGuests, leadDays, currency, amenities, weight, digest } = row;
    const facts = [reference, place, maxGuests, leadDays, currency, amenities, weight, digest];
    const changed = upsert.get(id, brand, ...facts);
    if (changed) putListing.run(numberIn(changed, 'number'), row.state);
  }

  function saveCalendars(calendars: readonly CalendarRow[]): void {
    for (const { property, columns, readAt, digest } of calendars) {
      putCalendar.run(columns, readAt, digest, property);
    }
  }

  return {
    beginCatalogue(): void {
      gathered = [];
    },
    addToCatalogue(properties: readonly PropertyRow[]): void {
      gathered.push(...properties);
    },
    replaceCatalogue(brand: string, properties: number): void {
      // A restart of the thread in between has lost chunks; replacing with the rest would remove listings.
      if (gathered.length !== properties) throw new Error('chunks of the catalogue were lost');
      removeOthers.run(brand, JSON.stringify(gathered.map(({ id }) => id)));
      for (const row of gathered) put(brand, row);
      gathered = [];
    },
    saveCalendars,
    saveDocument: (name: string, document: OwnedBytes): void => void putDocument.run(name, document),
    saveLearned: (brand: string, json: string): void => void putLearned.run(brand, json),
    changeHomes(changes: HomeChanges): void {
      remove.run(JSON.stringify(changes.removed));
      for (const { brand, row } of changes.listings) put(brand, row);
      removeCalendars.run(JSON.stringify(changes.withoutCalendar));
      for (const { property, readAt } of changes.readAgain) readAgain.run(readAt, property);
      saveCalendars(changes.calendars);
    },
    moveReplica: ({ source, number, mark }: ReplicaPosition): void =>
      void putPosition.run(source, number, mark),
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
