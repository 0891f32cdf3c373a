import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { ACTIVITY_SCHEMA } from './activity-schema.ts';
import { type ActivityTables, createActivityTables } from './activity-tables.ts';
import { suspicionOf } from './corruption-marker.ts';
import { type DatabaseOptions, openForWriting } from './database.ts';
import { openCache } from './open-database.ts';
import { removeCompanions } from './quarantine.ts';
import { asStorageFailure } from './sqlite-failure.ts';
import { givingBackIn } from './vacuum.ts';

export const ACTIVITY_FILE = 'activity.sqlite';

export const WHAT_IS_LOST =
  'What was counted is gone, and so are the password of the console, which operators were paused, and reported bookings';

/** Carries out a call at once, and waits for the disk. */
export type ActivityFile = {
  call(name: keyof ActivityTables, args: readonly unknown[]): unknown;
  close(): void;
};

/** A power cut may take the last seconds of these; what the owner has decided, and what was booked, waits for the disk. */
const NEED_NOT_LAST: ReadonlySet<keyof ActivityTables> = new Set([
  'addCounts',
  'deleteCounts',
  'deleteOutcomes',
]);
const DELETIONS: ReadonlySet<keyof ActivityTables> = new Set(['deleteCounts', 'deleteOutcomes']);

type OpenedFile = {
  readonly database: DatabaseSync;
  readonly tables: ActivityTables;
  /** As this process has left it. */
  seen: SeenDatabase;
};

/**
 * `activity.sqlite` as the service has it: opened by the first call, and opened anew after damage, when what is damaged is set aside, and where
 * the path leads to another file, or to none; `report` is told. No failure lasts longer than its cause.
 */
export function createActivityFile(
  options: DatabaseOptions & { readonly maxCheckedBytes?: number | undefined },
  report: (warning: string) => void,
): ActivityFile {
  const suspicion = suspicionOf(options.file);
  let opened: OpenedFile | undefined;
  let lastWarning: string | undefined;

  /** A file that cannot be opened is tried again with each call, several times a second. */
  function reportOnce(warning: string): void {
    if (warning !== lastWarning) report(warning);
    lastWarning = warning;
  }

  function open(): OpenedFile {
    openCache(options, ACTIVITY_SCHEMA, reportOnce, {
      maxCheckedBytes: options.maxCheckedBytes,
      loss: WHAT_IS_LOST,
    }).close();
    const database = openForWriting(options);
    // Commands and this process write a little each: a short log is enough.
    database.exec('PRAGMA wal_autocheckpoint = 1000');
    const tables = createActivityTables(database);
    lastWarning = undefined;
    return { database, tables, seen: seenAt(options.file) };
  }

  /** What is written to a file that no path leads to is lost, and commands would read and write another one. */
  function noticeOthers({ seen }: OpenedFile): void {
    const { file, log, written } = seenAt(options.file);
    if (file === seen.file && log === seen.log && written === seen.written) return;
    close();
    if (file === seen.file) return;
    // A log that is still the old one would be taken for the new file's.
    if (log === seen.log) removeCompanions(options.file);
    report(
      file === undefined
        ? `${options.file} was taken away while the service ran, and begins anew. ${WHAT_IS_LOST}.`
        : `${options.file} was replaced while the service ran, which uses what is there now. What was counted until then is in the old one.`,
    );
  }

  function close(): void {
    const closing = opened;
    opened = undefined;
    closing?.database.close();
  }

  return {
    call(name, args) {
      try {
        if (opened) noticeOthers(opened);
        opened ??= open();
        const { database, tables, seen } = opened;
        database.exec(`PRAGMA synchronous = ${NEED_NOT_LAST.has(name) ? 'NORMAL' : 'FULL'}`);
        const value: unknown = Reflect.apply(tables[name], undefined, args);
        if (DELETIONS.has(name) && value !== 0) givingBackIn(database)();
        opened.seen = { ...seen, written: seenAt(options.file).written };
        return value;
      } catch (error) {
        const failure = asStorageFailure(error);
        suspicion.note(failure);
        if (suspicion.exists()) close();
        throw failure;
      }
    },
    close,
  };
}

/** What a path leads to. A connection keeps the file that it has opened, also when another one is at its path by now. */
type SeenDatabase = {
  /** Undefined where nothing is there. */
  readonly file: string | undefined;
  /** The log beside it, which is there as long as a connection is open. */
  readonly log: string | undefined;
  /** Other than before when somebody has written to the file. */
  readonly written: string;
};

/** By its name alone: a file that is opened and closed beside a connection of the same process takes the locks of that connection away. */
function seenAt(path: string): SeenDatabase {
  const file = statSync(path, { bigint: true, throwIfNoEntry: false });
  const log = statSync(`${path}-wal`, { bigint: true, throwIfNoEntry: false });
  return {
    file: file && `${file.dev} ${file.ino}`,
    log: log && `${log.dev} ${log.ino}`,
    written: `${file?.size} ${file?.mtimeNs}`,
  };
}
