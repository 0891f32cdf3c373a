import type { DatabaseSync } from 'node:sqlite';
import { StorageFailure, type StorageFailureKind } from '../../sessions/storage-failure.ts';
import { inTransaction } from './database.ts';
import { asStorageFailure } from './sqlite-failure.ts';

/** Plain data, because it crosses threads. */
export type WriteOutcome = AppliedWrite | FailedWrite;

export type AppliedWrite =
  | { readonly kind: 'written' }
  | { readonly kind: 'conflict' }
  | { readonly kind: 'over_quota'; readonly until: number }
  /** The sessions that were deleted, or lost their bodies. */
  | { readonly kind: 'deleted'; readonly sessions: readonly string[] }
  /** How many free pages were given back; 0 when there is no surplus. */
  | { readonly kind: 'space'; readonly pages: number };

export type FailedWrite = {
  readonly kind: 'failed';
  /** Null for a fault of the program itself. */
  readonly cause: StorageFailureKind | null;
  readonly message: string;
};

export type ApplyWrite<Write> = (write: Write) => AppliedWrite;

/**
 * The whole batch in one transaction, with one wait for the disk. If anything in it fails, all of it is rolled back
 * and each write gets its own transaction, so that only the writes at fault are refused.
 */
export function writeBatch<Write>(
  database: DatabaseSync,
  apply: ApplyWrite<Write>,
  writes: readonly Write[],
): WriteOutcome[] {
  try {
    return inTransaction(database, () => writes.map((write) => apply(write)));
  } catch (error) {
    const failed = failedWrite(error);
    return writes.length === 1 ? [failed] : writeOneByOne(database, apply, writes, failed);
  }
}

function writeOneByOne<Write>(
  database: DatabaseSync,
  apply: ApplyWrite<Write>,
  writes: readonly Write[],
  first: FailedWrite,
): WriteOutcome[] {
  let last = first;
  return writes.map((write) => {
    // The lock was waited for once already; waiting again for every write would hold up the whole queue.
    if (last.cause === 'busy') return last;
    try {
      return inTransaction(database, () => apply(write));
    } catch (error) {
      last = failedWrite(error);
      return last;
    }
  });
}

export function failedWrite(error: unknown): FailedWrite {
  const failure = asStorageFailure(error);
  const cause = failure instanceof StorageFailure ? failure.kind : null;
  return { kind: 'failed', cause, message: failure instanceof Error ? failure.message : String(failure) };
}
