import { readlinkSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Clock } from '../clock.ts';

const HOLDER = /^(?<host>.*):(?<process>\d+)$/;

/** Somebody else works on the file, and has not come to an end. */
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
  /** How long to wait for whoever has the lock. */
  readonly maxWaitMs?: number;
};

const MAX_WAIT_MS = 10_000;
const RETRY_MS = 20;
/** Locks that this process holds: another of its number has died, where numbers come again after a restart. */
const held = new Set<string>();

/**
 * Does something to a file while no other command does. The lock is a link beside the file that leads nowhere: it is made at once, and its text
 * says whose it is. One whose process is gone is taken away.
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
 * Of several that find the same lock left behind, one takes it away, and only after another look: the others could otherwise remove the lock of
 * whoever comes next. Whoever dies in between leaves a lock that a person has to remove.
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

/** `host:process`; undefined when the lock is gone by now. */
function holderOf(lock: string): string | undefined {
  try {
    return readlinkSync(lock);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    // A file of that name is somebody's; nobody knows whose.
    if (codeOf(error) === 'EINVAL') return 'unknown';
    throw error;
  }
}

/** Nobody can tell that of a process on another machine. */
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

/** What a link leads to is what is changed. */
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
