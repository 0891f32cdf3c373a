import { closeSync, existsSync, openSync, realpathSync, rmSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../clock.ts';

const BUSY = 5;

/**
 * Locks a file for this process until the returned function is called; null while another process, or another caller of this one, holds
 * the lock. It is an exclusive transaction on an empty database, which the operating system ends however the process ends.
 */
export function lockFile(file: string): (() => void) | null {
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return () => database.close();
  } catch (error) {
    database.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === BUSY) return null;
    throw error;
  }
}

export type LockWait = {
  readonly clock: Pick<Clock, 'elapsed' | 'after'>;
  readonly signal?: AbortSignal;
  /** How long to wait for the lock. */
  readonly maxWaitMs?: number;
};

const MAX_WAIT_MS = 10_000;
const RETRY_MS = 20;

/** Works on a file while no other command does. The lock is a file beside it. */
export async function whileLocked<Result>(
  path: string,
  { clock, signal, maxWaitMs = MAX_WAIT_MS }: LockWait,
  work: () => Result | Promise<Result>,
): Promise<Result> {
  const lock = `${realPathOf(path)}.lock`;
  const from = clock.elapsed();
  let release = lockTemporaryFile(lock);
  while (release === null) {
    if (clock.elapsed() - from >= maxWaitMs) {
      const fault = new Error(`${path} is being changed by another command, which holds ${lock}`);
      throw Object.assign(fault, { code: 'EINUSE' });
    }
    await new Promise<void>((resolve) => void clock.after(RETRY_MS, resolve));
    signal?.throwIfAborted();
    release = lockTemporaryFile(lock);
  }
  try {
    return await work();
  } finally {
    rmSync(lock, { force: true });
    release();
  }
}

/** The last holder may remove the file after it was opened here: then the lock is not of the file that others find. */
function lockTemporaryFile(file: string): (() => void) | null {
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600));
  const inode = inodeOf(file);
  const release = lockFile(file);
  if (release && inodeOf(file) === inode) return release;
  release?.();
  return null;
}

function inodeOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.ino;
}

/** Follows links, because changes go to their target. */
function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
