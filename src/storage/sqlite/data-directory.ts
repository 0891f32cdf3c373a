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
import { StorageFailure } from '../../sessions/storage-failure.ts';

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
const PERMISSIONS = 0o777;
/** Set on folders such as /tmp that many users share. */
const STICKY = 0o1000;
/** Databases, their logs and journals, what was set aside, the snapshot of the index, the queue of the ledger, and the secret of the cluster. Other files in the folder are not the store's to touch. */
const STORE_FILE =
  /^(?:(?:sessions|inventory|activity|lock)\.sqlite|index\.snapshot|ledger\.\d+\.queue|cluster\.secret)/;

/** Makes the folder, and makes it and the store's files in it readable by their owner alone, whatever they were before. */
export function prepareDirectory(directory: string): void {
  withDirectoryFaults(directory, () => {
    makeFolder(resolve(directory));
    if ((statSync(directory).mode & STICKY) !== 0) {
      throw new StorageFailure('input_output', `${directory} is shared by all users of this machine.`);
    }
    // A folder may be reached by a link, such as to a larger disk: its owner has named it.
    setMode(realpathSync(directory), FOLDER_MODE);
    for (const name of readdirSync(directory)) {
      if (STORE_FILE.test(name)) setMode(join(directory, name), FILE_MODE);
    }
  });
}

/**
 * SQLite gives the files beside a database the mode of the database, so it is enough to create that one. A link is refused: whoever put it
 * there would have the service write to another file.
 */
export function createPrivately(file: string): void {
  withDirectoryFaults(file, () => {
    // Never opened when it exists: closing it would release the locks that this process holds on it.
    const there = lstatSync(file, { throwIfNoEntry: false });
    if (!there) closeSync(openSync(file, 'wx', FILE_MODE));
    else if (there.isSymbolicLink()) throw new Error('it is a link to another place');
    else if (there.isDirectory()) throw new Error('it is a folder');
    setMode(file, FILE_MODE);
  });
}

/** Not `recursive`: where a folder cannot be made although its parent exists, as in /proc, Node would try for ever. */
function makeFolder(directory: string): void {
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory()) return;
  const parent = dirname(directory);
  if (!existsSync(parent)) makeFolder(parent);
  mkdirSync(directory, { mode: FOLDER_MODE });
}

/** Of the store's files. */
export function fileBytesIn(directory: string): number {
  const sizes = readdirSync(directory)
    .filter((name) => STORE_FILE.test(name))
    .map((name) => statSync(join(directory, name), { throwIfNoEntry: false })?.size ?? 0);
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** What is left on its disk for this user. */
export async function freeBytesAt(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize;
}

function setMode(path: string, mode: number): void {
  const current = lstatSync(path, { throwIfNoEntry: false });
  // A log may be deleted by the process that has the folder open. What a link leads to is somebody else's.
  if (!current || current.isSymbolicLink() || (current.mode & PERMISSIONS) === mode) return;
  chmodSync(path, mode);
}

function withDirectoryFaults(path: string, work: () => void): void {
  try {
    work();
  } catch (cause) {
    if (cause instanceof StorageFailure || !(cause instanceof Error)) throw cause;
    const code = 'code' in cause ? cause.code : undefined;
    const kind = code === 'ENOSPC' || code === 'EDQUOT' ? 'full' : 'input_output';
    throw new StorageFailure(kind, `There can be no data in ${path}: ${cause.message}.`, { cause });
  }
}
