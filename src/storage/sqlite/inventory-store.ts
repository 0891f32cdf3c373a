import type { DatabaseSync } from 'node:sqlite';
import type { Property } from '../../inventory/catalogue.ts';
import type { InventoryStore } from '../../inventory/inventory-store.ts';
import { bytesIn, textIn } from './columns.ts';
import { giveBackSpace } from './give-back-space.ts';
import type { GroupCommit } from './group-commit.ts';
import type { InventoryWrite } from './inventory-writes.ts';
import { packCalendar, unpackCalendar } from './packed-calendar.ts';
import { withStorageFailures } from './sqlite-failure.ts';

/** Packing this many calendars takes about a millisecond; then the event loop gets a turn. */
const MAX_CHUNK = 64;

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
    'SELECT state, columns FROM property JOIN calendar ON calendar.property = property.number ORDER BY property.id',
  );
  const storedRateCard = database.prepare('SELECT json FROM rate_card WHERE brand = ?');
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

  return {
    async load() {
      try {
        return withStorageFailures(() => storedProperties.all()).map((row) => {
          const property: Property = JSON.parse(textIn(row, 'state'));
          return { property, calendar: unpackCalendar(bytesIn(row, 'columns')) };
        });
      } catch (failure) {
        // Operators are read anyway: what cannot be read here is only missing until they answer.
        report(`The stored inventory could not be read: ${String(failure)}`);
        return [];
      }
    },

    replaceCatalogue(brand, properties) {
      return inSequence(async () => {
        await write({ kind: 'begin_catalogue' });
        for (const chunk of inChunks(properties)) {
          const rows = chunk.map((property) => ({ id: property.id, state: JSON.stringify(property) }));
          await write({ kind: 'add_to_catalogue', properties: rows });
        }
        await write({ kind: 'replace_catalogue', brand, properties: properties.length });
        await giveBackSpace(writes);
      });
    },

    saveCalendars(calendars) {
      return inSequence(async () => {
        for (const chunk of inChunks(calendars)) {
          const packed = chunk.map(({ property, calendar }) => ({
            property,
            columns: packCalendar(calendar),
          }));
          await write({ kind: 'save_calendars', calendars: packed });
        }
      });
    },

    saveDocument: (brand, json) => inSequence(() => write({ kind: 'save_rate_card', brand, json })),

    async document(brand) {
      const row = withStorageFailures(() => storedRateCard.get(brand));
      return row && textIn(row, 'json');
    },
  };
}

function* inChunks<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < all.length; from += MAX_CHUNK) yield all.slice(from, from + MAX_CHUNK);
}
