import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type InventoryStore,
  indexedHome,
  type Listings,
  type LoadedHome,
} from '../../availability/inventory-store.ts';
import { type BrandId, listingDigest, type Property, type PropertyId } from '../../catalogue/catalogue.ts';
import { inTurns } from '../../limits/event-loop.ts';
import { createSequence } from '../../limits/keyed-mutex.ts';
import { bytesIn, numberIn, type SqliteRow, textIn, withStorageFailures } from './database.ts';
import { createGroupCommit, type GroupCommit, QUEUE_LIMITS, vacuum } from './group-commit.ts';
import { storedHomesByIdIn, storedHomesIn, storedListingsIn } from './inventory-reads.ts';
import { calendarRowsInChunks, rowsInChunks } from './inventory-rows.ts';
import { INVENTORY_SCHEMA } from './inventory-schema.ts';
import {
  bodiesOfInventoryWrite,
  type HomeChanges,
  type InventoryWrite,
  type ReplicaPosition,
} from './inventory-writes.ts';
import { corruptionMarkerOf, openCache } from './open-database.ts';
import { createWriter, type Writer, type WriterOptions } from './writer.ts';

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
  readonly maxQueuedWrites?: number;
  readonly maxQueuedBytes?: number;
  readonly lockTimeoutMs?: number;
  readonly maxPages?: number | undefined;
  readonly maxCheckedBytes?: number | undefined;
  /** Tests replace it to avoid the thread. */
  readonly createInventoryWriter?: CreateInventoryWriter | undefined;
};

export type CreateInventoryWriter = (options: WriterOptions) => Writer<InventoryWrite>;

export const EVERYTHING_IS_READ_AGAIN = 'Everything in it is read again';

/** Opens the inventory with its own writing thread. */
export function openSqliteInventory({
  directory,
  report,
  maxQueuedWrites = QUEUE_LIMITS.maxQueuedWrites,
  maxQueuedBytes = QUEUE_LIMITS.maxQueuedBytes,
  lockTimeoutMs = 2_000,
  maxPages,
  maxCheckedBytes,
  createInventoryWriter = createWriter,
}: SqliteInventoryOptions): SqliteInventory {
  const file = { file: join(directory, 'inventory.sqlite'), lockTimeoutMs, maxPages };
  const database = openCache(file, INVENTORY_SCHEMA, report, {
    maxCheckedBytes,
    loss: EVERYTHING_IS_READ_AGAIN,
  });
  const writes = createGroupCommit({
    writer: createInventoryWriter({ ...file, contents: 'inventory' }),
    bodiesOf: bodiesOfInventoryWrite,
    maxQueuedWrites,
    maxQueuedBytes,
  });
  /** Called with failed reads and writes. */
  const failed = corruptionMarkerOf(file.file).note;
  const storedHomes = storedHomesIn(database);
  const storedListings = storedListingsIn(database, report);
  const unsaved = createUnsavedCatalogues();
  const storedDocument = database.prepare(
    'SELECT CAST(content AS BLOB) AS content FROM document WHERE name = ?',
  );
  const storedLearned = database.prepare('SELECT json FROM learned WHERE brand = ?');
  /** No other write may come between the chunks of a catalogue. */
  const inSequence = createSequence();

  function write(inventoryWrite: InventoryWrite): Promise<void> {
    return writes
      .submit(inventoryWrite, () => undefined)
      .catch((failure: unknown) => {
        failed(failure);
        throw failure;
      });
  }

  function nextFew(homes: ReturnType<typeof storedHomes>): readonly LoadedHome[] | undefined {
    try {
      return homes.next().value;
    } catch (failure) {
      failed(failure);
      // Operators are read anyway, so these homes are missing only until they answer.
      report(`The stored inventory could not be read: ${String(failure)}`);
      return undefined;
    }
  }

  const store: InventoryStore = {
    async load(take, isKnown = () => false) {
      const homes = storedHomes(isKnown);
      // Each batch has its own queries, so that no read transaction stays open between batches.
      for (let few = nextFew(homes); few; few = nextFew(homes)) {
        take(few);
        await nextTurn();
      }
    },

    listings: unsaved.before(storedListings),

    replaceCatalogue(brand, properties) {
      return inSequence(async () => {
        try {
          await write({ kind: 'begin_catalogue' });
          for (const rows of rowsInChunks(properties)) {
            await write({ kind: 'add_to_catalogue', properties: rows });
          }
          await write({ kind: 'replace_catalogue', brand, properties: properties.length });
          unsaved.forget(brand);
        } catch (failure) {
          await unsaved.add(brand, properties);
          throw failure;
        }
        await vacuum(writes);
      });
    },

    saveCalendars(calendars) {
      return inSequence(async () => {
        for (const rows of calendarRowsInChunks(calendars)) {
          await write({ kind: 'save_calendars', calendars: rows });
        }
      });
    },

    saveDocument: (name, document) => inSequence(() => write({ kind: 'save_document', name, document })),

    async document(name) {
      const row = withStorageFailures(() => storedDocument.get(name));
      // A copy, because its memory moves to another thread, and this memory belongs to SQLite.
      return row && new Uint8Array(bytesIn(row, 'content'));
    },

    saveLearned: (brand, json) => inSequence(() => write({ kind: 'save_learned', brand, json })),

    async learned(brand) {
      const row = withStorageFailures(() => storedLearned.get(brand));
      return row && textIn(row, 'json');
    },
  };

  return {
    store,
    replica: createInventoryReplica(database, writes),
    waiting: () => writes.waiting,
    async close() {
      database.close();
      await writes.close();
    },
  };
}

