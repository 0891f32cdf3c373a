import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StorageFailure } from '../../sessions/storage-failure.ts';
import { createPrivately } from './data-directory.ts';
import { asStorageFailure } from './sqlite-failure.ts';

const LOCK_FILE = 'lock.sqlite';

/**
 * Keeps a second process out of a data directory: with two caches over one database, each would serve stale sessions.
 * The lock is an exclusive transaction on an empty database, which the operating system releases however the process
 * ends.
 */
export function lockDirectory(directory: string): () => void {
  const file = join(directory, LOCK_FILE);
  createPrivately(file);
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(file);
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock?.close();
    const failure = asStorageFailure(error);
    if (!(failure instanceof StorageFailure) || failure.kind !== 'busy') throw failure;
    throw new StorageFailure(
      'in_use',
      `Another process works on the data in ${directory}. Stop it first, or give this one a directory of its own.`,
      { cause: error },
    );
  }
  const held = lock;
  return () => held.close();
}

/** Whether another process has locked the directory. A directory without a store is made no other. */
export function isInUse(directory: string): boolean {
  if (!existsSync(join(directory, LOCK_FILE))) return false;
  try {
    lockDirectory(directory)();
    return false;
  } catch (error) {
    return error instanceof StorageFailure && error.kind === 'in_use';
  }
}
