import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { IssuedQuote } from '../../sessions/quote-ledger.ts';
import { StorageFailure } from '../../sessions/storage-failure.ts';
import { createPostgresPool } from '../postgres/connection.ts';
import { migrate } from '../postgres/migrate.ts';
import { createPostgresOwnerStore } from '../postgres/owner-store.ts';
import { createPostgresLedgerWriter } from '../postgres/quote-ledger.ts';
import { openSqliteStorage, SESSION_FILE } from '../sqlite/storage.ts';

export type MigratedStore = Readonly<Record<'quotes' | 'bookings' | 'pausedBrands', number>>;

export type StoreMigrationOptions = {
  readonly directory: string;
  readonly postgresUrl: string;
  readonly schema?: string;
  readonly report: (warning: string) => void;
};

const ROWS_AT_ONCE = 1_000;
const EVER = Number.MAX_SAFE_INTEGER;

/**
 * Copies what no operator can give again from an embedded store to PostgreSQL: the ledger, reported bookings, the owner's decisions and the
 * password of the console. Every step is idempotent, so the owner runs it again after an interruption.
 */
export async function migrateEmbedded({
  directory,
  postgresUrl,
  schema,
  report,
}: StoreMigrationOptions): Promise<MigratedStore> {
  if (!existsSync(join(directory, SESSION_FILE))) {
    throw new StorageFailure('input_output', `There is no embedded store in ${directory}.`);
  }
  const source = await openSqliteStorage({ directory, report, rateRule: { limit: 1, windowMs: 1 } });
  const pool = createPostgresPool({ url: postgresUrl, ...(schema !== undefined && { schema }) });
  try {
    await migrate(pool);
    const ledger = createPostgresLedgerWriter(pool);
    const target = createPostgresOwnerStore(pool);
    let quotes = 0;
    for await (const few of quotesOf(source.sessions)) {
      await ledger.insert(few);
      quotes += few.length;
    }
    let bookings = 0;
    for await (const few of bookingsOf(source.outcomes)) {
      await target.outcomes.put(few);
      bookings += few.length;
    }
    // Decisions of nodes that run already stay.
    const decided = new Set((await target.controls.all()).map(({ brand }) => brand));
    const controls = await source.controls.all();
    for (const { brand, pausedAt } of controls) {
      if (decided.has(brand)) continue;
      if (pausedAt !== null) await target.controls.setPaused(brand, true, pausedAt);
    }
    const password = await source.owner.get('console_password');
    if (password !== null && (await target.owner.get('console_password')) === null) {
      await target.owner.set('console_password', password);
    }
    return { quotes, bookings, pausedBrands: controls.filter(({ pausedAt }) => pausedAt !== null).length };
  } finally {
    await pool.close();
    await source.close();
  }
}

/** Pages overlap, because several quotes may have been retrieved in the same millisecond. */
async function* quotesOf(ledger: {
  issuedQuotes(range: { since: number; limit: number }): Promise<readonly IssuedQuote[]>;
}): AsyncGenerator<readonly IssuedQuote[]> {
  let known = new Set<string>();
  let limit = ROWS_AT_ONCE;
  for (let since = 0; ; ) {
    const page = await ledger.issuedQuotes({ since, limit });
    const fresh = page.filter(({ nxq }) => !known.has(nxq));
    if (fresh.length > 0) yield fresh;
    if (page.length < limit) return;
    const last = page.at(-1)?.retrievedAt ?? since;
    if (last === since) limit *= 2;
    since = last;
    known = new Set(page.filter(({ retrievedAt }) => retrievedAt === last).map(({ nxq }) => nxq));
  }
}

async function* bookingsOf({ read }: Awaited<ReturnType<typeof openSqliteStorage>>['outcomes']) {
  let page = await read({ from: 0, before: EVER, limit: ROWS_AT_ONCE });
  for (let last = page.at(-1); last; last = page.at(-1)) {
    yield page;
    page = await read({ from: 0, before: EVER, after: last, limit: ROWS_AT_ONCE });
  }
}
