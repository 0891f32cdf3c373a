import type { DatabaseSync } from 'node:sqlite';
import { ACTIVITY_SCHEMA } from './activity-schema.ts';
import { type ActivityTables, createActivityTables } from './activity-tables.ts';
import { type DatabaseOptions, openForWriting } from './database.ts';
import { givingBackIn } from './give-back-space.ts';
import { openCache } from './open-database.ts';
import { asStorageFailure } from './sqlite-failure.ts';
import { suspicionOf } from './suspicion.ts';

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

/**
 * `activity.sqlite` as the service has it: opened by the first call, and after damage opened anew, when what is damaged is set aside and
 * `report` is told. No failure lasts longer than its cause.
 */
export function createActivityFile(
  options: DatabaseOptions & { readonly maxCheckedBytes?: number | undefined },
  report: (warning: string) => void,
): ActivityFile {
  const suspicion = suspicionOf(options.file);
  let opened: { readonly database: DatabaseSync; readonly tables: ActivityTables } | undefined;

  function open() {
    openCache(options, ACTIVITY_SCHEMA, report, {
      maxCheckedBytes: options.maxCheckedBytes,
      loss: WHAT_IS_LOST,
    }).close();
    const database = openForWriting(options);
    // Commands and this process write a little each: a short log is enough.
    database.exec('PRAGMA wal_autocheckpoint = 1000');
    return { database, tables: createActivityTables(database) };
  }

  function close(): void {
    const closing = opened;
    opened = undefined;
    closing?.database.close();
  }

  return {
    call(name, args) {
      try {
        opened ??= open();
        const { database, tables } = opened;
        database.exec(`PRAGMA synchronous = ${NEED_NOT_LAST.has(name) ? 'NORMAL' : 'FULL'}`);
        const value: unknown = Reflect.apply(tables[name], undefined, args);
        if (DELETIONS.has(name) && value !== 0) givingBackIn(database)();
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
