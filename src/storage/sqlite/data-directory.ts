import {
  chmodSync,
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { lockFile } from '../../parsing/file-lock.ts';
import { StorageFailure } from '../../sessions/storage-failure.ts';

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
const PERMISSIONS = 0o777;
/** Set on folders such as /tmp that many users share. */
const STICKY = 0o1000;
const LOCK_FILE = 'lock.sqlite';
/** Databases, their logs and journals, quarantined files, the snapshot of the index, the outbox of the ledger and the secret of the cluster. The store does not touch other files. */
const STORE_FILE = /^(?:(?:sessions|inventory|activity|outbox|lock)\.sqlite|index\.snapshot|cluster\.secret)/;

/** Creates the folder, and makes it and the store's files in it accessible to their owner alone. */
export function prepareDirectory(directory: string): void {
  withDirectoryFaults(directory, () => {
    makeFolder(resolve(directory));
    if ((statSync(directory).mode & STICKY) !== 0) {
      throw new StorageFailure('input_output', `${directory} is shared by all users of this machine.`);
    }
    // The folder may be a link, such as to a larger disk, because its owner has named it.
    setMode(realpathSync(directory), FOLDER_MODE);
    for (const name of readdirSync(directory)) {
      if (STORE_FILE.test(name)) setMode(join(directory, name), FILE_MODE);
    }
  });
}

/**
 * SQLite gives the files beside a database the mode of the database, so creating that one is enough. Refuses a link, which could make the
 * service write to another file.
 */
export function createPrivately(file: string): void {
  withDirectoryFaults(file, () => {
    // Do not open an existing file: closing it would release the locks of this process on it.
    const there = lstatSync(file, { throwIfNoEntry: false });
    if (!there) closeSync(openSync(file, 'wx', FILE_MODE));
    else if (!there.isFile()) throw new Error('it is no regular file');
    setMode(file, FILE_MODE);
  });
}

/** Not `recursive`: if a folder cannot be created although its parent exists, as in /proc, Node tries for ever. */
function makeFolder(directory: string): void {
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory()) return;
  const parent = dirname(directory);
  if (!existsSync(parent)) makeFolder(parent);
  mkdirSync(directory, { mode: FOLDER_MODE });
}

/** The size of the store's files. */
export function fileBytesIn(directory: string): number {
  const sizes = readdirSync(directory)
    .filter((name) => STORE_FILE.test(name))
    .map((name) => statSync(join(directory, name), { throwIfNoEntry: false })?.size ?? 0);
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** The space on its disk that is left for this user. */
export async function freeBytesAt(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize;
}

function setMode(path: string, mode: number): void {
  const current = lstatSync(path, { throwIfNoEntry: false });
  // The process that uses the folder may have deleted a log by now. The target of a link may not be ours.
  if (!current || current.isSymbolicLink() || (current.mode & PERMISSIONS) === mode) return;
  chmodSync(path, mode);
}

function withDirectoryFaults<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (cause instanceof StorageFailure || !(cause instanceof Error)) throw cause;
    const code = 'code' in cause ? cause.code : undefined;
    const kind = code === 'ENOSPC' || code === 'EDQUOT' ? 'full' : 'input_output';
    throw new StorageFailure(kind, `There can be no data in ${path}: ${cause.message}.`, { cause });
  }
}

/** Keeps a second process out of a data directory: with two caches over one database, each would serve stale sessions. */
export function lockDirectory(directory: string): () => void {
  const file = join(directory, LOCK_FILE);
  createPrivately(file);
  const release = withDirectoryFaults(file, () => lockFile(file));
  if (release) return release;
  throw new StorageFailure(
    'in_use',
    `Another process works on the data in ${directory}. Stop it first, or give this one a directory of its own.`,
  );
}

/** Whether another process has locked the directory. Creates nothing in a directory without a store. */
export function isInUse(directory: string): boolean {
  const file = join(directory, LOCK_FILE);
  if (!existsSync(file)) return false;
  const release = lockFile(file);
  release?.();
  return release === null;
}
