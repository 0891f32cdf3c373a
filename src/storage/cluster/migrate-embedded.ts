import { hash } from 'node:crypto';
import type { StoredCalendar } from '../../availability/inventory-store.ts';
import { calendarDigest } from '../../catalogue/calendar.ts';
import type { Property } from '../../catalogue/catalogue.ts';
import { ADD_COUNTS } from '../postgres/activity-store.ts';
import { putNewerOutcomes } from '../postgres/booking-outcomes.ts';
import { createPostgresPool, type PostgresPool } from '../postgres/connection.ts';
import { createInventoryWrites } from '../postgres/inventory-writes.ts';
import { migrate } from '../postgres/migrate.ts';
import { createPostgresLedgerWriter, differingQuotes } from '../postgres/quote-ledger.ts';
import {
  type EmbeddedActivity,
  type EmbeddedCounts,
  type EmbeddedHome,
  type EmbeddedRows,
  openEmbeddedRows,
} from '../sqlite/embedded-rows.ts';
import { packCalendar } from '../sqlite/inventory-rows.ts';

export type StoreMigration =
  /** Nothing was written. */
  | {
      readonly kind: 'refused';
      readonly reason: 'nodes_are_running' | 'other_homes';
      readonly examples: readonly string[];
    }
  /** The rows written so far stay, and the next run continues from there. */
  | { readonly kind: 'interrupted' }
  | {
      readonly kind: 'migrated';
      readonly counts: EmbeddedCounts;
      /** The homes are a node's copy, and were not moved. */
      readonly isCopy: boolean;
      /** Rows that differ in PostgreSQL: none, unless another process has written meanwhile. */
      readonly differing: readonly string[];
    };

export type MigrationPhase = 'catalogues' | 'calendars' | 'quotes' | 'counts' | 'comparison';

export type StoreMigrationOptions = {
  readonly directory: string;
  readonly postgresUrl: string;
  readonly schema?: string;
  /** Accept a PostgreSQL that has other homes. Replaces brands of the same name. */
  readonly merge: boolean;
  readonly signal: AbortSignal;
  readonly onProgress?: (phase: MigrationPhase, done: number, total: number) => void;
  readonly report: (warning: string) => void;
};

/** The name under which it writes; no lease has it. */
const NODE = 'migrate-store';
const MAX_EXAMPLES = 10;
const IDS_AT_ONCE = 2_000;

/**
 * Moves the durable data of an embedded store to PostgreSQL. Every step is idempotent, so after an interruption the owner simply runs it again:
 * rows that are already there are compared and left.
 */
export async function migrateEmbedded(options: StoreMigrationOptions): Promise<StoreMigration> {
  const { directory, postgresUrl, schema, report } = options;
  const source = openEmbeddedRows(directory, report);
  const pool = createPostgresPool({ url: postgresUrl, ...(schema !== undefined && { schema }) });
  try {
    await migrate(pool);
    return (await refusalBy(pool, source, options.merge)) ?? (await moveAll(source, pool, options));
  } finally {
    await pool.close();
    source.close();
  }
}

async function refusalBy(
  pool: PostgresPool,
  source: EmbeddedRows,
  mayMerge: boolean,
): Promise<Extract<StoreMigration, { kind: 'refused' }> | undefined> {
  const nodes = await pool.query<{ node: string }>(
    'SELECT node FROM live_node WHERE expires_at > clock_timestamp() ORDER BY node LIMIT $1',
    [MAX_EXAMPLES],
  );
  if (nodes.length > 0) {
    return { kind: 'refused', reason: 'nodes_are_running', examples: nodes.map(({ node }) => node) };
  }
  if (mayMerge || source.isCopy) return undefined;
  const others = await otherHomes(pool, source);
  return others.length === 0 ? undefined : { kind: 'refused', reason: 'other_homes', examples: others };
}

/** Homes in PostgreSQL that the embedded store lacks: they belong to another network, or are newer than the store. */
async function otherHomes(pool: PostgresPool, source: EmbeddedRows): Promise<readonly string[]> {
  for (let after = ''; ; ) {
    const rows = await pool.query<{ id: string }>(
      'SELECT id FROM property WHERE id > $1 ORDER BY id LIMIT $2',
      [after, IDS_AT_ONCE],
    );
    const ids = rows.map(({ id }) => id);
    const known = source.known(ids);
    const others = ids.filter((id) => !known.has(id));
    const last = ids.at(-1);
    if (others.length > 0 || last === undefined) return others.slice(0, MAX_EXAMPLES);
    after = last;
  }
}

