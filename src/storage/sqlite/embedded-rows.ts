import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Calendar } from '../../catalogue/calendar.ts';
import type { BrandId, Property, PropertyId } from '../../catalogue/catalogue.ts';
import type { BookingOutcome } from '../../quotes/booking.ts';
import { StorageFailure } from '../../sessions/storage-failure.ts';
import type { CountRow } from '../count-rows.ts';
import { ACTIVITY_FILE, ACTIVITY_LOSS, ACTIVITY_SCHEMA } from './activity-file.ts';
import { createActivityTables, outcomeIn } from './activity-tables.ts';
import { lockDirectory } from './data-directory.ts';
import { bytesIn, numberIn, type SqliteRow, textIn, withStorageFailures } from './database.ts';
import { unpackCalendar } from './inventory-rows.ts';
import { INVENTORY_SCHEMA } from './inventory-schema.ts';
import { EVERYTHING_IS_READ_AGAIN } from './inventory-store.ts';
import { openCache, openRecords } from './open-database.ts';
import { quoteIn, selectQuotes } from './quote-ledger.ts';
import { SESSION_SCHEMA } from './session-schema.ts';
import { SESSION_FILE } from './storage.ts';

export type EmbeddedRows = ReturnType<typeof rowsOf>;

export type EmbeddedCounts = Readonly<
  Record<'homes' | 'calendars' | 'documents' | 'learned' | 'quotes' | 'counts' | 'bookings', number>
>;

export type EmbeddedHome = {
  readonly property: Property;
  readonly digest: number;
  readonly calendar: { readonly content: Calendar; readonly readAt: number } | null;
};

const LOCK_TIMEOUT_MS = 2_000;
const HOMES_AT_ONCE = 256;
const QUOTES_AT_ONCE = 1_000;

/** The durable data of an embedded store, for moving it elsewhere. Locks the store against other processes. */
export function openEmbeddedRows(directory: string, report: (warning: string) => void): EmbeddedRows {
  const fileOf = (name: string) => ({ file: join(directory, name), lockTimeoutMs: LOCK_TIMEOUT_MS });
  const [inventoryFile, sessionFile] = [fileOf('inventory.sqlite'), fileOf(SESSION_FILE)];
  const activityFile = fileOf(ACTIVITY_FILE);
  if (!existsSync(inventoryFile.file) && !existsSync(sessionFile.file)) {
    throw new StorageFailure('input_output', `There is no embedded store in ${directory}.`);
  }
  const closings = [lockDirectory(directory)];
  try {
    const inventory = openCache(inventoryFile, INVENTORY_SCHEMA, report, { loss: EVERYTHING_IS_READ_AGAIN });
    closings.unshift(() => inventory.close());
    const sessions = openRecords(sessionFile, SESSION_SCHEMA, report);
    closings.unshift(() => sessions.close());
    const activity = existsSync(activityFile.file)
      ? openCache(activityFile, ACTIVITY_SCHEMA, report, { loss: ACTIVITY_LOSS })
      : undefined;
    if (activity) closings.unshift(() => activity.close());
    return rowsOf(inventory, sessions, activity && activityIn(activity), () => closeAll(closings));
  } catch (error) {
    closeAll(closings);
    throw error;
  }
}

function closeAll(closings: (() => void)[]): void {
  for (const close of closings.splice(0)) close();
}

function rowsOf(
  inventory: DatabaseSync,
  sessions: DatabaseSync,
  activity: EmbeddedActivity | undefined,
  close: () => void,
) {
  const homesAfter = inventory.prepare(
    `SELECT number, property.digest AS digest, state, columns, read_at
     FROM property JOIN listing ON listing.property = number LEFT JOIN calendar ON calendar.property = number
     WHERE brand = ? AND number > ? ORDER BY number LIMIT ${HOMES_AT_ONCE}`,
  );
  const knownIds = inventory.prepare('SELECT id FROM property WHERE id IN (SELECT value FROM json_each(?))');
  const documentsAfter = inventory.prepare(
    'SELECT name, CAST(content AS BLOB) AS content FROM document WHERE name > ? ORDER BY name LIMIT 1',
  );
  const quotesAfter = sessions.prepare(
    `${selectQuotes(sessions)} WHERE number > ? ORDER BY number LIMIT ${QUOTES_AT_ONCE}`,
  );
  const countIn = (database: DatabaseSync, table: string) =>
    numberIn(database.prepare(`SELECT count(*) AS rows FROM ${table}`).get() ?? {}, 'rows');
  const all = (database: DatabaseSync, query: string) =>
    withStorageFailures(() => database.prepare(query).all());

  return {
    /** Whether the homes are a copy of an inventory elsewhere. */
    isCopy: countIn(inventory, 'replica_position') > 0,
    counts: (): EmbeddedCounts => ({
      homes: countIn(inventory, 'property'),
      calendars: countIn(inventory, 'calendar'),
      documents: countIn(inventory, 'document'),
      learned: countIn(inventory, 'learned'),
      quotes: countIn(sessions, 'issued_quote'),
      ...(activity?.totals() ?? { counts: 0, bookings: 0 }),
    }),
    brands: () =>
      all(inventory, 'SELECT DISTINCT brand FROM property ORDER BY brand').map((row) => textIn(row, 'brand')),
    homes: (brand: BrandId) =>
      inPages(
        (after) => homesAfter.all(brand, after),
        (rows) => rows.map(embeddedHomeIn),
      ),
    /** Which of these are stored. */
    known: (ids: readonly PropertyId[]) =>
      new Set(withStorageFailures(() => knownIds.all(JSON.stringify(ids))).map((row) => textIn(row, 'id'))),
    *documents() {
      let row = documentsAfter.get('');
      while (row) {
        const name = textIn(row, 'name');
        yield { name, content: bytesIn(row, 'content') };
        row = documentsAfter.get(name);
      }
    },
    learned: () =>
      all(inventory, 'SELECT brand, json FROM learned').map((row) => ({
        brand: textIn(row, 'brand'),
        json: textIn(row, 'json'),
      })),
    /** In order of issue. */
    quotes: () =>
      inPages(
        (after) => quotesAfter.all(after),
        (rows) => rows.map(quoteIn),
      ),
    /** Undefined when nothing was counted. */
    activity,
    close,
  };
}

