import type { DatabaseSync } from 'node:sqlite';
import { StorageFailure, type StorageFailureKind } from '../../sessions/storage-failure.ts';
import { inTransaction } from './database.ts';
import { asStorageFailure } from './sqlite-failure.ts';

/** What became of one write; it crosses threads, so it is plain data. */
export type WriteOutcome =
  | 'written'
  | 'conflict'
  /** The ids of the sessions that were emptied or forgotten. */
  | { readonly forgotten: readonly string[] }
  | Fault;

/** `kind` is null for a fault of the program itself. */
export type Fault = {
  readonly fault: { readonly kind: StorageFailureKind | null; readonly message: string };
};

/** Applies one write inside a transaction; `memory` holds the bodies that the write points into. */
export type ApplyWrite<Write> = (write: Write, memory: Uint8Array) => Exclude<WriteOutcome, Fault>;

/**
 * One transaction, one wait for the disk, for the whole batch. When something in it fails, all of it is rolled
 * back and every write gets a transaction of its own: only what really cannot be written is refused, and its
 * neighbours are kept.
 */
export function writeBatch<Write>(
  database: DatabaseSync,
  apply: ApplyWrite<Write>,
  writes: readonly Write[],
  memory: Uint8Array,
): WriteOutcome[] {
  try {
    return inTransaction(database, () => writes.map((write) => apply(write, memory)));
  } catch (error) {
    const fault = faultOf(error);
    if (writes.length === 1) return [fault];
    return writeOneByOne(database, apply, writes, memory, fault);
  }
}

function writeOneByOne<Write>(
  database: DatabaseSync,
  apply: ApplyWrite<Write>,
  writes: readonly Write[],
  memory: Uint8Array,
  first: Fault,
): WriteOutcome[] {
  let last = first;
  return writes.map((write) => {
    // Whoever holds the lock was waited for already; waiting again for each write would only keep everyone waiting.
    if (last.fault.kind === 'busy') return last;
    try {
      return inTransaction(database, () => apply(write, memory));
    } catch (error) {
      last = faultOf(error);
      return last;
    }
  });
}

export function faultOf(error: unknown): Fault {
  const failure = asStorageFailure(error);
  if (failure instanceof StorageFailure) return { fault: { kind: failure.kind, message: failure.message } };
  return { fault: { kind: null, message: failure instanceof Error ? failure.message : String(failure) } };
}
