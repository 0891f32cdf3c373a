import type { OpenedIndex } from '../availability/snapshot/open-index.ts';
import type { SnapshotFile } from '../availability/snapshot/snapshot.ts';
import { IndexChanged, writeSnapshot } from '../availability/snapshot/snapshot.ts';
import type { Clock } from '../clock.ts';
import type { WritePause } from './write-pause.ts';

export type SnapshotObserver = {
  written(bytes: number, milliseconds: number): void;
  /** The last one stays, or none. */
  failed(error: unknown): void;
};

/** Keeps a snapshot of the index that is never much older than the index. */
export type IndexSnapshots = {
  /** The index is as the store is. Writes a snapshot soon if there is none that was of use, and then regularly. */
  start(): void;
  /** Breaks off what is being written. */
  stop(): Promise<void>;
  /** After `stop`, when nobody changes the index any more. Takes a limited time, or is left. */
  writeLast(): Promise<void>;
};

const WRITTEN_EVERY_MS = 6 * 3_600_000;
/** A stay that is withdrawn cannot wait, and makes a snapshot worthless. They come seldom enough to try again. */
const TRIED_AGAIN_AFTER_MS = 30_000;
/** Whoever stops a service does not wait for long. */
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

  /** How long until the next. */
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