/** One query per page, so that only one page is in memory. */
function* inPages<Item>(
  rowsAfter: (number: number) => readonly SqliteRow[],
  read: (rows: readonly SqliteRow[]) => readonly Item[],
): Generator<readonly Item[]> {
  for (let after = 0; ; ) {
    const rows = withStorageFailures(() => rowsAfter(after));
    const last = rows.at(-1);
    if (!last) return;
    yield read(rows);
    after = numberIn(last, 'number');
  }
}

function embeddedHomeIn(row: SqliteRow): EmbeddedHome {
  return {
    property: JSON.parse(textIn(row, 'state')),
    digest: numberIn(row, 'digest'),
    calendar:
      row.columns === null
        ? null
        : { content: unpackCalendar(bytesIn(row, 'columns')), readAt: numberIn(row, 'read_at') },
  };
}

/** The owner's data of an embedded store. */
export type EmbeddedActivity = ReturnType<typeof activityIn>;

const ROWS_AT_ONCE = 1_000;
const COUNT_KEY = 'measure, hour, brand, assistant, place, facet, reason';

function activityIn(database: DatabaseSync) {
  const countsAfter = database.prepare(
    `SELECT ${COUNT_KEY}, counted, summed FROM activity_count
     WHERE (${COUNT_KEY}) > (?, ?, ?, ?, ?, ?, ?) ORDER BY ${COUNT_KEY} LIMIT ${ROWS_AT_ONCE}`,
  );
  countsAfter.setReturnArrays(true);
  const outcomesAfter = database.prepare(
    `SELECT * FROM booking_outcome WHERE (brand, reference) > (?, ?) ORDER BY brand, reference LIMIT ${ROWS_AT_ONCE}`,
  );
  const settings = database.prepare('SELECT name, value FROM owner_setting');
  const numberOf = (query: string) => numberIn(database.prepare(query).get() ?? {}, 'number');

  return {
    /** Distinguishes these counts from those of other stores. */
    source: textIn(database.prepare('SELECT id FROM activity_source').get() ?? {}, 'id'),
    totals: () => ({
      counts: numberOf('SELECT count(*) AS number FROM activity_count'),
      bookings: numberOf('SELECT count(*) AS number FROM booking_outcome'),
    }),
    *counts(): Generator<readonly CountRow[]> {
      let key: readonly (string | number | null)[] = ['', 0, '', '', '', '', ''];
      for (;;) {
        // Arrays, because of `setReturnArrays`; the type knows only objects.
        const rows = withStorageFailures(() => countsAfter.all(...key)) as unknown as CountRow[];
        const last = rows.at(-1);
        if (!last) return;
        yield rows;
        const [measure, hour, brand, assistant, place, facet, reason] = last;
        key = [measure, hour, brand, assistant, place, facet, reason];
      }
    },
    *outcomes(): Generator<readonly BookingOutcome[]> {
      let after: readonly [string, string] = ['', ''];
      for (;;) {
        const few = withStorageFailures(() => outcomesAfter.all(...after)).map(outcomeIn);
        const last = few.at(-1);
        if (!last) return;
        yield few;
        after = [last.brand, last.reference];
      }
    },
    controls: () => createActivityTables(database).controls(),
    settings: () => settings.all().map((row) => ({ name: textIn(row, 'name'), value: textIn(row, 'value') })),
  };
}
