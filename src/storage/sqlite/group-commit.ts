import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../../clock.ts';
import type { OwnedBytes } from '../../parsing/owned-memory.ts';
import { StorageFailure, type StorageFailureKind } from '../../sessions/storage-failure.ts';
import { pragmaNumber, withStorageFailures } from './database.ts';
import { type AppliedWrite, errorFrom, type FailedWrite, type WriteOutcome, type Writer } from './writer.ts';

/**
 * Group commit: while the writer commits one batch, the next one gathers, and each batch waits for the disk once. The busier the service, the
 * larger the batches and the cheaper each change.
 */
export type GroupCommit<Write> = {
  /**
   * `apply` turns the outcome into the caller's value once the write is durable. It runs for the whole batch, in the order of submission, before
   * any caller continues.
   */
  submit<Value>(write: Write, apply: (outcome: AppliedWrite) => Value): Promise<Value>;
  /** The number of writes that are not on disk yet. */
  readonly waiting: number;
  /** Waits for all submitted writes; refuses later ones. */
  close(): Promise<void>;
};

type Submitter = { take(outcome: WriteOutcome): void; fail(error: unknown): void };
type Batch<Write> = {
  readonly writes: Write[];
  readonly bodies: OwnedBytes[];
  readonly submitters: Submitter[];
  bytes: number;
};

/** Refuse further changes while this many are not on disk yet. */
export const QUEUE_LIMITS = { maxQueuedWrites: 10_000, maxQueuedBytes: 256 * 1024 * 1024 };
const MAX_BATCH_WRITES = 512;
const MAX_BATCH_BYTES = 4 * 1024 * 1024;
/** With this many writes, an idle writer starts immediately instead of at the end of the event loop's turn. */
const MIN_WRITES_TO_START = 32;

export function createGroupCommit<Write>({
  writer,
  bodiesOf,
  maxQueuedWrites,
  maxQueuedBytes,
}: {
  readonly writer: Writer<Write>;
  readonly bodiesOf: (write: Write) => readonly OwnedBytes[];
  readonly maxQueuedWrites: number;
  readonly maxQueuedBytes: number;
}): GroupCommit<Write> {
  const queue: Batch<Write>[] = [];
  let beingWritten: Batch<Write> | undefined;
  let startScheduled = false;
  let closed: PromiseWithResolvers<void> | undefined;
  let waitingWrites = 0;
  let waitingBytes = 0;

  async function writeNext(): Promise<void> {
    const batch = queue.shift();
    if (!batch) return;
    beingWritten = batch;
    try {
      const outcomes = await writer.write(batch.writes, batch.bodies);
      for (const [index, submitter] of batch.submitters.entries()) {
        submitter.take(outcomes[index] ?? NO_OUTCOME);
      }
    } catch (error) {
      for (const submitter of batch.submitters) submitter.fail(error);
    }
    beingWritten = undefined;
    waitingWrites -= batch.writes.length;
    waitingBytes -= batch.bytes;
    // Before the callers continue, so that the writer works in parallel.
    if (queue.length > 0) writeNext();
    else closed?.resolve();
  }

  return {
    submit(write, apply) {
      if (closed) return Promise.reject(new StorageFailure('closed', 'The store is closed.'));
      if (waitingWrites >= maxQueuedWrites || waitingBytes >= maxQueuedBytes) {
        return Promise.reject(
          new StorageFailure('overloaded', 'Too many changes wait for the disk already.'),
        );
      }
      return new Promise((resolve, reject) => {
        let batch = queue.at(-1);
        if (!batch || batch.writes.length >= MAX_BATCH_WRITES || batch.bytes >= MAX_BATCH_BYTES) {
          batch = { writes: [], bodies: [], submitters: [], bytes: 0 };
          queue.push(batch);
        }
        batch.writes.push(write);
        waitingWrites += 1;
        for (const body of bodiesOf(write)) {
          batch.bodies.push(body);
          batch.bytes += body.length;
          waitingBytes += body.length;
        }
        batch.submitters.push({
          take(outcome) {
            if (outcome.kind === 'failed') reject(errorFrom(outcome));
            else resolve(apply(outcome));
          },
          fail: reject,
        });
        if (beingWritten) return;
        if (batch.writes.length >= MIN_WRITES_TO_START) return void writeNext();
        if (startScheduled) return;
        startScheduled = true;
        setImmediate(() => {
          startScheduled = false;
          if (!beingWritten) writeNext();
        });
      });
    },

    get waiting() {
      return waitingWrites;
    },

    async close() {
      closed ??= Promise.withResolvers();
      if (waitingWrites === 0) closed.resolve();
      await closed.promise;
      await writer.close();
    },
  };
}

