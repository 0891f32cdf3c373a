import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Property } from '../../inventory/catalogue.ts';
import type { InventoryStore, StoredProperty } from '../../inventory/inventory-store.ts';
import { bytesIn, numberIn, textIn } from './columns.ts';
import { giveBackSpace } from './give-back-space.ts';
import type { GroupCommit } from './group-commit.ts';
import type { InventoryWrite, PropertyRow } from './inventory-writes.ts';
import { packCalendar, unpackCalendar } from './packed-calendar.ts';
import { withStorageFailures } from './sqlite-failure.ts';

/** Packing this many calendars takes about a millisecond; then the event loop gets a turn. */
const MAX_CHUNK = 64;
/** Listings can be long, so their chunks are limited by length too. */
const MAX_CHUNK_LENGTH = 256 * 1024;
const LOADED_A_TURN = 16;

export function createSqliteInventoryStore({
  database,
  writes,
  report,
}: {
  readonly database: DatabaseSync;
  readonly writes: GroupCommit<InventoryWrite>;
  readonly report: (warning: string) => void;
}): InventoryStore {
  const storedProperties = database.prepare(
    `SELECT state, columns, read_at FROM property JOIN calendar ON calendar.property = property.number
     WHERE id > ? ORDER BY id LIMIT ${LOADED_A_TURN}`,
  );
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
    return writes.submit(inventoryWrite, () => undefined);
  }

  function storedAfter(id: string): StoredProperty[] {
    try {
      return withStorageFailures(() => storedProperties.all(id)).map((row) => {
        const property: Property = JSON.parse(textIn(row, 'state'));
        const calendar = unpackCalendar(bytesIn(row, 'columns'));
        return { property, calendar, readAt: numberIn(row, 'read_at') };
      });
    } catch (failure) {
      // Operators are read anyway: what cannot be read here is only missing until they answer.
      report(`The stored inventory could not be read: ${String(failure)}`);
      return [];
    }
  }

  return {
    async load(take) {
      // Each few are a query of their own: no read transaction is left open while the others are awaited.
      for (let after = ''; ; await nextTurn()) {
        const few = storedAfter(after);
        const last = few.at(-1);
        if (!last) return;
        take(few);
        after = last.property.id;
      }
    },

    replaceCatalogue(brand, properties) {
      return inSequence(async () => {
        await write({ kind: 'begin_catalogue' });
        for (const rows of rowsInChunks(properties)) {
          await write({ kind: 'add_to_catalogue', properties: rows });
        }
        await write({ kind: 'replace_catalogue', brand, properties: properties.length });
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
    const state = JSON.stringify(property);
    rows.push({ id: property.id, state });
    length += state.length;
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
