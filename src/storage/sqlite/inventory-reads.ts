import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import { LRUCache } from 'lru-cache';
import type { HomeState, ListedHome, Listings, LoadedHome } from '../../availability/inventory-store.ts';
import type { ListingDigest, Property, PropertyId } from '../../catalogue/catalogue.ts';
import {
  asNumber,
  asText,
  bytesIn,
  numberIn,
  type SqliteRow,
  textIn,
  withStorageFailures,
} from './database.ts';
import { homeIn, unpackCalendar } from './inventory-rows.ts';

/** States read in a turn of the event loop, when the calendars are already known. */
const READ_A_TURN = 512;
const CALENDARS_A_TURN = 32;

const WHOLE_HOME = `number, id, brand, reference, weight, property.digest AS listing_digest,
  calendar.digest AS calendar_digest, read_at, place, currency, max_guests, lead_days, amenities, columns`;

/** The columns of a home's state as an array: a start reads all of them, and arrays take half the time of objects. */
type StateRow = readonly SQLOutputValue[];
/** A home without its content, and its position in the current batch. */
type UnknownHome = { readonly position: number; readonly number: number };

/** Yields every home with a calendar, a few at a time, each batch from one query. */
export function storedHomesIn(
  database: DatabaseSync,
): (isKnown: (home: HomeState) => boolean) => Iterator<readonly LoadedHome[], undefined> {
  // In the order of both tables, so that no page is read twice, and by the index, so that no calendar is read.
  const statesAfter = database.prepare(
    `SELECT number, id, brand, reference, weight, property.digest, calendar.digest, read_at
     FROM calendar INDEXED BY calendar_state CROSS JOIN property ON number = calendar.property
     WHERE calendar.property > ? ORDER BY calendar.property LIMIT ${READ_A_TURN}`,
  );
  statesAfter.setReturnArrays(true);
  // One JSON array instead of one statement for each home.
  const wholeHomes = database.prepare(
    `SELECT ${WHOLE_HOME} FROM property JOIN calendar ON calendar.property = number
     WHERE number IN (SELECT value FROM json_each(?))`,
  );

  function stateRowsAfter(number: number): readonly StateRow[] {
    const rows: unknown = withStorageFailures(() => statesAfter.all(number));
    return rows as readonly StateRow[];
  }

  /** Adds the content of unknown homes. A home may have been deleted or read again meanwhile. */
  function complete(few: LoadedHome[], unknown: readonly UnknownHome[]): readonly LoadedHome[] {
    if (unknown.length === 0) return few;
    const numbers = JSON.stringify(unknown.map(({ number }) => number));
    const rows = withStorageFailures(() => wholeHomes.all(numbers));
    const rowOf = new Map(rows.map((row) => [numberIn(row, 'number'), row]));
    for (const { position, number } of unknown.toReversed()) {
      const row = rowOf.get(number);
      if (row) few[position] = wholeIn(row);
      else few.splice(position, 1);
    }
    return few;
  }

  return function* (isKnown) {
    for (let after = 0; ; ) {
      const rows = stateRowsAfter(after);
      let few: LoadedHome[] = [];
      let unknown: UnknownHome[] = [];
      for (const row of rows) {
        const state = stateIn(row);
        after = asNumber(row[0], 'number');
        if (!isKnown(state)) unknown.push({ position: few.length, number: after });
        few.push(state);
        if (unknown.length < CALENDARS_A_TURN) continue;
        yield complete(few, unknown);
        [few, unknown] = [[], []];
      }
      if (few.length > 0) yield complete(few, unknown);
      if (rows.length < READ_A_TURN) return undefined;
    }
  };
}

/** Returns the homes with these ids that have a calendar. */
export function storedHomesByIdIn(
  database: DatabaseSync,
): (ids: readonly PropertyId[]) => readonly LoadedHome[] {
  const wholeHomes = database.prepare(
    `SELECT ${WHOLE_HOME} FROM property JOIN calendar ON calendar.property = number
     WHERE id IN (SELECT value FROM json_each(?))`,
  );
  return (ids) => withStorageFailures(() => wholeHomes.all(JSON.stringify(ids))).map(wholeIn);
}

function stateIn(row: StateRow): LoadedHome {
  return {
    id: asText(row[1], 'id'),
    brand: asText(row[2], 'brand'),
    reference: asText(row[3], 'reference'),
    weight: asNumber(row[4], 'weight'),
    version: {
      listing: asNumber(row[5], 'listing_digest'),
      calendar: asNumber(row[6], 'calendar_digest'),
    },
    readAt: asNumber(row[7], 'read_at'),
    content: null,
  };
}

