import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type {
  HomeState,
  InventoryStore,
  ListedHome,
  Listings,
  LoadedHome,
} from '../../availability/inventory-store.ts';
import type { Property, PropertyId } from '../../catalogue/catalogue.ts';
import { createSequence } from '../../limits/keyed-mutex.ts';
import {
  bytesIn,
  noteDamage,
  numberIn,
  openCache,
  type SqliteRow,
  textIn,
  withStorageFailures,
} from './database.ts';
import { createGroupCommit, type GroupCommit } from './group-commit.ts';
import {
  calendarRowsInChunks,
  type HomeChanges,
  homeIn,
  type InventoryTables,
  type ReplicaPosition,
  rowsInChunks,
  unpackCalendar,
} from './inventory-tables.ts';
import { INVENTORY_SCHEMA } from './schema.ts';
import { createWriter, type Writer, type WriterOptions } from './writer.ts';

export const INVENTORY_FILE = 'inventory.sqlite';

export type SqliteInventory = {
  readonly store: InventoryStore;
  /** The same data as a copy of an inventory elsewhere. */
  readonly replica: InventoryReplica;
  /** The number of changes that are not on disk yet. */
  waiting(): number;
  close(): Promise<void>;
};

type SqliteInventoryOptions = {
  /** Exists, and is locked by the caller. */
  readonly directory: string;
  readonly report: (warning: string) => void;
  readonly maxQueuedCalls?: number | undefined;
  readonly lockTimeoutMs?: number;
  readonly maxPages?: number | undefined;
  readonly maxCheckedBytes?: number | undefined;
  /** Tests replace it to avoid the thread. */
  readonly createInventoryWriter?: CreateInventoryWriter | undefined;
};

export type CreateInventoryWriter = (options: WriterOptions) => Writer;

/** Opens the inventory with its own writing thread. */
export function openSqliteInventory({
  directory,
  report,
  maxQueuedCalls,
  lockTimeoutMs = 2_000,
  maxPages,
  maxCheckedBytes,
  createInventoryWriter = createWriter,
}: SqliteInventoryOptions): SqliteInventory {
  const options = { file: join(directory, INVENTORY_FILE), lockTimeoutMs, maxPages };
  const loss = 'Everything in it is read again';
  const database = openCache(options, INVENTORY_SCHEMA, report, loss, maxCheckedBytes);
  const failed = (failure: unknown) => noteDamage(options.file, failure);
  const writes = createGroupCommit<InventoryTables>({
    writer: createInventoryWriter({ ...options, contents: 'inventory' }),
    onFailure: failed,
    maxQueuedCalls,
  });
  const homesIn = storedHomesIn(database);
  const listings = storedListingsIn(database, report);
  const storedDocument = database.prepare(
    'SELECT CAST(content AS BLOB) AS content FROM document WHERE name = ?',
  );
  const storedLearned = database.prepare('SELECT json FROM learned WHERE brand = ?');
  /** No other write may come between the chunks of a catalogue. */
  const inSequence = createSequence();

  const store: InventoryStore = {
    async load(take, isKnown = () => false) {
      const homes = homesIn(isKnown);
      try {
        // Each batch has its own queries, so that no read transaction stays open between batches.
        for (const few of homes) {
          take(few);
          await nextTurn();
        }
      } catch (failure) {
        failed(failure);
        // Operators are read anyway, so these homes are missing only until they answer.
        report(`The stored inventory could not be read: ${String(failure)}`);
      }
    },

    listings,

    replaceCatalogue: (brand, properties) =>
      inSequence(async () => {
        await writes.call('beginCatalogue', []);
        for (const rows of rowsInChunks(properties)) await writes.call('addToCatalogue', [rows]);
        await writes.call('replaceCatalogue', [brand, properties.length]);
        listings.forget((listing) => listing.brand === brand);
      }),

    saveCalendars: (calendars) =>
      inSequence(async () => {
        for (const rows of calendarRowsInChunks(calendars)) {
          await writes.call(
            'saveCalendars',
            [rows],
            rows.map(({ columns }) => columns),
          );
        }
      }),

    saveDocument: (name, document) =>
      inSequence(() => writes.call('saveDocument', [name, document], [document])),

    async document(name) {
      const row = withStorageFailures(() => storedDocument.get(name));
      // A copy, because its memory moves to another thread, and this memory belongs to SQLite.
      return row && new Uint8Array(bytesIn(row, 'content'));
    },

    saveLearned: (brand, json) => inSequence(() => writes.call('saveLearned', [brand, json])),

    async learned(brand) {
      const row = withStorageFailures(() => storedLearned.get(brand));
      return row && textIn(row, 'json');
    },
  };

  return {
    store,
    replica: createInventoryReplica(database, writes, (ids) => listings.forget(({ id }) => ids.has(id))),
    waiting: () => writes.waiting,
    async close() {
      database.close();
      await writes.close();
    },
  };
}

