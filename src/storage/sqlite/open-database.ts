import { existsSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { StorageFailure } from '../../sessions/storage-failure.ts';
import { createPrivately } from './data-directory.ts';
import {
  asStorageFailure,
  type DatabaseOptions,
  migrate,
  openForReading,
  openWith,
  pragmaNumber,
  prepareForWriting,
  refuseUnknownFormat,
  type Schema,
} from './database.ts';

type ReportWarning = (warning: string) => void;

/** SQLite's number for `PRAGMA auto_vacuum = INCREMENTAL`. */
const INCREMENTAL = 2;
/** Rewriting takes about ten seconds per gigabyte, during which the service is not up. */
const MAX_REWRITTEN_BYTES = 2 * 1024 ** 3;
/** A slow disk reads about this much in two seconds. Larger files, such as an old ledger or the calendars of a million homes, report damage when a read meets it. */
const MAX_CHECKED_BYTES = 256 * 1024 ** 2;

/** For data that exists nowhere else: an unusable file stays as it is, and its owner decides. */
export function openRecords(
  options: DatabaseOptions,
  schema: Schema,
  report: ReportWarning,
  maxCheckedBytes = MAX_CHECKED_BYTES,
): DatabaseSync {
  try {
    return openMigrated(options, schema, report, checkUpTo(maxCheckedBytes));
  } catch (error) {
    const failure = failureIn(options.file, error);
    if (!isKind(failure, 'corrupt')) throw failure;
    const message = `${failure.message} It was left alone, because it is the only record of the quotes that were issued. Restore a copy of it, or move it away to start with an empty one.`;
    throw new StorageFailure('corrupt', message, { cause: error });
  }
}

/** For data that the service can do without or read again: moves an unusable file to quarantine and reports it. */
export function openCache(
  options: DatabaseOptions,
  schema: Schema,
  report: ReportWarning,
  {
    maxCheckedBytes = MAX_CHECKED_BYTES,
    loss,
  }: {
    readonly maxCheckedBytes?: number | undefined;
    /** What the owner has lost with the file. */
    readonly loss: string;
  },
): DatabaseSync {
  const marker = corruptionMarkerOf(options.file);
  const checkedBytes = marker.exists() ? Number.POSITIVE_INFINITY : maxCheckedBytes;
  try {
    const database = openMigrated(options, schema, report, checkUpTo(checkedBytes));
    marker.clear();
    return database;
  } catch (error) {
    const failure = failureIn(options.file, error);
    if (!isKind(failure, 'corrupt') && !isKind(failure, 'foreign')) throw failure;
    const quarantined = quarantine(options.file);
    marker.clear();
    report(`${failure.message} It was renamed to ${quarantined}. ${loss}.`);
    return openMigrated(options, schema, report);
  }
}

function checkUpTo(maxBytes: number): (database: DatabaseSync) => void {
  return (database) => {
    if (bytesIn(database) <= maxBytes) refuseDamage(database);
  };
}

function openMigrated(
  options: DatabaseOptions,
  schema: Schema,
  report: ReportWarning,
  inspect: (database: DatabaseSync) => void = () => {},
): DatabaseSync {
  if (statSync(options.file, { throwIfNoEntry: false })?.size === 0) {
    // An interrupted start leaves an empty file, so this is no reason to stop; but the owner may have lost a full one.
    report(`${options.file} was empty, and begins anew.`);
  }
  createPrivately(options.file);
  // A writing connection first, because only that can roll back a transaction that a crash interrupted.
  const database = openWith(options, (opened) => {
    refuseUnknownFormat(opened, schema, options.file);
    inspect(opened);
    prepareForWriting(opened, options);
    const isChanged = migrate(opened, schema);
    if (isChanged || pragmaNumber(opened, 'auto_vacuum') !== INCREMENTAL)
      rewrite(opened, options.file, report);
  });
  database.close();
  return openForReading(options.file);
}

/** Runs once for a file of an earlier version; its free space can be given back from then on. */
function rewrite(database: DatabaseSync, file: string, report: ReportWarning): void {
  const pages = pragmaNumber(database, 'page_count') - pragmaNumber(database, 'freelist_count');
  const bytes = pages * pragmaNumber(database, 'page_size');
  try {
    if (bytes <= MAX_REWRITTEN_BYTES) return void database.exec('VACUUM');
    report(`${file} is too large to be rewritten at the start, so its free space is not given back.`);
  } catch (error) {
    const failure = asStorageFailure(error);
    if (!isKind(failure, 'full')) throw failure;
    report(`${file} could not be rewritten, so its free space is not given back. ${failure.message}`);
  }
}

function bytesIn(database: DatabaseSync): number {
  return pragmaNumber(database, 'page_count') * pragmaNumber(database, 'page_size');
}

/** Reads every page: otherwise damage may go unnoticed until a later write. */
function refuseDamage(database: DatabaseSync): void {
  const found = database.prepare('PRAGMA quick_check(1)').get()?.quick_check;
  if (found === 'ok') return;
  throw new StorageFailure('corrupt', `The database is damaged: ${String(found).replaceAll(/\s+/g, ' ')}.`);
}

function failureIn(file: string, error: unknown): unknown {
  const failure = asStorageFailure(error);
  if (!(failure instanceof StorageFailure) || failure.message.includes(file)) return failure;
  return new StorageFailure(failure.kind, `${file}: ${failure.message}`, { cause: error });
}

function isKind(failure: unknown, kind: StorageFailure['kind']): failure is StorageFailure {
  return failure instanceof StorageFailure && failure.kind === kind;
}

/** Marks a file as damaged, so that the next start checks it even if it is too large for a check at every start. */
type CorruptionMarker = {
  exists(): boolean;
  /** Takes any failure; only damage sets the marker. */
  note(failure: unknown): void;
  clear(): void;
};

const MODE = 0o600;

export function corruptionMarkerOf(file: string): CorruptionMarker {
  const mark = `${file}.suspect`;
  return {
    exists: () => existsSync(mark),
    note(failure) {
      if (!(failure instanceof StorageFailure) || failure.kind !== 'corrupt') return;
      try {
        writeFileSync(mark, '', { mode: MODE });
      } catch {
        // A disk that cannot write the marker has reported worse already.
      }
    },
    clear: () => rmSync(mark, { force: true }),
  };
}

const MAX_QUARANTINED = 2;
/** These belong to the quarantined file, and would damage its successor. */
const COMPANIONS = ['-wal', '-shm', '-journal'];

/** Renames an unusable file for inspection. Keeps the latest two, the newest as number 1. */
export function quarantine(file: string): string {
  for (let number = MAX_QUARANTINED - 1; number >= 1; number -= 1) {
    const older = `${file}.damaged-${number}`;
    if (existsSync(older)) renameSync(older, `${file}.damaged-${number + 1}`);
  }
  const quarantined = `${file}.damaged-1`;
  renameSync(file, quarantined);
  removeCompanions(file);
  return quarantined;
}

export function removeCompanions(file: string): void {
  for (const companion of COMPANIONS) rmSync(`${file}${companion}`, { force: true });
}
