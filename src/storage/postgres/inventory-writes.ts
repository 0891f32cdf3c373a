import { setImmediate as nextTurn } from 'node:timers/promises';
import type { StoredCalendar } from '../../availability/inventory-store.ts';
import type { BrandId, Property, PropertyId } from '../../catalogue/catalogue.ts';
import { StorageFailure } from '../../sessions/storage-failure.ts';
import { calendarRowsInChunks, type PropertyRow, rowsInChunks } from '../sqlite/inventory-tables.ts';
import type { PostgresPool, PostgresQueries } from './connection.ts';

/** A change under way; its id is written to all its rows. */
type NumberedChange = {
  readonly transaction: PostgresQueries;
  readonly id: number;
};

const HEADS_A_PAGE = 2_000;
const REMOVED_AT_ONCE = 2_000;
/** Old changes are deleted after this many new ones. */
const CHANGES_BETWEEN_CLEANINGS = 256;
/** A node that was away for longer compares everything instead of following. Short, because an operator may rename its homes with every reading. */
const CHANGES_LIFE = '1 day';

/** Each change of the inventory is a transaction, and gets a number if it changes anything. */
export function createInventoryWrites({
  pool,
  node,
}: {
  readonly pool: PostgresPool;
  /** Different for each process: holds leases under this name, and marks changes with it. */
  readonly node: string;
}) {
  /** `work` resolves with whether it has changed anything. */
  async function change(
    brandsOf: (transaction: PostgresQueries) => Promise<readonly BrandId[]>,
    work: (change: NumberedChange) => Promise<boolean>,
  ): Promise<void> {
    const number = await pool.inTransaction(async (transaction) => {
      const brands = (await brandsOf(transaction)).toSorted();
      if (brands.length === 0) return undefined;
      // Refuse early: a node without the lease should not send all its rows first.
      await refuseWithoutLease(transaction, brands, '');
      // Writers of a brand take turns; the sorted order prevents deadlocks.
      for (const brand of brands) {
        await transaction.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
          `staywire brand ${pool.schema} ${brand}`,
        ]);
      }
      const [row] = await transaction.query<{ id: number }>("SELECT nextval('inventory_change_id') AS id");
      if (!row || !(await work({ transaction, id: row.id }))) return undefined;
      // Locked until the end, which is near, so that no node takes over the lease in between.
      await refuseWithoutLease(transaction, brands, 'FOR SHARE');
      return numbered(transaction, row.id);
    });
    if (number !== undefined && number % CHANGES_BETWEEN_CLEANINGS === 0) await forgetOldChanges(pool);
  }

  async function refuseWithoutLease(
    transaction: PostgresQueries,
    brands: readonly BrandId[],
    lock: 'FOR SHARE' | '',
  ): Promise<void> {
    const leases = await transaction.query<{ brand: string; is_elsewhere: boolean }>(
      `SELECT brand, holder <> $2 AND expires_at > clock_timestamp() AS is_elsewhere
       FROM brand_lease WHERE brand = ANY($1) ORDER BY brand ${lock}`,
      [brands, node],
    );
    const lost = leases.find(({ is_elsewhere }) => is_elsewhere);
    if (lost) throw new StorageFailure('refused', `Another node reads ${lost.brand} now.`);
  }

  /** The last statement of a change: its lock makes other changes wait, so that numbers are in the order of commits. */
  async function numbered(transaction: PostgresQueries, id: number): Promise<number | undefined> {
    const [row] = await transaction.query<{ number: number }>(
      `WITH next AS (UPDATE inventory_counter SET number = number + 1 RETURNING number),
         added AS (INSERT INTO inventory_change (number, id, node) SELECT number, $1, $2 FROM next)
       SELECT number, pg_notify($3, number::text) FROM next`,
      [id, node, noticeChannel(pool)],
    );
    return row?.number;
  }

  return {
    replaceCatalogue: (brand: BrandId, properties: readonly Property[]) =>
      change(
        async () => [brand],
        async ({ transaction, id }) => {
          const stored = await digestsOf(transaction, brand);
          let hasChanged = false;
          for (const rows of rowsInChunks(properties)) {
            const changed = rows.filter((row) => stored.get(row.id) !== row.digest);
            for (const row of rows) stored.delete(row.id);
            if (changed.length > 0) await putListings(transaction, brand, changed, id);
            else await nextTurn();
            hasChanged ||= changed.length > 0;
          }
          const gone = [...stored.keys()];
          for (let from = 0; from < gone.length; from += REMOVED_AT_ONCE) {
            await remove(transaction, gone.slice(from, from + REMOVED_AT_ONCE), id);
          }
          return hasChanged || gone.length > 0;
        },
      ),

    saveCalendars: (calendars: readonly StoredCalendar[]) =>
      change(
        (transaction) => brandsOf(transaction, calendars),
        async ({ transaction, id }) => {
          let saved = 0;
          for (const rows of calendarRowsInChunks(lastOfEach(calendars))) {
            const [row] = await transaction.query<{ saved: number }>(SAVE_CALENDARS, [
              rows.map(({ property }) => property),
              startsOf(rows),
              rows.map(({ columns }) => columns.length),
              rows.map(({ readAt }) => readAt),
              rows.map(({ digest }) => digest),
              Buffer.concat(rows.map(({ columns }) => columns)),
              id,
            ]);
            saved += row?.saved ?? 0;
          }
          return saved > 0;
        },
      ),
  };
}