/** States read in a turn of the event loop, when the calendars are already known. */
const READ_A_TURN = 512;
const CALENDARS_A_TURN = 32;

const WHOLE_HOME = `SELECT number, id, brand, reference, weight, property.digest AS listing_digest, calendar.digest AS calendar_digest,
  read_at, place, currency, max_guests, lead_days, amenities, columns FROM property JOIN calendar ON calendar.property = number`;

/** Yields every home with a calendar, a few at a time, each batch from one query. */
function storedHomesIn(database: DatabaseSync) {
  // In the order of both tables, so that no page is read twice, and by the index, so that no calendar is read.
  const statesAfter = database.prepare(
    `SELECT number, id, brand, reference, weight, property.digest AS listing_digest, calendar.digest AS calendar_digest, read_at
     FROM calendar INDEXED BY calendar_state CROSS JOIN property ON number = calendar.property
     WHERE calendar.property > ? ORDER BY calendar.property LIMIT ${READ_A_TURN}`,
  );
  // One JSON array instead of one statement for each home.
  const wholeHomes = database.prepare(`${WHOLE_HOME} WHERE id IN (SELECT value FROM json_each(?))`);

  /** Adds the content of unknown homes. A home may have been deleted meanwhile. */
  function complete(few: readonly LoadedHome[], unknown: ReadonlySet<PropertyId>): readonly LoadedHome[] {
    if (unknown.size === 0) return few;
    const rows = withStorageFailures(() => wholeHomes.all(JSON.stringify([...unknown])));
    const whole = new Map(rows.map(wholeIn).map((home) => [home.id, home]));
    return few.flatMap((home) => (unknown.has(home.id) ? (whole.get(home.id) ?? []) : home));
  }

  return function* (isKnown: (home: HomeState) => boolean): Generator<readonly LoadedHome[]> {
    for (let after = 0; ; ) {
      const rows = withStorageFailures(() => statesAfter.all(after));
      let few: LoadedHome[] = [];
      let unknown = new Set<PropertyId>();
      for (const row of rows) {
        const state = stateIn(row);
        after = numberIn(row, 'number');
        few.push(state);
        if (!isKnown(state)) unknown.add(state.id);
        if (unknown.size < CALENDARS_A_TURN) continue;
        yield complete(few, unknown);
        [few, unknown] = [[], new Set()];
      }
      if (few.length > 0) yield complete(few, unknown);
      if (rows.length < READ_A_TURN) return;
    }
  };
}

function stateIn(row: SqliteRow): LoadedHome {
  return {
    id: textIn(row, 'id'),
    brand: textIn(row, 'brand'),
    reference: textIn(row, 'reference'),
    weight: numberIn(row, 'weight'),
    version: { listing: numberIn(row, 'listing_digest'), calendar: numberIn(row, 'calendar_digest') },
    readAt: numberIn(row, 'read_at'),
    content: null,
  };
}

function wholeIn(row: SqliteRow): LoadedHome {
  const state = stateIn(row);
  const calendar = unpackCalendar(bytesIn(row, 'columns'));
  return { ...state, content: { home: homeIn(row), calendar, version: state.version } };
}

/** Measured as JSON; a parsed listing takes about three times as much. */
const MAX_CACHED_BYTES = 16 * 1024 * 1024;

