import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { IssuedQuote, QuoteQuestion } from '../../sessions/quote-ledger.ts';
import { StorageFailure } from '../../sessions/storage-failure.ts';
import type { OpenedOwnerStore } from '../storage.ts';
import { ACTIVITY_FILE, ACTIVITY_SCHEMA } from './activity-file.ts';
import { type ActivityTables, createActivityTables, ownerStoreOver } from './activity-tables.ts';
import { createPrivately, prepareDirectory } from './data-directory.ts';
import {
  migrate,
  openWith,
  pragmaNumber,
  prepareForWriting,
  refuseUnknownFormat,
  withStorageFailures,
} from './database.ts';
import { foundQuotesIn } from './quote-ledger.ts';
import { SESSION_FILE } from './storage.ts';

/** The service may hold the lock for a moment while it writes a large batch. */
const LOCK_TIMEOUT_MS = 5_000;

/** Calls allowed without a store, because a password can be set before the first start. */
const WITHOUT_STORE: ReadonlySet<keyof ActivityTables> = new Set(['setting', 'setSetting']);

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
 * The owner's data of the service on this folder, also while it runs: locks last no longer than a change. Reads create no file, and a damaged
 * one is left for the service to quarantine.
 */
export function openSqliteOwnerStore(directory: string): OpenedOwnerStore {
  const file = join(directory, ACTIVITY_FILE);
  let opened: OpenedTables | undefined;

  function tablesFor(isWrite: boolean): ActivityTables {
    if (opened && (opened.isWritable || !isWrite)) return opened.tables;
    // Close first: opening may fail, and a closed connection must not be used or closed again.
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
    if (!WITHOUT_STORE.has(name)) refuseWithoutStore(directory);
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

/** Otherwise the wrong folder would look like a service without any activity, and get a file that no service reads. */
function refuseWithoutStore(directory: string): void {
  if (hasStore(directory)) return;
  // The demo stores the files of its operators in a subfolder of the service's folder.
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

/** An empty store, as of a service that has counted nothing yet. */
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
