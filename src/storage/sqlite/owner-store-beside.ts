import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { IssuedQuote, QuoteQuestion } from '../../sessions/quote-ledger.ts';
import { StorageFailure } from '../../sessions/storage-failure.ts';
import type { OpenedOwnerStore } from '../owner-store.ts';
import { ACTIVITY_FILE } from './activity-file.ts';
import { ACTIVITY_SCHEMA } from './activity-schema.ts';
import { type ActivityTables, createActivityTables, ownerStoreOver } from './activity-tables.ts';
import { createPrivately, prepareDirectory } from './data-directory.ts';
import { openWith, pragmaNumber, prepareForWriting } from './database.ts';
import { migrate, refuseUnknownFormat } from './migrate.ts';
import { foundQuotesIn } from './session-reads.ts';
import { withStorageFailures } from './sqlite-failure.ts';
import { SESSION_FILE } from './storage.ts';

/** A service that writes a large batch holds the lock for a moment. */
const LOCK_TIMEOUT_MS = 5_000;

/** A password can be set before the first start, so that there is no store yet is no fault. */
const BEFORE_A_START: ReadonlySet<keyof ActivityTables> = new Set(['setting', 'setSetting']);

const WRITES: ReadonlySet<keyof ActivityTables> = new Set([
  'addCounts',
  'deleteCounts',
  'putOutcomes',
  'deleteOutcomes',
  'setPaused',
  'requestReading',
  'confirmLosses',
  'setSetting',
]);

type OpenedTables = {
  readonly database: DatabaseSync;
  readonly tables: ActivityTables;
  readonly isWritable: boolean;
};

/**
 * The same data as a service on the folder has, also while it runs: nothing is locked for longer than a change takes. Reading makes no file,
 * and a damaged one is left for the service to set aside.
 */
export function openSqliteOwnerStoreBeside(directory: string): OpenedOwnerStore {
  const file = join(directory, ACTIVITY_FILE);
  let opened: OpenedTables | undefined;

  function tablesFor(isWrite: boolean): ActivityTables {
    if (opened && (opened.isWritable || !isWrite)) return opened.tables;
    // Closed before it is opened anew, which may fail: what is closed must not be used or closed again.
    close();
    opened = isWrite || existsSync(file) ? openFile(directory, file) : openNothing();
    return opened.tables;
  }

  function close(): void {
    const closing = opened;
    opened = undefined;
    closing?.database.close();
  }

  const store = ownerStoreOver(async (name, args) => {
    if (!BEFORE_A_START.has(name)) refuseWithoutStore(directory);
    const given = await Promise.resolve<readonly unknown[]>(args);
    return withStorageFailures(() => Reflect.apply(tablesFor(WRITES.has(name))[name], undefined, given));
  });
  return {
    ...store,
    ledger: {
      async findQuotes(question, limit) {
        refuseWithoutStore(directory);
        return withStorageFailures(() => foundIn(join(directory, SESSION_FILE), question, limit));
      },
    },
    close: async () => close(),
  };
}

/** A folder that was mistaken for that of the service would seem to be one in which nothing happened, and get a file that nobody reads. */
function refuseWithoutStore(directory: string): void {
  if (hasStore(directory)) return;
  // The demo keeps the files of its operators in a folder of that of the service.
  const meant = [resolve(directory, '..'), join(directory, 'data')].find(hasStore);
  const advice = meant
    ? `It is in ${meant}: name that folder`
    : 'The service makes it when it is started, in the folder data of where that is done unless set otherwise: name its folder';
  throw new StorageFailure(
    'input_output',
    `There is no data of a service in ${directory}. ${advice} with --data or STAYWIRE_DATA_DIR.`,
  );
}

function hasStore(directory: string): boolean {
  return [SESSION_FILE, ACTIVITY_FILE].some((name) => existsSync(join(directory, name)));
}

function openFile(directory: string, file: string): OpenedTables {
  if (!existsSync(file)) prepareDirectory(directory);
  createPrivately(file);
  const options = { file, lockTimeoutMs: LOCK_TIMEOUT_MS };
  const database = openWith(options, (connection) => {
    refuseUnknownFormat(connection, ACTIVITY_SCHEMA, file);
    const version = pragmaNumber(connection, 'user_version');
    if (version > 0 && version < ACTIVITY_SCHEMA.migrations.length) {
      const message = `${file} was written by an earlier version of Staywire. Start the service of this one first: it brings the file up to date.`;
      throw new StorageFailure('unknown_format', message);
    }
    prepareForWriting(connection, options);
    migrate(connection, ACTIVITY_SCHEMA);
  });
  return { database, tables: createActivityTables(database), isWritable: true };
}

/** What a service that has not counted anything yet would answer. */
function openNothing(): OpenedTables {
  const database = new DatabaseSync(':memory:');
  migrate(database, ACTIVITY_SCHEMA);
  return { database, tables: createActivityTables(database), isWritable: false };
}

function foundIn(file: string, question: QuoteQuestion, limit: number): readonly IssuedQuote[] {
  if (!existsSync(file)) return [];
  const database = new DatabaseSync(file, { readOnly: true, timeout: LOCK_TIMEOUT_MS });
  try {
    const hasLedger = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'issued_quote'").get();
    return hasLedger ? foundQuotesIn(database)(question, limit) : [];
  } finally {
    database.close();
  }
}
