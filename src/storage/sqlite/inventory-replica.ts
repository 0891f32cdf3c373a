import type { DatabaseSync } from 'node:sqlite';
import type { LoadedHome } from '../../availability/inventory-store.ts';
import type { BrandId, PropertyId } from '../../catalogue/catalogue.ts';
import { numberIn, type SqliteRow, textIn } from './columns.ts';
import type { GroupCommit } from './group-commit.ts';
import type { HomeChanges, InventoryWrite, ReplicaPosition } from './inventory-writes.ts';
import { withStorageFailures } from './sqlite-failure.ts';
import { storedHomesByIdIn } from './stored-homes.ts';

/** What tells whether a home is the same here and elsewhere, without its texts and its calendar. */
export type HomeHead = {
  readonly id: PropertyId;
  readonly brand: BrandId;
  readonly listing: number;
  readonly calendar: { readonly digest: number; readonly readAt: number } | null;
};

/** The stored inventory as a copy of one that is elsewhere. */
export type InventoryReplica = {
  /** How far it is; undefined when it never was a copy of anything. */
  position(): ReplicaPosition | undefined;
  heads(ids: readonly PropertyId[]): ReadonlyMap<PropertyId, HomeHead>;
  /** In the order of bytes, the first exclusive; up to the end without a last. */
  headsBetween(after: PropertyId, last: PropertyId | undefined): readonly HomeHead[];
  /** Those of them that have a calendar. */
  homes(ids: readonly PropertyId[]): readonly LoadedHome[];
  /** All of it or nothing. Takes the memory of the calendars. */
  apply(changes: HomeChanges): Promise<void>;
  moveTo(position: ReplicaPosition): Promise<void>;
};

const HEAD = `SELECT id, brand, property.digest AS listing_digest, calendar.digest AS calendar_digest, read_at
  FROM property LEFT JOIN calendar INDEXED BY calendar_state ON calendar.property = number`;

export function createInventoryReplica(
  database: DatabaseSync,
  writes: GroupCommit<InventoryWrite>,
): InventoryReplica {
  const storedPosition = database.prepare('SELECT source, number, mark FROM replica_position');
  const headsOf = database.prepare(`${HEAD} WHERE id IN (SELECT value FROM json_each(?))`);
  const headsAfter = database.prepare(`${HEAD} WHERE id > ? AND (? IS NULL OR id <= ?) ORDER BY id`);
  const homesOf = storedHomesByIdIn(database);

  return {
    position() {
      const row = withStorageFailures(() => storedPosition.get());
      if (!row) return undefined;
      const mark = row.mark === null ? null : textIn(row, 'mark');
      return { source: textIn(row, 'source'), number: numberIn(row, 'number'), mark };
    },
    heads(ids) {
      const rows = withStorageFailures(() => headsOf.all(JSON.stringify(ids)));
      return new Map(rows.map(headIn).map((head) => [head.id, head]));
    },
    headsBetween(after, last = undefined) {
      const upTo = last ?? null;
      return withStorageFailures(() => headsAfter.all(after, upTo, upTo)).map(headIn);
    },
    homes: homesOf,
    apply: (changes) => writes.submit({ kind: 'change_homes', ...changes }, () => undefined),
    moveTo: (position) => writes.submit({ kind: 'move_replica', position }, () => undefined),
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
