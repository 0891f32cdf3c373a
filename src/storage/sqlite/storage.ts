import { join } from 'node:path';
import { type Clock, systemClock } from '../../clock.ts';
import { EVERY_BRAND, NO_CHANGES, NO_DECLINES } from '../memory/one-node.ts';
import { createMemoryRateWindows } from '../memory/rate-windows.ts';
import type { Storage, StorageOptions } from '../storage.ts';
import { ACTIVITY_FILE } from './activity-file.ts';
import { openActivityThread } from './activity-thread.ts';
import { fileBytesIn, freeBytesAt, lockDirectory, prepareDirectory } from './data-directory.ts';
import { asStorageFailure } from './database.ts';
import { createGroupCommit, createWriteHealth, type GroupCommit, QUEUE_LIMITS } from './group-commit.ts';
import { openSqliteInventory } from './inventory-store.ts';
import { openRecords } from './open-database.ts';
import { SESSION_SCHEMA } from './session-schema.ts';
import { createSessionReads, createSqliteSessionStore } from './session-store.ts';
import { bodiesOfSessionWrite, type SessionWrite } from './session-writes.ts';
import { createSnapshotFile } from './snapshot-file.ts';
import { createSqliteUsedNonces } from './used-nonces.ts';
import { createWriter } from './writer.ts';

/** Creates the directory when it does not exist. One process at a time may use it. */
export type SqliteStorageOptions = StorageOptions & {
  /** Changes beyond this many that are not on disk yet are refused as `overloaded`. */
  readonly maxQueuedWrites?: number;
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

/** Three databases with a thread each, so that a search step waits neither for counting nor for storing a catalogue of 100,000 properties. */
export async function openSqliteStorage({
  directory,
  rateRule,
  maxQueuedWrites = QUEUE_LIMITS.maxQueuedWrites,
  maxCachedSessions = 20_000,
  lockTimeoutMs = 2_000,
  maxPages,
  maxCheckedBytes,
  freeBytes = () => freeBytesAt(directory),
  clock = systemClock,
  report = () => {},
}: SqliteStorageOptions): Promise<Storage> {
  const limits = { ...QUEUE_LIMITS, maxQueuedWrites };
  prepareDirectory(directory);
  const closings: (() => void | Promise<void>)[] = [lockDirectory(directory)];
  const closeAll = async () => {
    for (const close of closings.splice(0).reverse()) await close();
  };

  try {
    const sessionFile = { file: join(directory, SESSION_FILE), lockTimeoutMs, maxPages };
    const sessionReads = openRecords(sessionFile, SESSION_SCHEMA, report, maxCheckedBytes);
    const health = createWriteHealth({
      probe: () => sessionWrites.submit({ kind: 'probe' }, () => undefined),
      freeBytes,
      clock,
    });
    const sessionWriter = health.watch(createWriter<SessionWrite>({ ...sessionFile, contents: 'sessions' }));
    const sessionWrites: GroupCommit<SessionWrite> = createGroupCommit({
      writer: sessionWriter,
      bodiesOf: bodiesOfSessionWrite,
      ...limits,
    });
    const sessions = createSqliteSessionStore({
      reads: createSessionReads(sessionReads, health.read),
      writes: sessionWrites,
      maxCachedSessions,
      closeReads: () => sessionReads.close(),
      clock,
    });
    closings.push(() => sessions.close());
    // An empty batch, so that the first search does not wait for the thread to start.
    await sessionWriter.write([], []);

    const inventory = openSqliteInventory({
      directory,
      report,
      ...limits,
      lockTimeoutMs,
      maxPages,
      maxCheckedBytes,
    });
    closings.push(() => inventory.close());

    const activityFile = { file: join(directory, ACTIVITY_FILE), lockTimeoutMs, maxPages, maxCheckedBytes };
    const { close: closeActivity, ...ownerStore } = openActivityThread(activityFile, report);
    closings.push(closeActivity);

    return {
      sessions,
      ...ownerStore,
      inventory: inventory.store,
      // In memory: exact counts do not justify a wait for the disk on every request. A restart gives each caller a new window.
      rateWindows: createMemoryRateWindows(rateRule),
      openings: null,
      changes: NO_CHANGES,
      leases: EVERY_BRAND,
      declineChannel: NO_DECLINES,
      operatorLimits: null,
      searchPlaces: null,
      usedNonces: health.read(() =>
        createSqliteUsedNonces({ reads: sessionReads, writes: sessionWrites, clock }),
      ),
      snapshot: createSnapshotFile(directory, { freeBytes }),
      waiting: () => sessionWrites.waiting + inventory.waiting(),
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