/** The channel on which followers receive notices of changes. */
export function noticeChannel({ schema }: Pick<PostgresPool, 'schema'>): string {
  return `${schema}_inventory`;
}

/** The digest of every stored listing of the brand. */
async function digestsOf(transaction: PostgresQueries, brand: BrandId): Promise<Map<PropertyId, number>> {
  const digests = new Map<PropertyId, number>();
  for (let after = ''; ; ) {
    const rows = await transaction.query<{ id: string; digest: number }>(
      `SELECT id, digest FROM property WHERE brand = $1 AND id > $2 ORDER BY id LIMIT ${HEADS_A_PAGE}`,
      [brand, after],
    );
    for (const { id, digest } of rows) digests.set(id, digest);
    after = rows.at(-1)?.id ?? '';
    if (rows.length < HEADS_A_PAGE) return digests;
  }
}

async function putListings(
  transaction: PostgresQueries,
  brand: BrandId,
  rows: readonly PropertyRow[],
  change: number,
): Promise<void> {
  await transaction.query(
    `WITH put AS (
       INSERT INTO property (id, brand, state, digest, change)
       SELECT id, $2, state, digest, $5 FROM unnest($1::text[], $3::text[], $4::bigint[]) AS given (id, state, digest)
       ON CONFLICT (id) DO UPDATE SET brand = excluded.brand, state = excluded.state, digest = excluded.digest,
         change = excluded.change
       RETURNING id)
     DELETE FROM removed_property USING put WHERE removed_property.id = put.id`,
    [
      rows.map(({ id }) => id),
      brand,
      rows.map(({ state }) => state),
      rows.map(({ digest }) => digest),
      change,
    ],
  );
}

/** Leaves a record of the removal for followers. */
async function remove(
  transaction: PostgresQueries,
  ids: readonly PropertyId[],
  change: number,
): Promise<void> {
  await transaction.query(
    `WITH gone AS (DELETE FROM property WHERE id = ANY($1) RETURNING id, brand)
     INSERT INTO removed_property (id, brand, change) SELECT id, brand, $2 FROM gone
     ON CONFLICT (id) DO UPDATE SET brand = excluded.brand, change = excluded.change`,
    [ids, change],
  );
}

/**
 * The calendars of a chunk are one binary value; pg would send an array as text, twice as long. Where the digest is the same, the stored
 * calendar stays where it is and only its time changes.
 */
const SAVE_CALENDARS = `
  WITH given AS (
    SELECT id, substring($6::bytea FROM start FOR length) AS columns, read_at, digest
    FROM unnest($1::text[], $2::int[], $3::int[], $4::bigint[], $5::bigint[]) AS given (id, start, length, read_at, digest)),
  saved AS (
    INSERT INTO calendar (property, columns, read_at, digest, change)
    SELECT id, given.columns, given.read_at, given.digest, $7 FROM given JOIN property USING (id)
    ON CONFLICT (property) DO UPDATE SET
      columns = CASE WHEN calendar.digest = excluded.digest THEN calendar.columns ELSE excluded.columns END,
      read_at = excluded.read_at, digest = excluded.digest, change = excluded.change
    RETURNING 1)
  SELECT count(*) AS saved FROM saved`;

/** SQL counts bytes from 1. */
function startsOf(rows: readonly { readonly columns: Uint8Array }[]): number[] {
  let next = 1;
  return rows.map(({ columns }) => {
    const start = next;
    next += columns.length;
    return start;
  });
}

async function brandsOf(
  transaction: PostgresQueries,
  calendars: readonly StoredCalendar[],
): Promise<readonly BrandId[]> {
  const brands = new Set<BrandId>();
  for (let from = 0; from < calendars.length; from += HEADS_A_PAGE) {
    const ids = calendars.slice(from, from + HEADS_A_PAGE).map(({ property }) => property);
    const rows = await transaction.query<{ brand: string }>(
      'SELECT DISTINCT brand FROM property WHERE id = ANY($1)',
      [ids],
    );
    for (const { brand } of rows) brands.add(brand);
  }
  return [...brands];
}

/** A statement may change a row only once. */
function lastOfEach(calendars: readonly StoredCalendar[]): readonly StoredCalendar[] {
  const last = new Map(calendars.map((stored) => [stored.property, stored]));
  return last.size === calendars.length ? calendars : [...last.values()];
}

/** Oldest first and without a gap, so that a follower notices missing changes. */
async function forgetOldChanges(pool: PostgresPool): Promise<void> {
  const forgetting = pool.query(
    `WITH old AS (
       DELETE FROM inventory_change WHERE committed_at < clock_timestamp() - interval '${CHANGES_LIFE}' RETURNING id)
     DELETE FROM removed_property USING old WHERE removed_property.change = old.id`,
  );
  // A failure matters little: the change itself is stored, and a later one tries again.
  await forgetting.catch(() => {});
}
