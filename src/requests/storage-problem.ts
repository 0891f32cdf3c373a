import type { ErrorCode } from '../contract/errors.ts';
import type { StorageFailure } from '../sessions/storage-failure.ts';

const RETRY_AFTER_SECONDS = 2;

/** What callers are told when the store fails them, at whichever door. */
export function storageProblem({ kind }: StorageFailure): {
  readonly code: Extract<ErrorCode, 'overloaded' | 'storage_unavailable'>;
  readonly retryAfterSeconds: number;
} {
  const code = kind === 'overloaded' ? 'overloaded' : 'storage_unavailable';
  return { code, retryAfterSeconds: RETRY_AFTER_SECONDS };
}