function wholeIn(row: SqliteRow): LoadedHome {
  const home = homeIn(row);
  const calendar = unpackCalendar(bytesIn(row, 'columns'));
  const version = { listing: numberIn(row, 'listing_digest'), calendar: numberIn(row, 'calendar_digest') };
  return {
    id: home.id,
    brand: home.brand,
    reference: textIn(row, 'reference'),
    weight: numberIn(row, 'weight'),
    version,
    readAt: numberIn(row, 'read_at'),
    content: { home, calendar, version },
  };
}

/** Measured as JSON; a parsed listing takes about three times as much. */
const MAX_CACHED_BYTES = 16 * 1024 * 1024;
/** No listing has it. */
const NO_DIGEST = -1;

type ParsedListing = {
  readonly digest: ListingDigest;
  readonly property: Property;
  /** The version of the data in which its row was last seen. */
  seenIn: number;
};

/**
 * Reads are short and synchronous, because the rows of a search are mostly in memory. A parsed listing is used again while nothing was written,
 * or while its row has the same digest, so it is never older than the store.
 */
export function storedListingsIn(database: DatabaseSync, report: (warning: string) => void): Listings {
  const listing = database.prepare(
    `SELECT digest, CASE WHEN digest = ? THEN NULL ELSE state END AS state
     FROM property JOIN listing ON listing.property = property.number WHERE id = ?`,
  );
  const home = database.prepare(
    'SELECT id, brand, place, max_guests, lead_days, currency, amenities, digest FROM property WHERE id = ?',
  );
  const version = dataVersionOf(database);
  const parsed = new LRUCache<PropertyId, ParsedListing>({ maxSize: MAX_CACHED_BYTES });

  function read(id: PropertyId): Property | undefined {
    const known = parsed.get(id);
    const seenIn = version();
    if (known?.seenIn === seenIn) return known.property;
    const row = listing.get(known?.digest ?? NO_DIGEST, id);
    if (!row) return undefined;
    if (known && row.state === null) {
      known.seenIn = seenIn;
      return known.property;
    }
    const state = textIn(row, 'state');
    const property: Property = JSON.parse(state);
    parsed.set(id, { digest: numberIn(row, 'digest'), property, seenIn }, { size: state.length });
    return property;
  }

  function readHome(id: PropertyId): ListedHome | undefined {
    const row = home.get(id);
    return row && { home: homeIn(row), digest: numberIn(row, 'digest') };
  }

  /** A home whose row cannot be read is not offered until its operator is read again. */
  function orUndefined<Value>(work: () => Value | undefined): Value | undefined {
    try {
      return withStorageFailures(work);
    } catch (failure) {
      report(`A stored listing could not be read: ${String(failure)}`);
      return undefined;
    }
  }

  return { get: (id) => orUndefined(() => read(id)), home: (id) => orUndefined(() => readHome(id)) };
}

/**
 * A number that changes whenever another connection commits. Read once per task: a search reads some sixty listings in one task, and the pragma
 * costs half as much as reading a row.
 */
function dataVersionOf(database: DatabaseSync): () => number {
  const statement = database.prepare('PRAGMA data_version');
  let known: number | undefined;
  const forget = () => {
    known = undefined;
  };
  return () => {
    if (known === undefined) {
      known = numberIn(statement.get() ?? {}, 'data_version');
      queueMicrotask(forget);
    }
    return known;
  };
}

const LOCK_TIMEOUT_MS = 2000;

/**
 * The named documents of a store, read-only, also while another process works on it. A folder without a store has no documents, nor has a store of a
 * release without documents, which only the service may migrate.
 */
export function openStoredDocuments(directory: string) {
  const file = join(directory, 'inventory.sqlite');
  const database = existsSync(file)
    ? new DatabaseSync(file, { readOnly: true, timeout: LOCK_TIMEOUT_MS })
    : undefined;
  const keepsDocuments = database?.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'document'").get();
  return {
    async document(name: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
      if (!keepsDocuments) return undefined;
      const row = database
        ?.prepare('SELECT CAST(content AS BLOB) AS content FROM document WHERE name = ?')
        .get(name);
      return row && new Uint8Array(bytesIn(row, 'content'));
    },
    async close(): Promise<void> {
      database?.close();
    },
  };
}
