import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Calendar } from '../../catalogue/calendar.ts';
import type { BrandId, Property, PropertyId } from '../../catalogue/catalogue.ts';
import type { IssuedQuote } from '../../sessions/quote-ledger.ts';
import { StorageFailure } from '../../sessions/storage-failure.ts';
import { bytesIn, numberIn, type SqliteRow, textIn } from './columns.ts';
import { lockDirectory } from './directory-lock.ts';
import { type EmbeddedActivity, openEmbeddedActivity } from './embedded-activity.ts';
import { INVENTORY_SCHEMA } from './inventory-schema.ts';
import { openCache, openRecords } from './open-database.ts';
import { EVERYTHING_IS_READ_AGAIN } from './open-inventory.ts';
import { unpackCalendar } from './packed-calendar.ts';
import { quoteIn, selectQuotes } from './session-reads.ts';
import { SESSION_SCHEMA } from './session-schema.ts';
import { withStorageFailures } from './sqlite-failure.ts';
import { SESSION_FILE } from './storage.ts';

/** Everything that lasts in an embedded store, for whoever moves it elsewhere. No other process works on it meanwhile. */
export type EmbeddedRows = {
  /** Whether the homes are the copy of an inventory elsewhere. */
  readonly isCopy: boolean;
  counts(): EmbeddedCounts;
  brands(): readonly BrandId[];
  /** A few at a time. */
  homes(brand: BrandId): Iterable<readonly EmbeddedHome[]>;
  /** Which of these are stored. */
  known(ids: readonly PropertyId[]): ReadonlySet<PropertyId>;
  documents(): Iterable<{ readonly name: string; readonly content: Uint8Array }>;
  learned(): readonly { readonly brand: BrandId; readonly json: string }[];
  /** In order of issue, a few at a time. */
  quotes(): Iterable<readonly IssuedQuote[]>;
  /** Undefined where nothing was counted. */
  readonly activity: EmbeddedActivity | undefined;
  close(): void;
};

export type EmbeddedCounts = Readonly<
  Record<'homes' | 'calendars' | 'documents' | 'learned' | 'quotes' | 'counts' | 'bookings', number>
>;

export type EmbeddedHome = {
  readonly property: Property;
  readonly digest: number;
  readonly calendar: { readonly content: Calendar; readonly readAt: number } | null;
};

const INVENTORY_FILE = 'inventory.sqlite';
const LOCK_TIMEOUT_MS = 2_000;
const HOMES_AT_ONCE = 256;
const QUOTES_AT_ONCE = 1_000;

export function openEmbeddedRows(directory: string, report: (warning: string) => void): EmbeddedRows {
  const files = [INVENTORY_FILE, SESSION_FILE].map((name) => join(directory, name));
  if (!files.some((file) => existsSync(file))) {
    throw new StorageFailure('input_output', `There is no embedded store in ${directory}.`);
  }
  const unlock = lockDirectory(directory);
  const closings = [unlock];
  try {
    const [inventory, sessions] = [
      openCache(
        { file: join(directory, INVENTORY_FILE), lockTimeoutMs: LOCK_TIMEOUT_MS },
        INVENTORY_SCHEMA,
        report,
        { loss: EVERYTHING_IS_READ_AGAIN },
      ),
      openRecords(
        { file: join(directory, SESSION_FILE), lockTimeoutMs: LOCK_TIMEOUT_MS },
        SESSION_SCHEMA,
        report,
      ),
    ];
    closings.unshift(
      () => inventory.close(),
      () => sessions.close(),
    );
    const activity = openEmbeddedActivity(directory, report);
    if (activity) closings.unshift(() => activity.close());
    return rowsOf(inventory, sessions, activity, () => closeAll(closings));
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
): EmbeddedRows {
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
    isCopy: countIn(inventory, 'replica_position') > 0,
    counts: () => ({
      homes: countIn(inventory, 'property'),
      calendars: countIn(inventory, 'calendar'),
      documents: countIn(inventory, 'document'),
      learned: countIn(inventory, 'learned'),
      quotes: countIn(sessions, 'issued_quote'),
      ...(activity?.totals() ?? { counts: 0, bookings: 0 }),
    }),
    brands: () =>
      all(inventory, 'SELECT DISTINCT brand FROM property ORDER BY brand').map((row) => textIn(row, 'brand')),
    homes: (brand) =>
      inPages(
        (after) => homesAfter.all(brand, after),
        (rows) => rows.map(embeddedHomeIn),
      ),
    known: (ids) =>
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
    quotes: () =>
      inPages(
        (after) => quotesAfter.all(after),
        (rows) => rows.map(quoteIn),
      ),
    activity,
    close,
  };
}

/** Each page is a query of its own, so that only one is in memory. */
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