const NO_OUTCOME: FailedWrite = {
  kind: 'failed',
  cause: 'interrupted',
  message: 'The writer gave no outcome.',
};

export type VacuumWrite = { readonly kind: 'vacuum' };

/** A megabyte at a time: changes that wait go between two steps. */
const MAX_PAGES_PER_STEP = 256;
/** New rows reuse freed pages, so only a surplus is worth moving pages for. */
const MIN_FREE_PAGES = 256;
const FREE_SHARE = 0.1;

/** Runs vacuum steps until the file has no more free pages than it will need. */
export async function vacuum(writes: GroupCommit<VacuumWrite>): Promise<void> {
  try {
    let isDone = false;
    while (!isDone) {
      isDone = await writes.submit(
        { kind: 'vacuum' },
        (outcome) => outcome.kind !== 'space' || outcome.pages === 0,
      );
    }
  } catch (failure) {
    // The deletion itself succeeded; the next one tries again to free the pages.
    if (!(failure instanceof StorageFailure)) throw failure;
  }
}

/** One step: moves pages from the end of the file into free ones. The file shrinks at the next checkpoint. */
export function createVacuumStep(database: DatabaseSync): () => AppliedWrite {
  return () => {
    const free = pragmaNumber(database, 'freelist_count');
    const freePages = Math.max(MIN_FREE_PAGES, Math.floor(pragmaNumber(database, 'page_count') * FREE_SHARE));
    const pages = Math.max(0, Math.min(MAX_PAGES_PER_STEP, free - freePages));
    if (pages > 0) database.exec(`PRAGMA incremental_vacuum(${pages})`);
    return { kind: 'space', pages };
  };
}

/** Whether the database is undamaged and the disk accepts changes, judged by the outcomes of the last ones. */
export type WriteHealth = {
  /** Passes everything on and notes the outcomes. */
  watch<Write>(writer: Writer<Write>): Writer<Write>;
  /** Runs a read, throws its faults as `StorageFailure`, and notes damage. */
  read<T>(work: () => T): T;
  /**
   * Null while changes are stored. During a fault, calls try a small change from time to time. Damage stays until the next start: a change that
   * fits elsewhere in the file does not repair it.
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
  readonly probe: () => Promise<unknown>;
  /** The free space of the database's disk. */
  readonly freeBytes: () => Promise<number>;
  readonly clock: Pick<Clock, 'elapsed'>;
}): WriteHealth {
  let fault: StorageFailureKind | null = null;
  let isDamaged = false;
  /** Of a disk that was full: seen after the last failure. */
  let hasFreeSpace = false;
  let probedAt = 0;
  let probing: Promise<void> | undefined;

  function noteFailure(cause: StorageFailureKind): void {
    if (cause === 'corrupt') isDamaged = true;
    if (!FAULTS_OF_THE_DISK.has(cause)) return;
    if (fault === null) probedAt = clock.elapsed();
    fault = cause;
    hasFreeSpace = false;
  }

  function note(outcomes: readonly WriteOutcome[]): void {
    for (const outcome of outcomes) {
      if (outcome.kind !== 'failed') {
        if (hasWritten(outcome) && (fault !== 'full' || hasFreeSpace)) fault = null;
      } else if (outcome.cause !== null) noteFailure(outcome.cause);
    }
  }

  /** Concurrent callers share one attempt. */
  function tryAgain(): Promise<void> {
    probing ??= tryOne().finally(() => {
      probing = undefined;
    });
    return probing;
  }

  /** The outcome of the probe is noted like any other. */
  async function tryOne(): Promise<void> {
    probedAt = clock.elapsed();
    try {
      if (fault === 'full') {
        if ((await freeBytes()) < MIN_FREE_BYTES) return;
        hasFreeSpace = true;
      }
      await probe();
    } catch {
      // The fault stays.
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

/** A change that wrote nothing says nothing about the disk. */
function hasWritten(outcome: AppliedWrite): boolean {
  switch (outcome.kind) {
    case 'written':
      return true;
    case 'deleted':
      return outcome.sessions.length > 0;
    case 'deleted_quotes':
      return outcome.quotes > 0;
    case 'space':
      return outcome.pages > 0;
    case 'conflict':
    case 'over_quota':
      return false;
  }
}
