import type { BrandId, PropertyId } from '../../catalogue/catalogue.ts';
import type { Clock } from '../../clock.ts';
import type { HomeHead, InventoryReplica } from '../sqlite/inventory-store.ts';
import type { HomeChanges, ReplicaPosition } from '../sqlite/inventory-tables.ts';
import { rowOf } from '../sqlite/inventory-tables.ts';
import type { PostgresPool } from './connection.ts';

export type ReplicaFeed = ReturnType<typeof createReplicaFeed>;

export type ChangedHomes = { readonly brand: BrandId; readonly ids: readonly PropertyId[] };

type ChangeRow = {
  readonly number: number;
  readonly id: number;
  readonly node: string;
  readonly mark: string | null;
};

const BEFORE_ALL_CHANGES: ChangeRow = { number: 0, id: 0, node: '', mark: null };

/** A home as PostgreSQL has it, without its content. */
type HeadRow = {
  readonly id: string;
  readonly brand: string;
  readonly digest: number;
  readonly change: number;
  readonly calendar_digest: number | null;
  readonly read_at: number | null;
  readonly calendar_change: number | null;
};

type ContentRow = {
  readonly id: string;
  readonly brand: string;
  readonly state: string | null;
  readonly columns: Buffer | null;
  readonly read_at: number | null;
  readonly calendar_digest: number | null;
};

/** How a home in the copy differs from PostgreSQL. */
type HomeDifference = {
  readonly needsListing: boolean;
  readonly calendar: 'same' | 'other' | 'read_again' | 'none';
};

const CHANGES_AT_ONCE = 256;
const HEADS_A_PAGE = 500;
/** Fetching and parsing the texts and calendars of this many takes about a millisecond and half a megabyte. */
const CONTENTS_AT_ONCE = 64;

const HEAD_COLUMNS = `property.id, brand, property.digest, property.change,
  calendar.digest AS calendar_digest, read_at, calendar.change AS calendar_change`;

/**
 * Keeps this node's copy of the inventory in step with PostgreSQL. It alone writes to the copy, even this node's own changes, so the copy
 * always equals a past state of PostgreSQL, no matter which node wrote and what was interrupted.
 */
