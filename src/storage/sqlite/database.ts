import { DatabaseSync } from 'node:sqlite';

export type DatabaseOptions = {
  readonly file: string;
  /** How long a lock held by another program is waited for. */
  readonly lockTimeoutMs: number;
  /** For tests: the size in pages at which the disk counts as full. */
  readonly maxPages?: number | undefined;
};

export function openForWriting(options: DatabaseOptions): DatabaseSync {
  return openWith(options, (database) => prepareForWriting(database, options));
}

/** Closes the connection again when `prepare` fails. */
export function openWith(
  { file, lockTimeoutMs }: DatabaseOptions,
  prepare: (database: DatabaseSync) => void,
): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: lockTimeoutMs });
  try {
    prepare(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

export function prepareForWriting(database: DatabaseSync, { maxPages }: DatabaseOptions): void {
  // Before anything is written, or it has no effect: free pages can be given back to the disk, see `give-back-space.ts`.
  database.exec('PRAGMA auto_vacuum = INCREMENTAL');
  // Readers and the writer do not wait for each other, and a commit is one append to one file.
  database.exec('PRAGMA journal_mode = WAL');
  // Every commit waits for the disk: an answer is sent only once its change survives a power cut.
  database.exec('PRAGMA synchronous = FULL');
  // Fewer, larger checkpoints: pages that many steps touch are copied back once. 8,000 pages are 32 MB of log.
  database.exec('PRAGMA wal_autocheckpoint = 8000');
  // After a burst, the next checkpoint truncates the log to twice that.
  database.exec('PRAGMA journal_size_limit = 67108864');
  // 16 MB (negative counts KiB) hold the pages of live sessions. Not more: every commit scans the whole cache.
  database.exec('PRAGMA cache_size = -16384');
  if (maxPages !== undefined) database.exec(`PRAGMA max_page_count = ${maxPages}`);
}

/** Reads run on the event loop, so they give up early rather than wait for a lock. */
export function openForReading(file: string): DatabaseSync {
  return new DatabaseSync(file, { readOnly: true, timeout: 50 });
}

/** Rolls back when `work` or the commit fails. */
export function inTransaction<T>(database: DatabaseSync, work: () => T): T {
  // Immediate: a lock that another program holds is met before any work, not at the first write.
  database.exec('BEGIN IMMEDIATE');
  try {
    const outcome = work();
    database.exec('COMMIT');
    return outcome;
  } catch (error) {
    // Some faults, such as a full disk, have rolled back already.
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

export function pragmaNumber(database: DatabaseSync, name: string): number {
  return Number(database.prepare(`PRAGMA ${name}`).get()?.[name]);
}
