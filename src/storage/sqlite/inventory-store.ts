import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { indexedHome } from '../../inventory/availability-index/indexed-home.ts';
import { calendarDigest } from '../../inventory/calendar-digest.ts';
import type { BrandId, Property, PropertyId } from '../../inventory/catalogue.ts';
import { inTurns } from '../../inventory/in-turns.ts';
import type { InventoryStore, LoadedHome } from '../../inventory/inventory-store.ts';
import { listingDigest } from '../../inventory/listing-digest.ts';
import { bytesIn, textIn } from './columns.ts';
import { giveBackSpace } from './give-back-space.ts';
import type { GroupCommit } from './group-commit.ts';
import { type PropertyRow, rowOf } from './home-columns.ts';
import type { InventoryWrite } from './inventory-writes.ts';
import { packCalendar } from './packed-calendar.ts';
import { withStorageFailures } from './sqlite-failure.ts';
import { storedHomesIn } from './stored-homes.ts';
import { storedListingsIn } from './stored-listings.ts';

/** Packing this many calendars takes about a millisecond; then the event loop gets a turn. */
const MAX_CHUNK = 64;
/** Listings can be long, so their chunks are limited by length too. */
const MAX_CHUNK_LENGTH = 256 * 1024;
const KEPT_A_TURN = 5000;

export function createSqliteInventoryStore({
  database,
  writes,
  report,
  failed,
}: {
  readonly database: DatabaseSync;
  readonly writes: GroupCommit<InventoryWrite>;
  readonly report: (warning: string) => void;
  /** Told of whatever could not be read or written. */
  readonly failed: (failure: unknown) => void;
}): InventoryStore {
  const storedHomes = storedHomesIn(database);
  const storedListings = storedListingsIn(database, report);
  /** Catalogues that could not be stored. */
  const unsaved = new Map<BrandId, ReadonlyMap<PropertyId, Property>>();
  const storedDocument = database.prepare(
    'SELECT CAST(content AS BLOB) AS content FROM document WHERE name = ?',
  );
  const storedLearned = database.prepare('SELECT json FROM learned WHERE brand = ?');
  let previous: Promise<unknown> = Promise.resolve();

  /** No other write may come between the chunks of a catalogue. */
  function inSequence(work: () => Promise<void>): Promise<void> {
    const done = previous.then(work);
    previous = done.catch(() => undefined);
    return done;
  }

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
      // Operators are read anyway: what cannot be read here is only missing until they answer.
      report(`The stored inventory could not be read: ${String(failure)}`);
      return undefined;
    }
  }

  function unsavedListing(id: PropertyId): Property | undefined {
    for (const catalogue of unsaved.values()) {
      const property = catalogue.get(id);
      if (property) return property;
    }
    return undefined;
  }

  async function keepInMemory(brand: BrandId, properties: readonly Property[]): Promise<void> {
    const catalogue = new Map<PropertyId, Property>();
    await inTurns(properties, KEPT_A_TURN, (property) => catalogue.set(property.id, property));
    unsaved.set(brand, catalogue);
  }

  return {
    async load(take, isKnown = () => false) {
      const homes = storedHomes(isKnown);
      // Each few are queries of their own: no read transaction is left open while the others are awaited.
      for (let few = nextFew(homes); few; few = nextFew(homes)) {
        take(few);
        await nextTurn();
      }
    },

    listings: {
      get: (id) => unsavedListing(id) ?? storedListings.get(id),
      home(id) {
        const property = unsavedListing(id);
        if (!property) return storedListings.home(id);
        return { home: indexedHome(property), digest: listingDigest(property) };
      },
    },

    replaceCatalogue(brand, properties) {
      return inSequence(async () => {
        try {
          await write({ kind: 'begin_catalogue' });
          for (const rows of rowsInChunks(properties)) {
            await write({ kind: 'add_to_catalogue', properties: rows });
          }
          await write({ kind: 'replace_catalogue', brand, properties: properties.length });
          unsaved.delete(brand);
        } catch (failure) {
          await keepInMemory(brand, properties);
          throw failure;
        }
        await giveBackSpace(writes);
      });
    },

    saveCalendars(calendars) {
      return inSequence(async () => {
        for (const chunk of inChunks(calendars)) {
          const packed = chunk.map(({ property, calendar, readAt }) => ({
            property,
            columns: packCalendar(calendar),
            // The column takes whole numbers only.
            readAt: Math.trunc(readAt),
            digest: calendarDigest(calendar),
          }));
          await write({ kind: 'save_calendars', calendars: packed });
        }
      });
    },

    saveDocument: (name, document) => inSequence(() => write({ kind: 'save_document', name, document })),

    async document(name) {
      const row = withStorageFailures(() => storedDocument.get(name));
      // A copy, because its memory goes to another thread and SQLite's is not ours to give.
      return row && new Uint8Array(bytesIn(row, 'content'));
    },

    saveLearned: (brand, json) => inSequence(() => write({ kind: 'save_learned', brand, json })),

    async learned(brand) {
      const row = withStorageFailures(() => storedLearned.get(brand));
      return row && textIn(row, 'json');
    },
  };
}

function* rowsInChunks(properties: readonly Property[]): Generator<readonly PropertyRow[]> {
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

function* inChunks<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < all.length; from += MAX_CHUNK) yield all.slice(from, from + MAX_CHUNK);
}