const LISTINGS_A_TURN = 5000;

export type UnsavedCatalogues = ReturnType<typeof createUnsavedCatalogues>;

/** Holds catalogues in memory that could not be stored, so that their homes can be offered. */
export function createUnsavedCatalogues() {
  const unsaved = new Map<BrandId, ReadonlyMap<PropertyId, Property>>();

  function listing(id: PropertyId): Property | undefined {
    for (const catalogue of unsaved.values()) {
      const property = catalogue.get(id);
      if (property) return property;
    }
    return undefined;
  }

  return {
    async add(brand: BrandId, properties: readonly Property[]): Promise<void> {
      const catalogue = new Map<PropertyId, Property>();
      await inTurns(properties, LISTINGS_A_TURN, (property) => catalogue.set(property.id, property));
      unsaved.set(brand, catalogue);
    },
    forget: (brand: BrandId) => void unsaved.delete(brand),
    /** These listings first, then the stored ones. */
    before: (stored: Listings): Listings => ({
      get: (id) => listing(id) ?? stored.get(id),
      home(id) {
        const property = listing(id);
        if (!property) return stored.home(id);
        return { home: indexedHome(property), digest: listingDigest(property) };
      },
    }),
  };
}

/** The digests of a home, to compare it with another inventory without its texts and calendar. */
export type HomeHead = {
  readonly id: PropertyId;
  readonly brand: BrandId;
  readonly listing: number;
  readonly calendar: { readonly digest: number; readonly readAt: number } | null;
};

export type InventoryReplica = ReturnType<typeof createInventoryReplica>;

const HEAD = `SELECT id, brand, property.digest AS listing_digest, calendar.digest AS calendar_digest, read_at
  FROM property LEFT JOIN calendar INDEXED BY calendar_state ON calendar.property = number`;

/** The stored inventory as a copy of an inventory elsewhere. */
function createInventoryReplica(database: DatabaseSync, writes: GroupCommit<InventoryWrite>) {
  const storedPosition = database.prepare('SELECT source, number, mark FROM replica_position');
  const headsOf = database.prepare(`${HEAD} WHERE id IN (SELECT value FROM json_each(?))`);
  const headsAfter = database.prepare(`${HEAD} WHERE id > ? AND (? IS NULL OR id <= ?) ORDER BY id`);

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
    homes: storedHomesByIdIn(database),
    /** All or nothing. Takes over the memory of the calendars. */
    apply: (changes: HomeChanges): Promise<void> =>
      writes.submit({ kind: 'change_homes', ...changes }, () => undefined),
    moveTo: (position: ReplicaPosition): Promise<void> =>
      writes.submit({ kind: 'move_replica', position }, () => undefined),
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
