import { join } from 'node:path';
import { type Clock, systemClock } from '../../clock.ts';
import { ONE_NODE } from '../memory/one-node.ts';
import { createMemoryRateWindows } from '../memory/rate-windows.ts';
import type { Storage, StorageOptions } from '../storage.ts';
import { ACTIVITY_FILE, type ActivityTables, ownerStoreOver } from './activity-store.ts';
import { fileBytesIn, freeBytesAt, lockDirectory, prepareDirectory } from './data-directory.ts';
import { asStorageFailure, noteDamage, openCache, openRecords } from './database.ts';
import { createGroupCommit, type GroupCommit } from './group-commit.ts';
import { openSqliteInventory } from './inventory-store.ts';
import { ACTIVITY_SCHEMA, SESSION_SCHEMA } from './schema.ts';
import { createSqliteSessionStore, createSqliteUsedNonces } from './session-store.ts';
import type { SessionTables } from './session-tables.ts';
import { createSnapshotFile } from './snapshot-file.ts';
import { createWriteHealth } from './write-health.ts';
import { createWriter } from './writer.ts';

/** Creates the directory when it does not exist. One process at a time may use it. */
export type SqliteStorageOptions = StorageOptions & {
  /** Changes beyond this many that are not on disk yet are refused as `overloaded`. */
  readonly maxQueuedCalls?: number;
  readonly maxCachedSessions?: number;
  /** How long to wait for another program's lock on the database. */
  readonly lockTimeoutMs?: number;
  readonly clock?: Pick<Clock, 'now' | 'elapsed'>;
  /** For tests: the free space on the disk of the directory. */
  readonly freeBytes?: () => Promise<number>;
  /** For tests: the size beyond which a database is not checked for damage at the start. */
  readonly maxCheckedBytes?: number;
  /** For tests: the size in pages at which the disk counts as full. */
  readonly maxPages?: number;
};

export const SESSION_FILE = 'sessions.sqlite';

const ACTIVITY_LOSS =
  'What was counted is gone, and so are the password of the console, which operators were paused, and reported bookings';

/** Three databases with a thread each, so that a search step waits neither for counting nor for storing a catalogue of 100,000 properties. */
export async function openSqliteStorage({
  directory,
  rateRule,
  maxQueuedCalls,
  maxCachedSessions,
  lockTimeoutMs = 2_000,
  maxPages,
  maxCheckedBytes,
  freeBytes = () => freeBytesAt(directory),
  clock = systemClock,
  report = () => {},
}: SqliteStorageOptions): Promise<Storage> {
  prepareDirectory(directory);
  const closings: (() => void | Promise<void>)[] = [lockDirectory(directory)];
  const closeAll = async () => {
    for (const close of closings.splice(0).reverse()) await close();
  };
  const fileOf = (name: string) => ({ file: join(directory, name), lockTimeoutMs, maxPages });

  try {
    const sessionFile = fileOf(SESSION_FILE);
    const database = openRecords(sessionFile, SESSION_SCHEMA);
    const health = createWriteHealth({ probe: () => writes.call('probe', []), freeBytes, clock });
    const writes: GroupCommit<SessionTables> = createGroupCommit({
      writer: createWriter({ ...sessionFile, contents: 'sessions' }),
      onFailure: health.note,
      maxQueuedCalls,
    });
    const sessions = createSqliteSessionStore({
      ...{ database, writes, clock, maxCachedSessions },
      read: health.read,
    });
    closings.push(() => sessions.close());
    const usedNonces = health.read(() => createSqliteUsedNonces(database, writes, clock));
    // So that the first search does not wait for the thread to start.
    await writes.call('probe', []).catch(() => {});

    const inventory = openSqliteInventory({
      ...{ directory, report, maxQueuedCalls, lockTimeoutMs, maxPages, maxCheckedBytes },
    });
    closings.push(() => inventory.close());

    const activityFile = fileOf(ACTIVITY_FILE);
    openCache(activityFile, ACTIVITY_SCHEMA, report, ACTIVITY_LOSS, maxCheckedBytes).close();
    const activity = createGroupCommit<ActivityTables>({
      writer: createWriter({ ...activityFile, contents: 'activity' }),
      onFailure: (failure) => noteDamage(activityFile.file, failure),
    });
    closings.push(() => activity.close());

    return {
      sessions,
      ...ownerStoreOver(activity.call),
      inventory: inventory.store,
      // In memory: exact counts do not justify a wait for the disk on every request. A restart gives each caller a new window.
      rateWindows: createMemoryRateWindows(rateRule),
      ...ONE_NODE,
      usedNonces,
      snapshot: createSnapshotFile(directory, freeBytes),
      waiting: () => writes.waiting + inventory.waiting(),
      writeFault: () => health.fault(),
      checkWrites: () => health.check(),
      bytes: () => fileBytesIn(directory),
      readings: {},
      close: closeAll,
    };
  } catch (error) {
    await closeAll();
    throw asStorageFailure(error);
  }
}
