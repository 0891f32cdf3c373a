import type { OpenedIndex } from '../availability/snapshot/open-index.ts';
import { IndexChanged, type SnapshotFile, writeSnapshot } from '../availability/snapshot/snapshot.ts';
import type { Clock } from '../clock.ts';

export type SnapshotObserver = {
  written(bytes: number, milliseconds: number): void;
  /** The previous snapshot, if any, stays. */
  failed(error: unknown): void;
};

const WRITTEN_EVERY_MS = 6 * 3_600_000;
/** Withdrawing a stay does not wait for a snapshot, and invalidates it. This is rare enough to try again. */
const TRIED_AGAIN_AFTER_MS = 30_000;
/** The shutdown of the service must not wait for long. */
const MAX_LAST_WRITE_MS = 20_000;

/** Writes snapshots of the index regularly. */
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
}) {
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
    /** Call this once the index matches the store. Writes a snapshot now if the start could not use one, and then regularly. */
    start(): void {
      isStarted = true;
      if (writtenChanges === null) writeNow();
      else cancelNext = clock.after(WRITTEN_EVERY_MS, writeNow);
    },
    /** Aborts a write under way. */
    async stop(): Promise<void> {
      cancelNext();
      running?.controller.abort();
      await running?.done;
    },
    /** Call this after `stop`, once the index no longer changes. Gives up after a limited time. */
    async writeLast(): Promise<void> {
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

type WritePause = ReturnType<typeof createWritePause>;

/** A disk that hangs must not block calendar updates: they resume after this time, which invalidates the copy. */
const MAX_PAUSE_MS = 60_000;

/** Delays changes of the index while a snapshot copies it. */
export function createWritePause(clock: Pick<Clock, 'after'>) {
  let pause: Promise<void> | undefined;

  return {
    /** Resolves while no copy is under way, or once the copy has taken too long. */
    over: async () => pause,
    /** Pauses changes until `copy` resolves or rejects. */
    async during<Result>(copy: () => Promise<Result>): Promise<Result> {
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
