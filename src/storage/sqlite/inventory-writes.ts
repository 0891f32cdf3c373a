import type { DatabaseSync } from 'node:sqlite';
import type { OwnedBytes } from '../../parsing/owned-memory.ts';
import { numberIn } from './database.ts';
import { createVacuumStep, type VacuumWrite } from './group-commit.ts';
import type { CalendarRow, PropertyRow } from './inventory-rows.ts';
import type { ApplyWrite } from './writer.ts';

export type InventoryWrite =
  | { readonly kind: 'begin_catalogue' }
  | { readonly kind: 'add_to_catalogue'; readonly properties: readonly PropertyRow[] }
  | { readonly kind: 'replace_catalogue'; readonly brand: string; readonly properties: number }
  | { readonly kind: 'save_calendars'; readonly calendars: readonly CalendarRow[] }
  | { readonly kind: 'save_document'; readonly name: string; readonly document: OwnedBytes }
  | { readonly kind: 'save_learned'; readonly brand: string; readonly json: string }
  | ({ readonly kind: 'change_homes' } & HomeChanges)
  | { readonly kind: 'move_replica'; readonly position: ReplicaPosition }
  | VacuumWrite;

/** Changes of single homes of any brands, for a copy that follows another inventory. Removals apply first, then listings, then calendars. */
export type HomeChanges = {
  readonly removed: readonly string[];
  readonly listings: readonly { readonly brand: string; readonly row: PropertyRow }[];
  readonly withoutCalendar: readonly string[];
  readonly calendars: readonly CalendarRow[];
  /** Read again with the same calendar. */
  readonly readAgain: readonly Pick<CalendarRow, 'property' | 'readAt'>[];
};

export type ReplicaPosition = {
  /** The inventory that is copied. */
  readonly source: string;
  /** The last change that the copy has. */
  readonly number: number;
  /** Distinguishes that change from another one of the same number; null before the first. */
  readonly mark: string | null;
};

export function bodiesOfInventoryWrite(write: InventoryWrite): OwnedBytes[] {
  switch (write.kind) {
    case 'save_calendars':
    case 'change_homes':
      return write.calendars.map(({ columns }) => columns);
    case 'save_document':
      return [write.document];
    default:
      return [];
  }
}

export function createInventoryWrites(database: DatabaseSync): ApplyWrite<InventoryWrite> {
  // A catalogue arrives in chunks, so that no single message blocks the event loop, and is replaced in one step.
  let gathered: PropertyRow[] = [];
  const replaceCatalogue = replacingIn(database);
  const vacuum = createVacuumStep(database);
  const changeHomes = changingIn(database);
  const saveCalendar = database.prepare(
    'INSERT OR REPLACE INTO calendar (property, columns, read_at, digest) SELECT number, ?, ?, ? FROM property WHERE id = ?',
  );
  const saveDocument = database.prepare(
    'INSERT OR REPLACE INTO document (name, content) VALUES (?, CAST(? AS TEXT))',
  );
  const saveLearned = database.prepare('INSERT OR REPLACE INTO learned (brand, json) VALUES (?, ?)');

  const moveReplica = database.prepare(
    'INSERT OR REPLACE INTO replica_position (only_row, source, number, mark) VALUES (1, ?, ?, ?)',
  );

  function saveCalendars(calendars: readonly CalendarRow[]): void {
    for (const { property, columns, readAt, digest } of calendars) {
      saveCalendar.run(columns, readAt, digest, property);
    }
  }

  return (write) => {
    switch (write.kind) {
      case 'begin_catalogue':
        gathered = [];
        break;
      case 'add_to_catalogue':
        gathered.push(...write.properties);
        break;
      case 'replace_catalogue':
        // A restart of the thread in between has lost chunks; replacing with the rest would remove listings.
        if (gathered.length !== write.properties) throw new Error('chunks of the catalogue were lost');
        replaceCatalogue(write.brand, gathered);
        gathered = [];
        break;
      case 'save_calendars':
        saveCalendars(write.calendars);
        break;
      case 'save_document':
        saveDocument.run(write.name, write.document);
        break;
      case 'save_learned':
        saveLearned.run(write.brand, write.json);
        break;
      case 'change_homes':
        changeHomes(write);
        saveCalendars(write.calendars);
        break;
      case 'move_replica':
        moveReplica.run(write.position.source, write.position.number, write.position.mark);
        break;
      case 'vacuum':
        return vacuum();
    }
    return { kind: 'written' };
  };
}

function replacingIn(database: DatabaseSync) {
  const putListing = puttingIn(database);
  // One JSON array instead of one statement per property.
  const removeOthers = database.prepare(
    'DELETE FROM property WHERE brand = ? AND id NOT IN (SELECT value FROM json_each(?))',
  );
  return (brand: string, properties: readonly PropertyRow[]) => {
    removeOthers.run(brand, JSON.stringify(properties.map(({ id }) => id)));
    for (const row of properties) putListing(brand, row);
  };
}

function changingIn(database: DatabaseSync) {
  const putListing = puttingIn(database);
  const remove = database.prepare('DELETE FROM property WHERE id IN (SELECT value FROM json_each(?))');
  const removeCalendars = database.prepare(
    `DELETE FROM calendar WHERE property IN (
       SELECT number FROM property WHERE id IN (SELECT value FROM json_each(?)))`,
  );
  const readAgain = database.prepare(
    'UPDATE calendar SET read_at = ? WHERE property = (SELECT number FROM property WHERE id = ?)',
  );
  return (changes: HomeChanges) => {
    remove.run(JSON.stringify(changes.removed));
    for (const { brand, row } of changes.listings) putListing(brand, row);
    removeCalendars.run(JSON.stringify(changes.withoutCalendar));
    for (const { property, readAt } of changes.readAgain) readAgain.run(readAt, property);
  };
}

/** Adds a listing, or updates one that differs. */
function puttingIn(database: DatabaseSync) {
  const upsert = database.prepare(
    `INSERT INTO property (id, brand, reference, place, max_guests, lead_days, currency, amenities, weight, digest)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET brand = excluded.brand, reference = excluded.reference, place = excluded.place,
       max_guests = excluded.max_guests, lead_days = excluded.lead_days, currency = excluded.currency,
       amenities = excluded.amenities, weight = excluded.weight, digest = excluded.digest
     WHERE digest <> excluded.digest OR brand <> excluded.brand
     RETURNING number`,
  );
  const saveListing = database.prepare('INSERT OR REPLACE INTO listing (property, state) VALUES (?, ?)');
  return (brand: string, row: PropertyRow) => {
    const { id, reference, place, maxGuests, leadDays, currency, amenities, weight, digest } = row;
    const facts = [reference, place, maxGuests, leadDays, currency, amenities, weight, digest];
    const changed = upsert.get(id, brand, ...facts);
    if (changed) saveListing.run(numberIn(changed, 'number'), row.state);
  };
}
