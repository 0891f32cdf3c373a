import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { InventoryStore, LoadedHome } from '../../availability/inventory-store.ts';
import { createSequence } from '../../limits/keyed-mutex.ts';
import { bytesIn, textIn } from './columns.ts';
import type { GroupCommit } from './group-commit.ts';
import { calendarRowsInChunks, rowsInChunks } from './inventory-chunks.ts';
import type { InventoryWrite } from './inventory-writes.ts';
import { withStorageFailures } from './sqlite-failure.ts';
import { storedHomesIn } from './stored-homes.ts';
import { storedListingsIn } from './stored-listings.ts';
import { createUnsavedCatalogues } from './unsaved-catalogues.ts';
import { giveBackSpace } from './vacuum.ts';

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
      // Operators are read anyway: what cannot be read here is only missing until they answer.
      report(`The stored inventory could not be read: ${String(failure)}`);
      return undefined;
    }
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
          await unsaved.keep(brand, properties);
          throw failure;
        }
        await giveBackSpace(writes);
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
