import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import { StorageFailure, type StorageFailureKind } from '../../sessions/storage-failure.ts';
import { createPrivately } from './data-directory.ts';

export type DatabaseOptions = {
  readonly file: string;
  /** How long to wait for a lock of another program. */
  readonly lockTimeoutMs: number;
  /** For tests: the size in pages at which the disk counts as full. */
  readonly maxPages?: number | undefined;
};

export type Schema = {
  /** Distinguishes our databases from each other and from those of other programs. */
  readonly applicationId: number;
  readonly version: number;
  readonly create: string;
  /** SQL that brings an earlier version up to date; undefined for one that was never released. */
  upgrade(version: number): string | undefined;
};

/** A slow disk reads about this much in two seconds. Larger files report damage when a read meets it. */
const MAX_CHECKED_BYTES = 256 * 1024 ** 2;

/** Opens data that exists nowhere else, for reading: an unusable file stays as it is, and its owner decides. */
export function openRecords(options: DatabaseOptions, schema: Schema): DatabaseSync {
  try {
    return openChecked(options, schema, MAX_CHECKED_BYTES);
  } catch (error) {
    const failure = failureIn(options.file, error);
    if (!isKind(failure, 'corrupt')) throw failure;
    const message = `${failure.message} It was left alone, because it is the only record of the quotes that were issued. Restore a copy of it, or move it away to start with an empty one.`;
    throw new StorageFailure('corrupt', message, { cause: error });
  }
}

/**
 * Opens data that the service can do without or read again: renames an unusable file and reports it. `loss` says what the owner has lost
 * with it.
 */
export function openCache(
  options: DatabaseOptions,
  schema: Schema,
  report: (warning: string) => void,
  loss: string,
  maxCheckedBytes = MAX_CHECKED_BYTES,
): DatabaseSync {
  const { file } = options;
  const mark = `${file}.suspect`;
  try {
    const database = openChecked(
      options,
      schema,
      existsSync(mark) ? Number.POSITIVE_INFINITY : maxCheckedBytes,
    );
    rmSync(mark, { force: true });
    return database;
  } catch (error) {
    const failure = failureIn(file, error);
    if (!isKind(failure, 'corrupt') && !isKind(failure, 'foreign')) throw failure;
    const quarantined = `${file}.damaged-1`;
    if (existsSync(quarantined)) renameSync(quarantined, `${file}.damaged-2`);
    renameSync(file, quarantined);
    // These belong to the renamed file, and would damage its successor.
    for (const companion of ['-wal', '-shm', '-journal']) rmSync(`${file}${companion}`, { force: true });
    rmSync(mark, { force: true });
    report(`${failure.message} It was renamed to ${quarantined}. ${loss}.`);
    return openChecked(options, schema, 0);
  }
}

/** If a cache is damaged, makes the next start check all of it. Takes any failure. */
export function noteDamage(file: string, failure: unknown): void {
  if (!isKind(failure, 'corrupt')) return;
  try {
    writeFileSync(`${file}.suspect`, '', { mode: 0o600 });
  } catch {
    // A disk that cannot write the marker has reported worse already.
  }
}

function openChecked(options: DatabaseOptions, schema: Schema, maxCheckedBytes: number): DatabaseSync {
  createPrivately(options.file);
  // A writing connection first, because only that can roll back a transaction that a crash interrupted.
  openForWriting(options, schema, maxCheckedBytes).close();
  // Reads run on the event loop, so they give up early rather than wait for a lock.
  return new DatabaseSync(options.file, { readOnly: true, timeout: 50 });
}

/** With a schema, checks the file and brings it up to date. */
export function openForWriting(
  { file, lockTimeoutMs, maxPages }: DatabaseOptions,
  schema?: Schema,
  maxCheckedBytes = 0,
): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: lockTimeoutMs });
  try {
    if (schema) refuseUnknownFormat(database, schema, file);
    if (pragmaNumber(database, 'page_count') * pragmaNumber(database, 'page_size') <= maxCheckedBytes) {
      refuseDamage(database);
    }
    // Takes effect before the first write: every commit then gives pages that it has freed back to the disk.
    database.exec('PRAGMA auto_vacuum = FULL');
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
    if (schema) migrate(database, schema);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Call this before setting any pragma: even a change of the journal mode would write into a file that is not ours. */
function refuseUnknownFormat(database: DatabaseSync, schema: Schema, file: string): void {
  const version = pragmaNumber(database, 'user_version');
  if (version === 0 && pragmaNumber(database, 'schema_version') === 0) return;
  if (pragmaNumber(database, 'application_id') !== schema.applicationId) {
    throw new StorageFailure('foreign', `${file} is a database of another program; it was left alone.`);
  }
  if (version === schema.version || schema.upgrade(version) !== undefined) return;
  const whose =
    version > schema.version
      ? 'a newer version of Staywire. Run that version'
      : 'a version of Staywire between releases. Start it with that version';
  throw new StorageFailure(
    'unknown_format',
    `${file} was written by ${whose} (schema ${version}; this version has ${schema.version}), or restore a copy from before the upgrade.`,
  );
}

/** Reads every page: otherwise damage may go unnoticed until a later write. */
function refuseDamage(database: DatabaseSync): void {
  const found = database.prepare('PRAGMA quick_check(1)').get()?.quick_check;
  if (found === 'ok') return;
  throw new StorageFailure('corrupt', `The database is damaged: ${String(found).replaceAll(/\s+/g, ' ')}.`);
}

/** In one transaction: a crash leaves the old version, and the next start tries again. */
export function migrate(database: DatabaseSync, schema: Schema): void {
  const isUpgrade = inTransaction(database, () => {
    const version = pragmaNumber(database, 'user_version');
    if (version === schema.version) return false;
    database.exec(version === 0 ? schema.create : (schema.upgrade(version) ?? ''));
    database.exec(`PRAGMA application_id = ${schema.applicationId}`);
    database.exec(`PRAGMA user_version = ${schema.version}`);
    return version > 0;
  });
  // Otherwise dropped data stays readable in free pages.
  if (isUpgrade) database.exec('VACUUM');
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

function failureIn(file: string, error: unknown): unknown {
  const failure = asStorageFailure(error);
  if (!(failure instanceof StorageFailure) || failure.message.includes(file)) return failure;
  return new StorageFailure(failure.kind, `${file}: ${failure.message}`, { cause: error });
}

function isKind(failure: unknown, kind: StorageFailureKind): failure is StorageFailure {
  return failure instanceof StorageFailure && failure.kind === kind;
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
  const value = row[column];
  return typeof value === 'string' ? value : unexpected(column);
}

export function numberIn(row: SqliteRow, column: string): number {
  const value = row[column];
  return typeof value === 'number' ? value : unexpected(column);
}

export function bytesIn(row: SqliteRow, column: string): Uint8Array {
  const value = row[column];
  return value instanceof Uint8Array ? value : unexpected(column);
}

function unexpected(column: string): never {
  throw new StorageFailure('corrupt', `The column ${column} does not hold what the schema promises.`);
}
