import { StorageFailure, type StorageFailureKind } from '../../sessions/storage-failure.ts';

/** SQLite's primary result codes, which are the low byte of the extended ones. */
const KIND_OF_CODE: Readonly<Record<number, StorageFailureKind>> = {
  5: 'busy', // SQLITE_BUSY
  6: 'busy', // SQLITE_LOCKED
  8: 'input_output', // SQLITE_READONLY
  10: 'input_output', // SQLITE_IOERR
  11: 'corrupt', // SQLITE_CORRUPT
  13: 'full', // SQLITE_FULL
  14: 'input_output', // SQLITE_CANTOPEN
  19: 'refused', // SQLITE_CONSTRAINT
  26: 'corrupt', // SQLITE_NOTADB
};

const MEANING: Partial<Record<StorageFailureKind, string>> = {
  busy: 'Another program holds the lock of the database',
  corrupt: 'The database is damaged, or is not a database',
  full: 'There is no room on the disk',
  input_output: 'The disk could not be read or written',
  refused: 'The change breaks a rule of the store',
};

/** Faults of the program itself (a TypeError, say) are passed on as they are. */
export function asStorageFailure(error: unknown): unknown {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return error;
  const kind = KIND_OF_CODE[error.errcode & 0xff] ?? 'input_output';
  return new StorageFailure(kind, `${MEANING[kind]}: ${error.message}.`, { cause: error });
}

/** Runs a read and throws its faults as `StorageFailure`. */
export function withStorageFailures<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw asStorageFailure(error);
  }
}
