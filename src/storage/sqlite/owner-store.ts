import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StorageFailure } from '../../sessions/storage-failure.ts';
import type { OpenedOwnerStore } from '../storage.ts';
import {
  ACTIVITY_FILE,
  type ActivityTables,
  createActivityTables,
  ownerStoreOver,
} from './activity-store.ts';
import { createPrivately, prepareDirectory } from './data-directory.ts';
import { bytesIn, inTransaction, migrate, openForWriting, withStorageFailures } from './database.ts';
import { INVENTORY_FILE } from './inventory-store.ts';
import { foundQuotesIn } from './quote-ledger.ts';
import { ACTIVITY_SCHEMA } from './schema.ts';
import { SESSION_FILE } from './storage.ts';
import { callOperation, type Operations } from './writer.ts';

/** The service may hold the lock for a moment while it writes a large batch. */
const LOCK_TIMEOUT_MS = 5_000;

/** Allowed without a store, because a password can be set before the first start. */
const WITHOUT_STORE: ReadonlySet<string> = new Set([
  'setting',
  'setSetting',
] satisfies (keyof ActivityTables)[]);

const CHANGES: ReadonlySet<string> = new Set([
  ...(['addCounts', 'deleteCounts', 'putOutcomes', 'deleteOutcomes'] as const),
  ...(['setPaused', 'requestReading', 'setSetting'] as const),
] satisfies (keyof ActivityTables)[]);

/**
 * The owner's data of the service on this folder, also while it runs: locks last no longer than a change. Reads create no file, and a damaged
 * one is left for the service to quarantine.
 */
export function openSqliteOwnerStore(directory: string): OpenedOwnerStore {
  const file = join(directory, ACTIVITY_FILE);
  let opened: { readonly database: DatabaseSync; readonly isWritable: boolean } | undefined;

  function close(): void {
    opened?.database.close();
    opened = undefined;
  }

  function databaseFor(isChange: boolean): DatabaseSync {
    if (opened && (opened.isWritable || !isChange)) return opened.database;
    close();
    const isWritable = isChange || existsSync(file);
    opened = { database: isWritable ? openActivity(directory, file) : emptyActivity(), isWritable };
    return opened.database;
  }

  const store = ownerStoreOver(async (name, args) => {
    if (!WITHOUT_STORE.has(name)) refuseWithoutStore(directory);
    return withStorageFailures(() => {
      const database = databaseFor(CHANGES.has(name));
      const tables: Operations = createActivityTables(database);
      const carryOut = () => callOperation(tables, { name, args });
      return CHANGES.has(name) ? inTransaction(database, carryOut) : carryOut();
    }) as never;
  });
  return {
    ...store,
    ledger: {
      async findQuotes(question, limit) {
        refuseWithoutStore(directory);
        const sessions = openIfThere(join(directory, SESSION_FILE));
        try {
          return withStorageFailures(() => (sessions ? foundQuotesIn(sessions)(question, limit) : []));
        } finally {
          sessions?.close();
        }
      },
    },
    close: async () => close(),
  };
}

/** Otherwise the wrong folder would look like a service without any activity, and get a file that no service reads. */
function refuseWithoutStore(directory: string): void {
  if ([SESSION_FILE, ACTIVITY_FILE].some((name) => existsSync(join(directory, name)))) return;
  throw new StorageFailure(
    'input_output',
    `There is no data of a service in ${directory}. The service makes it when it is started: name its folder with --data or STAYWIRE_DATA_DIR.`,
  );
}

function openActivity(directory: string, file: string): DatabaseSync {
  if (!existsSync(file)) prepareDirectory(directory);
  createPrivately(file);
  return openForWriting({ file, lockTimeoutMs: LOCK_TIMEOUT_MS }, ACTIVITY_SCHEMA);
}

/** As of a service that has counted nothing yet. */
function emptyActivity(): DatabaseSync {
  const database = new DatabaseSync(':memory:');
  migrate(database, ACTIVITY_SCHEMA);
  return database;
}

function openIfThere(file: string): DatabaseSync | undefined {
  return existsSync(file) ? new DatabaseSync(file, { readOnly: true, timeout: LOCK_TIMEOUT_MS }) : undefined;
}

/** The named documents of a store, read-only, also while a service works on it. A folder without a store has none. */
export function openStoredDocuments(directory: string) {
  const database = openIfThere(join(directory, INVENTORY_FILE));
  return {
    async document(name: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
      const row = database
        ?.prepare('SELECT CAST(content AS BLOB) AS content FROM document WHERE name = ?')
        .get(name);
      return row && new Uint8Array(bytesIn(row, 'content'));
    },
    async close(): Promise<void> {
      database?.close();
    },
  };
}