async function moveAll(
  source: EmbeddedRows,
  pool: PostgresPool,
  { signal, onProgress = () => {} }: StoreMigrationOptions,
): Promise<StoreMigration> {
  const counts = source.counts();
  const { isCopy } = source;
  const move: Move = { source, pool, brands: isCopy ? [] : source.brands() };
  const progressOf = (phase: MigrationPhase, total: number) => {
    let done = 0;
    return (more: number) => {
      done += more;
      onProgress(phase, done, total);
      signal.throwIfAborted();
    };
  };
  try {
    await moveCatalogues(move, progressOf('catalogues', counts.homes));
    await moveCalendars(move, progressOf('calendars', counts.homes));
    if (!isCopy) await moveDocuments(source, pool);
    const [ledger, quotesMoved] = [createPostgresLedgerWriter(pool), progressOf('quotes', counts.quotes)];
    for (const quotes of source.quotes()) {
      await ledger.insert(quotes);
      quotesMoved(quotes.length);
    }
    if (source.activity) {
      await moveActivity(source.activity, pool, progressOf('counts', counts.counts + counts.bookings));
    }
    const compared = progressOf('comparison', (isCopy ? 0 : counts.homes) + counts.quotes);
    const differing = await compare(move, compared);
    return { kind: 'migrated', counts, isCopy, differing };
  } catch (error) {
    if (signal.aborted && error === signal.reason) return { kind: 'interrupted' };
    throw error;
  }
}

type Move = {
  readonly source: EmbeddedRows;
  readonly pool: PostgresPool;
  /** None of a copy. */
  readonly brands: readonly string[];
};

type Advance = (more: number) => void;

async function moveCatalogues({ source, pool, brands }: Move, advance: Advance): Promise<void> {
  const writes = createInventoryWrites({ pool, node: NODE });
  for (const brand of brands) {
    const properties: Property[] = [];
    for (const homes of source.homes(brand)) {
      for (const { property } of homes) properties.push(property);
    }
    await writes.replaceCatalogue(brand, properties);
    advance(properties.length);
  }
}

/** Skips calendars that an interrupted run has already moved. */
async function moveCalendars({ source, pool, brands }: Move, advance: Advance): Promise<void> {
  const writes = createInventoryWrites({ pool, node: NODE });
  for (const brand of brands) {
    for (const homes of source.homes(brand)) {
      const stored = await storedHomes(pool, homes);
      const calendars = homes.flatMap(({ property: { id }, calendar }): StoredCalendar[] => {
        if (!calendar) return [];
        const head = stored.get(id);
        const isStored =
          head?.read_at === calendar.readAt && head.calendar_digest === calendarDigest(calendar.content);
        return isStored ? [] : [{ property: id, calendar: calendar.content, readAt: calendar.readAt }];
      });
      if (calendars.length > 0) await writes.saveCalendars(calendars);
      advance(homes.length);
    }
  }
}

async function moveDocuments(source: EmbeddedRows, pool: PostgresPool): Promise<void> {
  for (const { name, content } of source.documents()) {
    await pool.query(
      `INSERT INTO document (name, content) VALUES ($1, $2)
       ON CONFLICT (name) DO UPDATE SET content = excluded.content, stored_at = excluded.stored_at
       WHERE document.content <> excluded.content`,
      [name, Buffer.from(content)],
    );
  }
  for (const { brand, json } of source.learned()) {
    await pool.query(
      `INSERT INTO learned (brand, node, json) VALUES ($1, $2, $3)
       ON CONFLICT (brand, node) DO UPDATE SET json = excluded.json, number = nextval('learned_number')
       WHERE learned.json <> excluded.json`,
      [brand, NODE, json],
    );
  }
}

