import type { Clock } from '../../clock.ts';
import { StorageFailure, type StorageFailureKind } from '../../sessions/storage-failure.ts';
import { withStorageFailures } from './database.ts';

/** Whether the database is undamaged and the disk accepts changes. */
export type WriteHealth = {
  /** Takes the failure of any change. */
  note(failure: unknown): void;
  /** Runs a read, throws its faults as `StorageFailure`, and notes damage. */
  read<T>(work: () => T): T;
  /**
   * Null while changes are stored. During a fault, calls try a small change from time to time. Damage stays until the next start: a change
   * that fits elsewhere in the file does not repair it.
   */
  fault(): StorageFailureKind | null;
  /** The same before storing something: reports a fault only if another attempt after this call fails too. */
  check(): Promise<StorageFailureKind | null>;
};

/** Health checks come every few seconds, and any client may call them. */
const MIN_PROBE_PAUSE_MS = 3_000;
/** Twice a batch of results. A successful probe proves little, because it is far smaller than a session. */
const MIN_FREE_BYTES = 8 * 1024 * 1024;
/** Failures of the disk. The others concern a single change, or too many of them. */
const FAULTS_OF_THE_DISK: ReadonlySet<StorageFailureKind> = new Set([
  'full',
  'busy',
  'input_output',
  'interrupted',
]);

export function createWriteHealth({
  probe,
  freeBytes,
  clock,
}: {
  /** Makes a small change. */
  readonly probe: () => Promise<unknown>;
  /** The free space of the database's disk. */
  readonly freeBytes: () => Promise<number>;
  readonly clock: Pick<Clock, 'elapsed'>;
}): WriteHealth {
  let fault: StorageFailureKind | null = null;
  let isDamaged = false;
  let probedAt = 0;
  let probing: Promise<void> | undefined;

  function note(failure: unknown): void {
    if (!(failure instanceof StorageFailure)) return;
    if (failure.kind === 'corrupt') isDamaged = true;
    if (!FAULTS_OF_THE_DISK.has(failure.kind)) return;
    if (fault === null) probedAt = clock.elapsed();
    fault = failure.kind;
  }

  /** Concurrent callers share one attempt. */
  function tryAgain(): Promise<void> {
    probing ??= tryOne().finally(() => {
      probing = undefined;
    });
    return probing;
  }

  async function tryOne(): Promise<void> {
    probedAt = clock.elapsed();
    try {
      if (fault === 'full' && (await freeBytes()) < MIN_FREE_BYTES) return;
      await probe();
      fault = null;
    } catch {
      // The fault stays.
    }
  }

  return {
    note,
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
      if (fault !== null && clock.elapsed() - probedAt >= MIN_PROBE_PAUSE_MS) void tryAgain();
      return fault;
    },
    async check() {
      // A probe under way may have checked the disk before space was freed.
      if (probing) await probing;
      if (fault !== null && !isDamaged) await tryAgain();
      return isDamaged ? 'corrupt' : fault;
    },
  };
}
