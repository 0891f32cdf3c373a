import type { Clock } from '../../clock.ts';
import { StorageFailure, type StorageFailureKind } from '../../sessions/storage-failure.ts';
import { withStorageFailures } from './sqlite-failure.ts';
import type { AppliedWrite, WriteOutcome } from './write-batch.ts';
import type { Writer } from './writer.ts';

/** Whether the database is whole and the disk takes changes, by what came of the last ones. */
export type WriteHealth = {
  /** Passes everything on and notes what came of it. */
  watch<Write>(writer: Writer<Write>): Writer<Write>;
  /** Runs a read, throws its faults as `StorageFailure`, and notes damage. */
  read<T>(work: () => T): T;
  /**
   * Null while changes are stored. While they are not, asking tries a small one now and then. Damage stays until the next
   * start: a change that fits elsewhere in the file does not mend it.
   */
  fault(): StorageFailureKind | null;
};

/** Health checks come every few seconds, and anybody may call them. */
const MIN_PROBE_PAUSE_MS = 3_000;
/** Failures of the disk. Others are about one change, or about too many of them. */
const FAULTS_OF_THE_DISK: ReadonlySet<StorageFailureKind> = new Set([
  'full',
  'busy',
  'input_output',
  'interrupted',
]);

export function createWriteHealth({
  probe,
  clock,
}: {
  readonly probe: () => Promise<unknown>;
  readonly clock: Pick<Clock, 'elapsed'>;
}): WriteHealth {
  let fault: StorageFailureKind | null = null;
  let isDamaged = false;
  let probedAt = 0;

  function noteFailure(cause: StorageFailureKind): void {
    if (cause === 'corrupt') isDamaged = true;
    if (!FAULTS_OF_THE_DISK.has(cause)) return;
    if (fault === null) probedAt = clock.elapsed();
    fault = cause;
  }

  function note(outcomes: readonly WriteOutcome[]): void {
    for (const outcome of outcomes) {
      if (outcome.kind !== 'failed') {
        if (hasWritten(outcome)) fault = null;
      } else if (outcome.cause !== null) noteFailure(outcome.cause);
    }
  }

  return {
    watch: (writer) => ({
      async write(writes, bodies) {
        try {
          const outcomes = await writer.write(writes, bodies);
          note(outcomes);
          return outcomes;
        } catch (error) {
          if (error instanceof StorageFailure) noteFailure(error.kind);
          throw error;
        }
      },
      close: () => writer.close(),
    }),
    read(work) {
      try {
        return withStorageFailures(work);
      } catch (error) {
        if (error instanceof StorageFailure && error.kind === 'corrupt') isDamaged = true;
        throw error;
      }
    },
    fault() {
      if (isDamaged) return 'corrupt';
      if (fault !== null && clock.elapsed() - probedAt >= MIN_PROBE_PAUSE_MS) {
        probedAt = clock.elapsed();
        // Its outcome is noted like any other.
        probe().catch(() => undefined);
      }
      return fault;
    },
  };
}

/** A change that found nothing to do says nothing about the disk. */
function hasWritten(outcome: AppliedWrite): boolean {
  switch (outcome.kind) {
    case 'written':
      return true;
    case 'deleted':
      return outcome.sessions.length > 0;
    case 'space':
      return outcome.pages > 0;
    case 'conflict':
    case 'over_quota':
      return false;
  }
}
