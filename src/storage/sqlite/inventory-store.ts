import type { DatabaseSync } from 'node:sqlite';
import type { Property } from '../../inventory/catalogue.ts';
import type { InventoryStore } from '../../inventory/inventory-store.ts';
import { bytesIn, textIn } from './columns.ts';
import type { GroupCommit } from './group-commit.ts';
import type { InventoryWrite } from './inventory-writes.ts';
import { packCalendar, unpackCalendar } from './packed-calendar.ts';
import { reading } from './sqlite-failure.ts';

/** How much is packed before the event loop gets a turn: some hundred kilobytes, about a millisecond. */
const AT_ONCE = 64;

export function createSqliteInventoryStore({
  database,
  writes,
}: {
  readonly database: DatabaseSync;
  readonly writes: GroupCommit<InventoryWrite>;
}): InventoryStore {
  const storedProperties = database.prepare(
    'SELECT state, columns FROM property JOIN calendar ON calendar.property = property.number ORDER BY property.id',
  );
  const storedRateCard = database.prepare('SELECT json FROM rate_card WHERE brand = ?');
  let turn: Promise<unknown> = Promise.resolve();

  /** A catalogue arrives in pieces that no other may come between. */
  function inTurn(work: () => Promise<void>): Promise<void> {
    const done = turn.then(work);
    turn = done.catch(() => undefined);
    return done;
  }

  async function write(inventoryWrite: InventoryWrite): Promise<void> {
    await writes.submit(
      () => inventoryWrite,
      () => undefined,
    );
  }

  return {
    async load() {
      return reading(() => storedProperties.all()).map((row) => {
        const property: Property = JSON.parse(textIn(row, 'state'));
        return { property, calendar: unpackCalendar(bytesIn(row, 'columns')) };
      });
    },

    replaceCatalogue(brand, properties) {
      return inTurn(async () => {
        await write({ op: 'begin catalogue' });
        for (const some of inPieces(properties)) {
          const rows = some.map((property) => ({ id: property.id, state: JSON.stringify(property) }));
          await write({ op: 'add to catalogue', properties: rows });
        }
        await write({ op: 'replace catalogue', brand, properties: properties.length });
      });
    },

    saveCalendars(calendars) {
      return inTurn(async () => {
        for (const some of inPieces(calendars)) {
          await writes.submit(
            (arena) => ({
              op: 'save calendars',
              calendars: some.map(({ property, calendar }) => ({
                property,
                columns: arena.append(packCalendar(calendar)),
              })),
            }),
            () => undefined,
          );
        }
      });
    },

    saveRateCard: (brand, json) => inTurn(() => write({ op: 'save rate card', brand, json })),

    async rateCard(brand) {
      const row = reading(() => storedRateCard.get(brand));
      return row && textIn(row, 'json');
    },
  };
}

function* inPieces<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < all.length; from += AT_ONCE) yield all.slice(from, from + AT_ONCE);
}
