import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { InventoryStore } from '../../inventory/inventory-store.ts';
import type { QuoteLedger } from '../../sessions/quote-ledger.ts';
import type { SessionStore } from '../../sessions/session-store.ts';
import { type DatabaseOptions, openForReading, openWith, prepareForWriting } from './database.ts';
import { lockDirectory } from './directory-lock.ts';
import { createGroupCommit } from './group-commit.ts';
import { INVENTORY_SCHEMA } from './inventory-schema.ts';
import { createSqliteInventoryStore } from './inventory-store.ts';
import type { InventoryWrite } from './inventory-writes.ts';
import { migrate, refuseUnknownFormat, type Schema } from './migrations.ts';
import { createSessionCache } from './session-cache.ts';
import { createSessionReads } from './session-reads.ts';
import { SESSION_SCHEMA } from './session-schema.ts';
import { createSqliteSessionStore } from './session-store.ts';
import type { SessionWrite } from './session-writes.ts';
import { asStorageFailure } from './sqlite-failure.ts';
import { createWriter } from './writer.ts';

export type SqliteStorageOptions = {
  /** Made when it does not exist. One process at a time works on it. */
  readonly directory: string;
  /** Changes that may wait for the disk before more are refused as `overloaded`. */
  readonly maxWaiting?: number;
  readonly cachedSessions?: number;
  readonly cachedResultBytes?: number;
  /** How long another program's lock on the database is waited for. */
  readonly busyMs?: number;
  /** For tests: the size in pages at which the disk counts as full. */
  readonly maxPages?: number;
};

export type SqliteStorage = {
  readonly sessions: SessionStore & QuoteLedger;
  readonly inventory: InventoryStore;
  /** How many changes wait for the disk. */
  waiting(): number;
  close(): Promise<void>;
};

const MAX_WAITING_BYTES = 256 * 1024 * 1024;

/** Two databases with a writer each: a catalogue of a hundred thousand properties never makes a search step wait. */
export async function openSqliteStorage({
  directory,
  maxWaiting = 10_000,
  cachedSessions = 20_000,
  cachedResultBytes = 128 * 1024 * 1024,
  busyMs = 2_000,
  maxPages,
}: SqliteStorageOptions): Promise<SqliteStorage> {
  const limits = { maxWaiting, maxWaitingBytes: MAX_WAITING_BYTES };
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const closings: (() => void | Promise<void>)[] = [lockDirectory(directory)];
  const closeAll = async () => {
    for (const close of closings.splice(0).reverse()) await close();
  };

  try {
    const sessionFile = { file: join(directory, 'sessions.sqlite'), busyMs, maxPages };
    const sessionReads = openMigrated(sessionFile, SESSION_SCHEMA);
    const sessionWriter = createWriter<SessionWrite>({ ...sessionFile, room: 'sessions' });
    const sessionWrites = createGroupCommit({ writer: sessionWriter, ...limits });
    const sessions = createSqliteSessionStore({
      reads: createSessionReads(sessionReads),
      writes: sessionWrites,
      cache: createSessionCache({ maxSessions: cachedSessions, maxResultBytes: cachedResultBytes }),
      closeReads: () => sessionReads.close(),
    });
    closings.push(() => sessions.close());
    // An empty batch, so that the first search does not wait for the thread to start.
    await sessionWriter.write([], new ArrayBuffer(0));

    const inventoryFile = { file: join(directory, 'inventory.sqlite'), busyMs, maxPages };
    const inventoryReads = openMigrated(inventoryFile, INVENTORY_SCHEMA);
    const inventoryWrites = createGroupCommit({
      writer: createWriter<InventoryWrite>({ ...inventoryFile, room: 'inventory' }),
      ...limits,
    });
    closings.push(() => inventoryWrites.close());
    closings.push(() => inventoryReads.close());

    return {
      sessions,
      inventory: createSqliteInventoryStore({ database: inventoryReads, writes: inventoryWrites }),
      waiting: () => sessionWrites.waiting + inventoryWrites.waiting,
      close: closeAll,
    };
  } catch (error) {
    await closeAll();
    throw asStorageFailure(error);
  }
}

function openMigrated(options: DatabaseOptions, schema: Schema): DatabaseSync {
  // A writing connection from the start: only such a one can undo what a crash has left half done.
  const database = openWith(options, (opened) => {
    refuseUnknownFormat(opened, schema, options.file);
    prepareForWriting(opened, options);
    migrate(opened, schema);
  });
  database.close();
  return openForReading(options.file);
}
