import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import { StorageFailure, type StorageFailureKind } from '../../sessions/storage-failure.ts';

export type DatabaseOptions = {
  readonly file: string;
  /** How long to wait for a lock of another program. */
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
  // Takes effect only before the first write. Free pages can then be given back to the disk, see `vacuum`.
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

/** SQLite's primary result codes, which are the low byte of the extended ones. */
const KIND_OF_CODE: Readonly<Record<number, StorageFailureKind>> = {
  5: 'busy', // SQLITE_BUSY
  6: 'busy', // SQLITE_LOCKED
  8: 'input_output', // SQLITE_READONLY
  10: 'input_output', // SQLITE_IOERR
  11: 'corrupt', // SQLITE_CORRUPT
  13: 'full', // SQLITE_FULL
  14: 'input_output', // SQLITE_CANTOPEN
  19: 'refused', // SQLITE_CONSTRAINT
  26: 'corrupt', // SQLITE_NOTADB
};

const MEANING: Partial<Record<StorageFailureKind, string>> = {
  busy: 'Another program holds the lock of the database',
  corrupt: 'The database is damaged, or is not a database',
  full: 'There is no room on the disk',
  input_output: 'The disk could not be read or written',
  refused: 'The change breaks a rule of the store',
};

/** Returns faults of the program itself (a TypeError, say) unchanged. */
export function asStorageFailure(error: unknown): unknown {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return error;
  const kind = KIND_OF_CODE[error.errcode & 0xff] ?? 'input_output';
  return new StorageFailure(kind, `${MEANING[kind]}: ${error.message}.`, { cause: error });
}

/** Runs a read and throws its faults as `StorageFailure`. */
export function withStorageFailures<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw asStorageFailure(error);
  }
}

export type SqliteRow = Readonly<Record<string, SQLOutputValue>>;

/** Reads columns with the type that the strict schema promises; any other type means that the file was tampered with. */
export function textIn(row: SqliteRow, column: string): string {
  return asText(row[column], column);
}

export function numberIn(row: SqliteRow, column: string): number {
  return asNumber(row[column], column);
}

export function bytesIn(row: SqliteRow, column: string): Uint8Array {
  const value = row[column];
  return value instanceof Uint8Array ? value : unexpected(column);
}

export function asText(value: SQLOutputValue | undefined, column: string): string {
  return typeof value === 'string' ? value : unexpected(column);
}

export function asNumber(value: SQLOutputValue | undefined, column: string): number {
  return typeof value === 'number' ? value : unexpected(column);
}

function unexpected(column: string): never {
  throw new StorageFailure('corrupt', `The column ${column} does not hold what the schema promises.`);
}

/** Each step of `migrations` takes a database from one version to the next. */
export type Schema = {
  /** Distinguishes our databases from each other and from those of other programs. */
  readonly applicationId: number;
  /** SQL, append-only: the version of a file is the number of steps applied to it. */
  readonly migrations: readonly string[];
  /** Functions of a text that migrations need and SQL lacks. */
  readonly functions?: Readonly<Record<string, (text: string) => number>>;
};

/** Call this before setting any pragma: even a change of the journal mode would write into a file that is not ours. */
export function refuseUnknownFormat(
  database: DatabaseSync,
  { applicationId, migrations }: Schema,
  file: string,
): void {
  const version = pragmaNumber(database, 'user_version');
  const owner = pragmaNumber(database, 'application_id');
  const isEmpty = version === 0 && pragmaNumber(database, 'schema_version') === 0;
  if (owner !== applicationId && !isEmpty) {
    throw new StorageFailure('foreign', `${file} is a database of another program; it was left alone.`);
  }
  if (version > migrations.length) {
    throw new StorageFailure(
      'unknown_format',
      `${file} was written by a newer version of Staywire (schema ${version}; this version knows up to ` +
        `${migrations.length}). Run that version, or restore a copy from before the upgrade.`,
    );
  }
}

/**
 * Runs all steps in one transaction: a crash leaves the old version, and the next start tries again. Returns true when it changed an older
 * file, which then needs a rewrite, because dropped data stays readable in its free pages.
 */
export function migrate(
  database: DatabaseSync,
  { applicationId, migrations, functions = {} }: Schema,
): boolean {
  if (pragmaNumber(database, 'user_version') === migrations.length) return false;
  for (const [name, compute] of Object.entries(functions)) {
    database.function(name, (text) => compute(String(text)));
  }
  return inTransaction(database, () => {
    // Read again: another process may have migrated while this one waited.
    const version = pragmaNumber(database, 'user_version');
    for (const step of migrations.slice(version)) database.exec(step);
    database.exec(`PRAGMA application_id = ${applicationId}`);
    database.exec(`PRAGMA user_version = ${migrations.length}`);
    return version > 0 && version < migrations.length;
  });
}
