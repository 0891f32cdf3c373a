import type { DatabaseSync } from 'node:sqlite';
import { pieceOf, type Span } from './arena.ts';
import type { ApplyWrite } from './write-batch.ts';

export type InventoryWrite =
  | { readonly op: 'begin catalogue' }
  | { readonly op: 'add to catalogue'; readonly properties: readonly PropertyRow[] }
  | { readonly op: 'replace catalogue'; readonly brand: string; readonly properties: number }
  | { readonly op: 'save calendars'; readonly calendars: readonly CalendarRow[] }
  | { readonly op: 'save rate card'; readonly brand: string; readonly json: string };

type PropertyRow = { readonly id: string; readonly state: string };
type CalendarRow = { readonly property: string; readonly columns: Span };

export function createInventoryWrites(database: DatabaseSync): ApplyWrite<InventoryWrite> {
  // A catalogue arrives in pieces, so that no single message holds up the event loop, and is swapped in at once.
  let gathered: PropertyRow[] = [];
  const replaceCatalogue = replacingIn(database);
  const saveCalendar = database.prepare(
    'INSERT OR REPLACE INTO calendar (property, columns) SELECT number, ? FROM property WHERE id = ?',
  );
  const saveRateCard = database.prepare('INSERT OR REPLACE INTO rate_card (brand, json) VALUES (?, ?)');

  return (write, memory) => {
    switch (write.op) {
      case 'begin catalogue':
        gathered = [];
        break;
      case 'add to catalogue':
        gathered.push(...write.properties);
        break;
      case 'replace catalogue':
        // A thread that was started anew in between has lost pieces; swapping in the rest would remove listings.
        if (gathered.length !== write.properties)
          throw new Error('parts of the catalogue were lost on the way');
        replaceCatalogue(write.brand, gathered);
        gathered = [];
        break;
      case 'save calendars':
        for (const { property, columns } of write.calendars) {
          saveCalendar.run(pieceOf(memory, columns), property);
        }
        break;
      case 'save rate card':
        saveRateCard.run(write.brand, write.json);
    }
    return 'written';
  };
}

function replacingIn(database: DatabaseSync) {
  const upsert = database.prepare(
    `INSERT INTO property (id, brand, state) VALUES (?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET brand = excluded.brand, state = excluded.state
     WHERE state <> excluded.state OR brand <> excluded.brand`,
  );
  // One JSON array instead of a statement for each property that stays.
  const removeOthers = database.prepare(
    'DELETE FROM property WHERE brand = ? AND id NOT IN (SELECT value FROM json_each(?))',
  );
  return (brand: string, properties: readonly PropertyRow[]) => {
    removeOthers.run(brand, JSON.stringify(properties.map(({ id }) => id)));
    for (const { id, state } of properties) upsert.run(id, brand, state);
  };
}
