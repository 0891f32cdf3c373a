import { readlinkSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Clock } from '../clock.ts';

const HOLDER = /^(?<host>.*):(?<process>\d+)$/;

/** Another process holds the lock of the file. */
export class FileInUse extends Error {
  readonly code = 'EINUSE';

  constructor(path: string, holder: string, lock: string) {
    const whose = holder.replace(HOLDER, 'process $<process> on $<host>');
    super(`${path} is being changed by another command (${whose}); its lock is ${lock}`);
    this.name = 'FileInUse';
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
/** Locks of this process. Another lock with its process number was left by a dead process, because numbers repeat after a restart. */
const held = new Set<string>();

/**
 * Works on a file while no other command does. The lock is a dangling link beside the file: it is created atomically, and its text names
 * the holder. Removes the lock of a process that has ended.
 */
export async function whileLocked<Result>(
  path: string,
  { clock, signal, maxWaitMs = MAX_WAIT_MS }: LockWait,
  work: () => Result | Promise<Result>,
): Promise<Result> {
  const lock = `${realPathOf(path)}.lock`;
  const from = clock.elapsed();
  while (!isMade(lock)) {
    const holder = holderOf(lock);
    if (holder === undefined) continue;
    if (isGone(holder, lock) && isTakenAway(lock, holder)) continue;
    if (clock.elapsed() - from >= maxWaitMs) throw new FileInUse(path, holder, lock);
    await new Promise<void>((resolve) => void clock.after(RETRY_MS, resolve));
    signal?.throwIfAborted();
  }
  held.add(lock);
  try {
    return await work();
  } finally {
    held.delete(lock);
    rmSync(lock, { force: true });
  }
}

/**
 * Of several processes that find the same stale lock, one removes it, after checking again: the others could otherwise remove the next
 * holder's lock. A process that dies in between leaves a lock that a person must remove.
 */
function isTakenAway(lock: string, holder: string): boolean {
  const turn = `${lock}.removal`;
  if (!isMade(turn)) return false;
  try {
    if (holderOf(lock) === holder) rmSync(lock, { force: true });
    return true;
  } finally {
    rmSync(turn, { force: true });
  }
}

function isMade(lock: string): boolean {
  try {
    symlinkSync(`${hostname()}:${process.pid}`, lock);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/** `host:process`; undefined when the lock no longer exists. */
function holderOf(lock: string): string | undefined {
  try {
    return readlinkSync(lock);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    // A regular file of that name has an unknown holder.
    if (codeOf(error) === 'EINVAL') return 'unknown';
    throw error;
  }
}

/** Only for processes on this machine: the state of others is unknown. */
function isGone(holder: string, lock: string): boolean {
  const [, host, number] = HOLDER.exec(holder) ?? [];
  if (host !== hostname()) return false;
  if (Number(number) === process.pid) return !held.has(lock);
  try {
    process.kill(Number(number), 0);
    return false;
  } catch (error) {
    return codeOf(error) === 'ESRCH';
  }
}

/** Follows links, because changes go to their target. */
function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
