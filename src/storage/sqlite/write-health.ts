import type { Clock } from '../../clock.ts';
import { StorageFailure, type StorageFailureKind } from '../../sessions/storage-failure.ts';
import type { AppliedWrite, WriteOutcome } from './write-batch.ts';
import type { Writer } from './writer.ts';

/** Whether the disk takes changes, by the outcome of the last ones. */
export type WriteHealth = {
  /** Passes everything on and notes what came of it. */
  watch<Write>(writer: Writer<Write>): Writer<Write>;
  /** Null while changes are stored. While they are not, asking tries a small one now and then. */
  fault(): StorageFailureKind | null;
};

/** Health checks come every few seconds, and anybody may call them. */
const MIN_PROBE_PAUSE_MS = 3_000;
/** Failures of the disk. Others are about one change, or about too many of them. */
const FAULTS_OF_THE_DISK: ReadonlySet<StorageFailureKind> = new Set([
  'full',
  'busy',
  'input_output',
  'corrupt',
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
  let probedAt = 0;

  function note(outcomes: readonly WriteOutcome[]): void {
    for (const outcome of outcomes) {
      if (outcome.kind !== 'failed') {
        if (hasWritten(outcome)) fault = null;
      } else if (outcome.cause !== null && FAULTS_OF_THE_DISK.has(outcome.cause)) {
        if (fault === null) probedAt = clock.elapsed();
        fault = outcome.cause;
      }
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
          const cause = error instanceof StorageFailure ? error.kind : null;
          note([{ kind: 'failed', cause, message: '' }]);
          throw error;
        }
      },
      close: () => writer.close(),
    }),
    fault() {
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
