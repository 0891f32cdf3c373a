import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { type ActivityTables, createActivityTables } from './activity-tables.ts';
import { asStorageFailure, type DatabaseOptions, openForWriting, type Schema } from './database.ts';
import { createVacuumStep } from './group-commit.ts';
import { corruptionMarkerOf, openCache, removeCompanions } from './open-database.ts';

export const ACTIVITY_FILE = 'activity.sqlite';

export const ACTIVITY_LOSS =
  'What was counted is gone, and so are the password of the console, which operators were paused, and reported bookings';

/** A power cut may lose the last seconds of these. The owner's decisions and bookings wait for the disk. */
const WITHOUT_DISK_WAIT: ReadonlySet<keyof ActivityTables> = new Set([
  'addCounts',
  'deleteCounts',
  'deleteOutcomes',
]);
const DELETIONS: ReadonlySet<keyof ActivityTables> = new Set(['deleteCounts', 'deleteOutcomes']);

type OpenedFile = {
  readonly database: DatabaseSync;
  readonly tables: ActivityTables;
  /** Its state after the last call of this process. */
  seen: SeenDatabase;
};

/**
 * The service's `activity.sqlite`: the first call opens it. It is opened again after damage, which moves the damaged file to quarantine, and
 * when the path leads to another file or none; both are reported. No failure lasts longer than its cause.
 */
export function createActivityFile(
  options: DatabaseOptions & { readonly maxCheckedBytes?: number | undefined },
  report: (warning: string) => void,
) {
  const marker = corruptionMarkerOf(options.file);
  let opened: OpenedFile | undefined;
  let lastWarning: string | undefined;

  /** Reports a repeated warning once: every call tries again to open the file, several times a second. */
  function reportOnce(warning: string): void {
    if (warning !== lastWarning) report(warning);
    lastWarning = warning;
  }

  function open(): OpenedFile {
    openCache(options, ACTIVITY_SCHEMA, reportOnce, {
      maxCheckedBytes: options.maxCheckedBytes,
      loss: ACTIVITY_LOSS,
    }).close();
    const database = openForWriting(options);
    // Commands and this process write little at a time, so a short log is enough.
    database.exec('PRAGMA wal_autocheckpoint = 1000');
    const tables = createActivityTables(database);
    lastWarning = undefined;
    return { database, tables, seen: seenAt(options.file) };
  }

  /** Closes a file that was moved or replaced: writes to it would be lost, and commands would use the other one. */
  function closeIfReplaced({ seen }: OpenedFile): void {
    const { file, log, written } = seenAt(options.file);
    if (file === seen.file && log === seen.log && written === seen.written) return;
    close();
    if (file === seen.file) return;
    // SQLite would apply the old file's log to the new file.
    if (log === seen.log) removeCompanions(options.file);
    report(
      file === undefined
        ? `${options.file} was taken away while the service ran, and begins anew. ${ACTIVITY_LOSS}.`
        : `${options.file} was replaced while the service ran, which uses what is there now. What was counted until then is in the old one.`,
    );
  }

  function close(): void {
    const closing = opened;
    opened = undefined;
    closing?.database.close();
  }

  return {
    /** Waits for the disk. */
    call(name: keyof ActivityTables, args: readonly unknown[]): unknown {
      try {
        if (opened) closeIfReplaced(opened);
        opened ??= open();
        const { database, tables, seen } = opened;
        database.exec(`PRAGMA synchronous = ${WITHOUT_DISK_WAIT.has(name) ? 'NORMAL' : 'FULL'}`);
        const value: unknown = Reflect.apply(tables[name], undefined, args);
        if (DELETIONS.has(name) && value !== 0) createVacuumStep(database)();
        opened.seen = { ...seen, written: seenAt(options.file).written };
        return value;
      } catch (error) {
        const failure = asStorageFailure(error);
        marker.note(failure);
        if (marker.exists()) close();
        throw failure;
      }
    },
    close,
  };
}

/** The identity of the file at a path. A connection stays on the file that it has opened, even after another one has taken its path. */
type SeenDatabase = {
  /** Undefined when there is no file. */
  readonly file: string | undefined;
  /** The log beside it, which exists while a connection is open. */
  readonly log: string | undefined;
  /** Changes with every write to the file. */
  readonly written: string;
};

/** Without opening the file: closing it again would release the locks of this process's connection. */
function seenAt(path: string): SeenDatabase {
  const file = statSync(path, { bigint: true, throwIfNoEntry: false });
  const log = statSync(`${path}-wal`, { bigint: true, throwIfNoEntry: false });
  return {
    file: file && `${file.dev} ${file.ino}`,
    log: log && `${log.dev} ${log.ino}`,
    written: `${file?.size} ${file?.mtimeNs}`,
  };
}

export const ACTIVITY_SCHEMA: Schema = {
  applicationId: 0x5374_7741,
  migrations: [
    `
    -- By measure and then by hour: a report reads few measures of a span of hours. Numbers are REAL, like those of the program, so that no sum is
    -- too large to be added to; SQLite stores whole ones as integers.
    CREATE TABLE activity_count (
      measure TEXT NOT NULL,
      hour INTEGER NOT NULL,
      brand TEXT NOT NULL,
      assistant TEXT NOT NULL,
      place TEXT NOT NULL,
      facet TEXT NOT NULL,
      reason TEXT NOT NULL,
      counted REAL NOT NULL,
      summed REAL NOT NULL,
      PRIMARY KEY (measure, hour, brand, assistant, place, facet, reason)
    ) STRICT, WITHOUT ROWID;

    -- Batches that were added, so that none is added twice.
    CREATE TABLE activity_batch (id TEXT PRIMARY KEY, sent_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    CREATE INDEX activity_batch_by_time ON activity_batch (sent_at);

    -- Names these counts among those of other stores, for whoever moves them.
    CREATE TABLE activity_source (id TEXT NOT NULL) STRICT;
    INSERT INTO activity_source (id) VALUES (lower(hex(randomblob(16))));

    CREATE TABLE brand_control (
      brand TEXT PRIMARY KEY,
      paused_at INTEGER,
      reading_requested_at INTEGER
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE booking_outcome (
      brand TEXT NOT NULL,
      reference TEXT NOT NULL,
      nxq TEXT,
      status TEXT NOT NULL,
      booked_at INTEGER NOT NULL,
      amount REAL NOT NULL,
      currency TEXT NOT NULL,
      reported_at INTEGER NOT NULL,
      -- When the operator's system told of it; NULL for one that came in a file.
      collected_at INTEGER,
      -- What the ledger said of its quote, as JSON.
      quote TEXT,
      PRIMARY KEY (brand, reference)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX booking_outcome_by_time ON booking_outcome (booked_at);
    CREATE INDEX booking_outcome_by_quote ON booking_outcome (nxq, brand, booked_at) WHERE nxq IS NOT NULL;
    CREATE INDEX booking_outcome_by_collection ON booking_outcome (brand, collected_at);

    CREATE TABLE owner_setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
    `,
    `
    -- A JSON object: by the reference of a home, when the owner last confirmed what its feeds had lost.
    ALTER TABLE brand_control ADD COLUMN confirmed_losses TEXT NOT NULL DEFAULT '{}';
    `,
  ],
};