/** Reads are short and synchronous, because the rows of a search are mostly in memory. Only this process changes the file. */
function storedListingsIn(database: DatabaseSync, report: (warning: string) => void) {
  const listing = database.prepare(
    'SELECT state FROM property JOIN listing ON listing.property = property.number WHERE id = ?',
  );
  const home = database.prepare(
    'SELECT id, brand, place, max_guests, lead_days, currency, amenities, digest FROM property WHERE id = ?',
  );
  const parsed = new LRUCache<PropertyId, Property>({ maxSize: MAX_CACHED_BYTES });

  function read(id: PropertyId): Property | undefined {
    const known = parsed.get(id);
    if (known) return known;
    const row = listing.get(id);
    if (!row) return undefined;
    const state = textIn(row, 'state');
    const property: Property = JSON.parse(state);
    parsed.set(id, property, { size: state.length });
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

  return {
    get: (id) => orUndefined(() => read(id)),
    home: (id) => orUndefined(() => readHome(id)),
    /** Call it once changed listings are stored. */
    forget(isChanged: (listing: Property) => boolean): void {
      for (const [id, property] of parsed.entries()) if (isChanged(property)) parsed.delete(id);
    },
  } satisfies Listings & Record<'forget', unknown>;
}

/** The digests of a home, to compare it with another inventory without its texts and calendar. */
export type HomeHead = {
  readonly id: PropertyId;
  readonly brand: string;
  readonly listing: number;
  readonly calendar: { readonly digest: number; readonly readAt: number } | null;
};

export type InventoryReplica = ReturnType<typeof createInventoryReplica>;

const HEAD = `SELECT id, brand, property.digest AS listing_digest, calendar.digest AS calendar_digest, read_at
  FROM property LEFT JOIN calendar INDEXED BY calendar_state ON calendar.property = number`;

/** The stored inventory as a copy of an inventory elsewhere. */
function createInventoryReplica(
  database: DatabaseSync,
  writes: GroupCommit<InventoryTables>,
  forgetListings: (ids: ReadonlySet<PropertyId>) => void,
) {
  const storedPosition = database.prepare('SELECT source, number, mark FROM replica_position');
  const headsOf = database.prepare(`${HEAD} WHERE id IN (SELECT value FROM json_each(?))`);
  const headsAfter = database.prepare(`${HEAD} WHERE id > ? AND (? IS NULL OR id <= ?) ORDER BY id`);
  const wholeHomes = database.prepare(`${WHOLE_HOME} WHERE id IN (SELECT value FROM json_each(?))`);

  return {
    /** The last change copied; undefined when it was never a copy. */
    position(): ReplicaPosition | undefined {
      const row = withStorageFailures(() => storedPosition.get());
      if (!row) return undefined;
      const mark = row.mark === null ? null : textIn(row, 'mark');
      return { source: textIn(row, 'source'), number: numberIn(row, 'number'), mark };
    },
    heads(ids: readonly PropertyId[]): ReadonlyMap<PropertyId, HomeHead> {
      const rows = withStorageFailures(() => headsOf.all(JSON.stringify(ids)));
      return new Map(rows.map(headIn).map((head) => [head.id, head]));
    },
    /** In byte order, excluding `after`; to the end when `last` is undefined. */
    headsBetween(after: PropertyId, last: PropertyId | undefined): readonly HomeHead[] {
      const upTo = last ?? null;
      return withStorageFailures(() => headsAfter.all(after, upTo, upTo)).map(headIn);
    },
    /** Only homes with a calendar. */
    homes: (ids: readonly PropertyId[]): readonly LoadedHome[] =>
      withStorageFailures(() => wholeHomes.all(JSON.stringify(ids))).map(wholeIn),
    /** All or nothing. Takes over the memory of the calendars. */
    async apply(changes: HomeChanges): Promise<void> {
      await writes.call(
        'changeHomes',
        [changes],
        changes.calendars.map(({ columns }) => columns),
      );
      forgetListings(new Set([...changes.removed, ...changes.listings.map(({ row }) => row.id)]));
    },
    moveTo: (position: ReplicaPosition): Promise<void> => writes.call('moveReplica', [position]),
  };
}

function headIn(row: SqliteRow): HomeHead {
  return {
    id: textIn(row, 'id'),
    brand: textIn(row, 'brand'),
    listing: numberIn(row, 'listing_digest'),
    calendar:
      row.calendar_digest === null
        ? null
        : { digest: numberIn(row, 'calendar_digest'), readAt: numberIn(row, 'read_at') },
  };
}
