import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { StorageFailure } from '../../sessions/storage-failure.ts';
import { suspicionOf } from './corruption-marker.ts';
import { createPrivately } from './data-directory.ts';
import {
  type DatabaseOptions,
  openForReading,
  openWith,
  pragmaNumber,
  prepareForWriting,
} from './database.ts';
import { migrate, refuseUnknownFormat, type Schema } from './migrate.ts';
import { setAside } from './quarantine.ts';
import { asStorageFailure } from './sqlite-failure.ts';

type ReportWarning = (warning: string) => void;

/** SQLite's number for `PRAGMA auto_vacuum = INCREMENTAL`. */
const INCREMENTAL = 2;
/** Rewriting takes about ten seconds a gigabyte, and nobody is served meanwhile. */
const MAX_REWRITTEN_BYTES = 2 * 1024 ** 3;
/** The ledger grows for ever, calendars of a million homes are gigabytes, and a slow disk reads about this much in two seconds. Later damage is told when it is met. */
const MAX_CHECKED_BYTES = 256 * 1024 ** 2;

/** For what exists nowhere else: a file that cannot be used stays as it is, and its owner decides. */
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

/** For what the service can do without, such as what can be read again: a file that cannot be used is set aside, and `report` is told. */
export function openCache(
  options: DatabaseOptions,
  schema: Schema,
  report: ReportWarning,
  {
    maxCheckedBytes = MAX_CHECKED_BYTES,
    loss,
  }: {
    readonly maxCheckedBytes?: number | undefined;
    /** What it means for the owner that the file is gone. */
    readonly loss: string;
  },
): DatabaseSync {
  const suspicion = suspicionOf(options.file);
  const checkedBytes = suspicion.exists() ? Number.POSITIVE_INFINITY : maxCheckedBytes;
  try {
    const database = openMigrated(options, schema, report, checkUpTo(checkedBytes));
    suspicion.clear();
    return database;
  } catch (error) {
    const failure = failureIn(options.file, error);
    if (!isKind(failure, 'corrupt') && !isKind(failure, 'foreign')) throw failure;
    const kept = setAside(options.file);
    suspicion.clear();
    report(`${failure.message} It was renamed to ${kept}. ${loss}.`);
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
    // A start that was interrupted leaves one, so it is no reason to stop; who lost a full one should know.
    report(`${options.file} was empty, and begins anew.`);
  }
  createPrivately(options.file);
  // A writing connection first: only such a one can roll back what a crash has left unfinished.
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

/** Once for a file of an earlier version: its space can be given back from then on. */
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

/** Reads every page: damage that is found only by a later write would stay until somebody notices. */
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