export function createReplicaFeed({
  pool,
  replica,
  node,
  clock,
}: {
  readonly pool: PostgresPool;
  readonly replica: InventoryReplica;
  readonly node: string;
  readonly clock: Pick<Clock, 'elapsed'>;
}) {
  /** Homes that other nodes have changed. */
  const changed = new Map<BrandId, PropertyId[]>();
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  let caughtUpAt: number | undefined;

  function note(brand: BrandId, ids: readonly PropertyId[]): void {
    const waiting = changed.get(brand);
    if (waiting) waiting.push(...ids);
    else changed.set(brand, [...ids]);
  }

  async function pull(): Promise<void> {
    const startedAt = clock.elapsed();
    const [latest] = await pool.query<ReplicaPosition>(
      `SELECT database AS source, inventory_counter.number, mark
       FROM inventory_counter LEFT JOIN inventory_change USING (number)`,
    );
    if (!latest) throw new Error('the inventory has no counter');
    const position = replica.position();
    if (position?.source !== latest.source || !(await follow(position, latest))) {
      await compareAll();
      await replica.moveTo(latest);
    }
    caughtUpAt = startedAt;
  }

  /** False when it cannot follow: changes were deleted, or the database lost some that the copy has. */
  async function follow(position: ReplicaPosition, latest: ReplicaPosition): Promise<boolean> {
    let at = position;
    while (at.number !== latest.number || at.mark !== latest.mark) {
      const [known, ...changes] = await changesFrom(at.number, latest.number);
      const isGapless = changes.every(({ number }, place) => number === at.number + place + 1);
      const last = changes.at(-1);
      if (known?.number !== at.number || known.mark !== at.mark || !isGapless || !last) return false;
      await applyChanges(
        changes.map(({ id }) => id),
        new Set(changes.filter((change) => change.node !== node).map(({ id }) => id)),
      );
      at = { source: at.source, number: last.number, mark: last.mark };
      await replica.moveTo(at);
    }
    return true;
  }

  /** The first is the last change that the copy has, for comparison. */
  async function changesFrom(from: number, to: number): Promise<readonly ChangeRow[]> {
    const changes = await pool.query<ChangeRow>(
      `SELECT number, id, node, mark FROM inventory_change WHERE number BETWEEN $1 AND $2
       ORDER BY number LIMIT ${CHANGES_AT_ONCE}`,
      [from, to],
    );
    return from === 0 ? [BEFORE_ALL_CHANGES, ...changes] : changes;
  }

  async function applyChanges(ids: readonly number[], ofOthers: ReadonlySet<number>): Promise<void> {
    for (let after = ''; ; ) {
      const removed = await pool.query<{ id: string; brand: string; change: number }>(
        `SELECT id, brand, change FROM removed_property WHERE change = ANY($1) AND id > $2
         ORDER BY id LIMIT ${HEADS_A_PAGE}`,
        [ids, after],
      );
      if (removed.length > 0) await apply({ removed: removed.map(({ id }) => id) });
      for (const { id, brand, change } of removed) if (ofOthers.has(change)) note(brand, [id]);
      after = removed.at(-1)?.id ?? '';
      if (removed.length < HEADS_A_PAGE) break;
    }
    for (let after = ''; ; ) {
      const heads = await pool.query<HeadRow>(
        `WITH changed AS (
           SELECT id FROM property WHERE change = ANY($1) AND id > $2
           UNION SELECT property FROM calendar WHERE change = ANY($1) AND property > $2
           ORDER BY 1 LIMIT ${HEADS_A_PAGE})
         SELECT ${HEAD_COLUMNS} FROM changed JOIN property USING (id)
         LEFT JOIN calendar ON calendar.property = property.id ORDER BY property.id`,
        [ids, after],
      );
      await bringOver(heads, replica.heads(heads.map(({ id }) => id)));
      for (const { id, brand, change, calendar_change } of heads) {
        if (ofOthers.has(change) || ofOthers.has(calendar_change ?? 0)) note(brand, [id]);
      }
      after = heads.at(-1)?.id ?? '';
      if (heads.length < HEADS_A_PAGE) break;
    }
  }

  /** Brings the whole copy to the state of PostgreSQL. Changes made meanwhile are followed afterwards. */
  async function compareAll(): Promise<void> {
    for (let after = ''; ; ) {
      const heads = await pool.query<HeadRow>(
        `SELECT ${HEAD_COLUMNS} FROM property LEFT JOIN calendar ON calendar.property = property.id
         WHERE property.id > $1 ORDER BY property.id LIMIT ${HEADS_A_PAGE}`,
        [after],
      );
      const last = heads.length < HEADS_A_PAGE ? undefined : heads.at(-1)?.id;
      const known = new Map(replica.headsBetween(after, last).map((head) => [head.id, head]));
      const isThere = new Set(heads.map(({ id }) => id));
      const removed = [...known.values()].filter(({ id }) => !isThere.has(id));
      if (removed.length > 0) await apply({ removed: removed.map(({ id }) => id) });
      for (const { id, brand } of removed) note(brand, [id]);
      for (const { id, brand } of await bringOver(heads, known)) note(brand, [id]);
      if (last === undefined) return;
      after = last;
    }
  }

  /** Fetches and stores the homes that differ, and returns them. */
  async function bringOver(
    heads: readonly HeadRow[],
    known: ReadonlyMap<PropertyId, HomeHead>,
  ): Promise<readonly HeadRow[]> {
    const different = heads.flatMap((head) => {
      const difference = differenceBetween(head, known.get(head.id));
      return difference ? [{ head, difference }] : [];
    });
    for (let from = 0; from < different.length; from += CONTENTS_AT_ONCE) {
      const few = different.slice(from, from + CONTENTS_AT_ONCE);
      const needed = (isNeeded: (difference: HomeDifference) => boolean) =>
        few.filter(({ difference }) => isNeeded(difference)).map(({ head }) => head.id);
      const readAgain = few.filter(({ difference }) => difference.calendar === 'read_again');
      await apply({
        ...(await contentsOf(
          needed(({ needsListing }) => needsListing),
          needed(({ calendar }) => calendar === 'other'),
        )),
        withoutCalendar: needed(({ calendar }) => calendar === 'none'),
        readAgain: readAgain.map(({ head }) => ({ property: head.id, readAt: head.read_at ?? 0 })),
      });
    }
    return different.map(({ head }) => head);
  }

  async function contentsOf(
    listings: readonly PropertyId[],
    calendars: readonly PropertyId[],
  ): Promise<Pick<HomeChanges, 'listings' | 'calendars'>> {
    if (listings.length + calendars.length === 0) return { listings: [], calendars: [] };
    const rows = await pool.query<ContentRow>(
      `SELECT id, brand, CASE WHEN id = ANY($1) THEN state END AS state, read_at, calendar.digest AS calendar_digest,
         CASE WHEN id = ANY($2) THEN columns END AS columns
       FROM property LEFT JOIN calendar ON calendar.property = id WHERE id = ANY($1) OR id = ANY($2)`,
      [listings, calendars],
    );
    return {
      listings: rows.flatMap(({ brand, state }) => (state ? [{ brand, row: rowOf(JSON.parse(state)) }] : [])),
      calendars: rows.flatMap(({ id, columns, read_at, calendar_digest }) =>
        columns && read_at !== null && calendar_digest !== null
          ? // A copy, because its memory moves to another thread, and this memory belongs to pg.
            [{ property: id, columns: new Uint8Array(columns), readAt: read_at, digest: calendar_digest }]
          : [],
      ),
    };
  }

  function apply(changes: Partial<HomeChanges>): Promise<void> {
    return replica.apply({ ...NO_HOME_CHANGES, ...changes });
  }

  function catchUp(): Promise<void> {
    if (!running) {
      running = pull().finally(() => {
        running = undefined;
      });
      return running;
    }
    // The running pull may have begun before the latest commit; callers share the one after it.
    const again = () => {
      next = undefined;
      return catchUp();
    };
    next ??= running.then(again, again);
    return next;
  }

  return {
    /** Resolves once the copy has everything that was committed before the call. */
    catchUp,
    /** When the last successful `catchUp` began, in elapsed time; undefined before the first. */
    caughtUpAt: () => caughtUpAt,
    /** Takes up to `limit` homes of one brand that other nodes have changed. */
    takeChanged(limit: number): ChangedHomes | undefined {
      const [first] = changed;
      if (!first) return undefined;
      const [brand, waiting] = first;
      const ids = new Set(waiting.splice(-limit));
      if (waiting.length === 0) changed.delete(brand);
      return { brand, ids: [...ids] };
    },
    putBack: ({ brand, ids }: ChangedHomes) => note(brand, ids),
    /** Drops the pending changes: the caller is about to read the whole copy. */
    forgetChanged: () => changed.clear(),
  };
}

const NO_HOME_CHANGES: HomeChanges = {
  removed: [],
  listings: [],
  withoutCalendar: [],
  calendars: [],
  readAgain: [],
};

function differenceBetween(head: HeadRow, known: HomeHead | undefined): HomeDifference | undefined {
  const needsListing = known?.listing !== head.digest || known.brand !== head.brand;
  const calendar = calendarDifference(head, known?.calendar ?? null);
  return needsListing || calendar !== 'same' ? { needsListing, calendar } : undefined;
}

function calendarDifference(head: HeadRow, known: HomeHead['calendar']): HomeDifference['calendar'] {
  if (head.calendar_digest === null) return known ? 'none' : 'same';
  if (known?.digest !== head.calendar_digest) return 'other';
  return known.readAt === head.read_at ? 'same' : 'read_again';
}
