import type { OpenedIndex } from '../availability/snapshot/open-index.ts';
import { IndexChanged, type SnapshotFile, writeSnapshot } from '../availability/snapshot/snapshot.ts';
import type { Clock } from '../clock.ts';

export type SnapshotObserver = {
  written(bytes: number, milliseconds: number): void;
  /** The previous snapshot, if any, stays. */
  failed(error: unknown): void;
};

/** Writes snapshots of the index regularly. */
type IndexSnapshots = {
  /** Call this once the index matches the store. Writes a snapshot now if the start could not use one, and then regularly. */
  start(): void;
  /** Aborts a write under way. */
  stop(): Promise<void>;
  /** Call this after `stop`, once the index no longer changes. Gives up after a limited time. */
  writeLast(): Promise<void>;
};

const WRITTEN_EVERY_MS = 6 * 3_600_000;
/** Withdrawing a stay does not wait for a snapshot, and invalidates it. This is rare enough to try again. */
const TRIED_AGAIN_AFTER_MS = 30_000;
/** The shutdown of the service must not wait for long. */
const MAX_LAST_WRITE_MS = 20_000;

export function createIndexSnapshots({
  opened: { index, dependsOn, snapshot },
  file,
  pause,
  clock,
  observe,
}: {
  readonly opened: OpenedIndex;
  readonly file: SnapshotFile;
  readonly pause: WritePause;
  readonly clock: Pick<Clock, 'elapsed' | 'after'>;
  readonly observe: SnapshotObserver;
}): IndexSnapshots {
  let writtenChanges = snapshot === 'read' ? index.changes : null;
  let isStarted = false;
  let cancelNext = () => {};
  let running: { readonly controller: AbortController; readonly done: Promise<void> } | undefined;

  /** Resolves with the pause until the next write. */
  async function write(signal: AbortSignal): Promise<number> {
    const { changes } = index;
    if (changes === writtenChanges) return WRITTEN_EVERY_MS;
    const startedAt = clock.elapsed();
    try {
      const bytes = await pause.during(() => writeSnapshot(index, { file, dependsOn, signal }));
      writtenChanges = changes;
      observe.written(bytes, clock.elapsed() - startedAt);
    } catch (error) {
      if (error instanceof IndexChanged) return TRIED_AGAIN_AFTER_MS;
      if (error !== signal.reason) observe.failed(error);
    }
    return WRITTEN_EVERY_MS;
  }

  function writeNow(): void {
    const controller = new AbortController();
    const done = write(controller.signal).then((pauseMs) => {
      running = undefined;
      if (!controller.signal.aborted) cancelNext = clock.after(pauseMs, writeNow);
    });
    running = { controller, done };
  }

  return {
    start() {
      isStarted = true;
      if (writtenChanges === null) writeNow();
      else cancelNext = clock.after(WRITTEN_EVERY_MS, writeNow);
    },
    async stop() {
      cancelNext();
      running?.controller.abort();
      await running?.done;
    },
    async writeLast() {
      if (!isStarted) return;
      const controller = new AbortController();
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const cancel = clock.after(MAX_LAST_WRITE_MS, () => {
        controller.abort();
        observe.failed(new Error('it took too long while the service was closing'));
        resolve();
      });
      await Promise.race([write(controller.signal), late]);
      cancel();
    },
  };
}

/** Delays changes of the index while a snapshot copies it. */
type WritePause = {
  /** Resolves while no copy is under way, or once the copy has taken too long. */
  over(): Promise<void>;
  /** Pauses changes until `copy` resolves or rejects. */
  during<Result>(copy: () => Promise<Result>): Promise<Result>;
};

/** A disk that hangs must not block calendar updates: they resume after this time, which invalidates the copy. */
const MAX_PAUSE_MS = 60_000;

export function createWritePause(clock: Pick<Clock, 'after'>): WritePause {
  let pause: Promise<void> | undefined;

  return {
    over: async () => pause,
    async during(copy) {
      const { promise, resolve } = Promise.withResolvers<void>();
      pause = promise;
      const end = () => {
        if (pause === promise) pause = undefined;
        resolve();
      };
      const stopWaiting = clock.after(MAX_PAUSE_MS, end);
      try {
        return await copy();
      } finally {
        stopWaiting();
        end();
      }
    },
  };
}