/** Compares the stored contents, not only their digests. */
async function compare({ source, pool, brands }: Move, advance: Advance): Promise<readonly string[]> {
  const differing: string[] = [];
  for (const brand of brands) {
    let expected = 0;
    for (const homes of source.homes(brand)) {
      expected += homes.length;
      const stored = await storedHomes(pool, homes);
      for (const home of homes) {
        if (!isSame(home, stored.get(home.property.id))) differing.push(`home ${home.property.id}`);
      }
      advance(homes.length);
    }
    const [row] = await pool.query<{ homes: number }>(
      'SELECT count(*) AS homes FROM property WHERE brand = $1',
      [brand],
    );
    if (row?.homes !== expected) differing.push(`number of homes of ${brand}`);
  }
  if (!source.isCopy) differing.push(...(await differingDocuments(source, pool)));
  for (const quotes of source.quotes()) {
    differing.push(...(await differingQuotes(pool, quotes)).map((nxq) => `quote ${nxq}`));
    advance(quotes.length);
  }
  return differing;
}

type StoredHomeRow = {
  readonly id: string;
  readonly brand: string;
  readonly digest: number;
  readonly state: string;
  readonly read_at: number | null;
  readonly calendar_digest: number | null;
  readonly columns: string | null;
};

async function storedHomes(
  pool: PostgresPool,
  homes: readonly EmbeddedHome[],
): Promise<ReadonlyMap<string, StoredHomeRow>> {
  const rows = await pool.query<StoredHomeRow>(
    `SELECT id, brand, property.digest, md5(state) AS state, read_at, calendar.digest AS calendar_digest,
       md5(columns) AS columns
     FROM property LEFT JOIN calendar ON calendar.property = id WHERE id = ANY($1)`,
    [homes.map(({ property }) => property.id)],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

function isSame({ property, digest, calendar }: EmbeddedHome, row: StoredHomeRow | undefined): boolean {
  if (row?.brand !== property.brand || row.digest !== digest) return false;
  if (row.state !== hash('md5', JSON.stringify(property))) return false;
  if (!calendar) return row.columns === null;
  return row.read_at === calendar.readAt && row.columns === hash('md5', packCalendar(calendar.content));
}

async function differingDocuments(source: EmbeddedRows, pool: PostgresPool): Promise<readonly string[]> {
  const differing: string[] = [];
  for (const { name, content } of source.documents()) {
    const [row] = await pool.query<{ content: string }>(
      'SELECT md5(content) AS content FROM document WHERE name = $1',
      [name],
    );
    if (row?.content !== hash('md5', content)) differing.push(`document ${name}`);
  }
  for (const { brand, json } of source.learned()) {
    const [row] = await pool.query<{ json: string }>(
      'SELECT json FROM learned WHERE brand = $1 AND node = $2',
      [brand, NODE],
    );
    if (row?.json !== json) differing.push(`what was learned about ${brand}`);
  }
  return differing;
}

/** A generous limit: a page of rows takes well under a second. */
const LIMITS = { statementTimeoutMs: 60_000 };

/**
 * Moves the owner's data of an embedded store. Counts are added to those of other stores, so they move in one transaction and only once.
 * Controls and settings that PostgreSQL already has stay, because running nodes use them.
 */
async function moveActivity(
  source: EmbeddedActivity,
  pool: PostgresPool,
  advance: (more: number) => void,
): Promise<void> {
  await pool.inTransaction(async (transaction) => {
    const [fresh] = await transaction.query(
      'INSERT INTO activity_moved (source) VALUES ($1) ON CONFLICT DO NOTHING RETURNING source',
      [source.source],
    );
    for (const rows of source.counts()) {
      if (fresh) await transaction.query(ADD_COUNTS, [JSON.stringify(rows)]);
      advance(rows.length);
    }
  }, LIMITS);
  for (const outcomes of source.outcomes()) {
    await putNewerOutcomes(pool, outcomes);
    advance(outcomes.length);
  }
  for (const { brand, pausedAt, readingRequestedAt, confirmedLosses } of source.controls()) {
    await pool.query(
      `INSERT INTO brand_control (brand, paused_at, reading_requested_at, confirmed_losses) VALUES ($1, $2, $3, $4)
       ON CONFLICT DO NOTHING`,
      [brand, pausedAt, readingRequestedAt, JSON.stringify(Object.fromEntries(confirmedLosses))],
    );
  }
  for (const { name, value } of source.settings()) {
    await pool.query('INSERT INTO owner_setting (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
      name,
      value,
    ]);
  }
}
