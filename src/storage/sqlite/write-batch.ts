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
  | { readonly kind: 'deleted_quotes'; readonly quotes: number }
  /** How many free pages were given back; 0 when there is no surplus. */
  | { readonly kind: 'space'; readonly pages: number };

export type FailedWrite = {
  readonly kind: 'failed';
  /** Null for a fault of the program itself. */
  readonly cause: StorageFailureKind | null;
  readonly message: string;
};

export type ApplyWrite<Write> = (write: Write) => AppliedWrite;

/** For writes that also count something in memory, which has to be rolled back with them. */
export type AppliedWrites<Write> = {
  readonly apply: ApplyWrite<Write>;
  readonly transactionEnded: (isCommitted: boolean) => void;
};

/**
 * The whole batch in one transaction, with one wait for the disk. If anything in it fails, all of it is rolled back
 * and each write gets its own transaction, so that only the writes at fault are refused.
 */
export function writeBatch<Write>(
  database: DatabaseSync,
  applied: AppliedWrites<Write>,
  writes: readonly Write[],
): WriteOutcome[] {
  try {
    return transact(database, applied, writes);
  } catch (error) {
    const failed = failedWrite(error);
    return writes.length === 1 ? [failed] : writeOneByOne(database, applied, writes, failed);
  }
}

function writeOneByOne<Write>(
  database: DatabaseSync,
  applied: AppliedWrites<Write>,
  writes: readonly Write[],
  first: FailedWrite,
): WriteOutcome[] {
  let last = first;
  return writes.flatMap((write): WriteOutcome[] | WriteOutcome => {
    // The lock was waited for once already; waiting again for every write would hold up the whole queue.
    if (last.cause === 'busy') return last;
    try {
      return transact(database, applied, [write]);
    } catch (error) {
      last = failedWrite(error);
      return last;
    }
  });
}

function transact<Write>(
  database: DatabaseSync,
  { apply, transactionEnded }: AppliedWrites<Write>,
  writes: readonly Write[],
): WriteOutcome[] {
  let isCommitted = false;
  try {
    const outcomes = inTransaction(database, () => writes.map((write) => apply(write)));
    isCommitted = true;
    return outcomes;
  } finally {
    transactionEnded(isCommitted);
  }
}

export function failedWrite(error: unknown): FailedWrite {
  const failure = asStorageFailure(error);
  const cause = failure instanceof StorageFailure ? failure.kind : null;
  return { kind: 'failed', cause, message: failure instanceof Error ? failure.message : String(failure) };
}
