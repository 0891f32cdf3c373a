import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../clock.ts';

/** Usually there is nothing to do. A search that began before midnight may move homes back after all were moved. */
const LOOK_EVERY_MS = 5000;

/** Moves the index to the current date, a little in every turn of the event loop, so that no search after midnight waits for it. */
export function createDateFollower({
  index,
  clock,
  onFailure,
}: {
  readonly index: { followDate(now: number): boolean | Promise<boolean> };
  readonly clock: Pick<Clock, 'now' | 'after'>;
  readonly onFailure: (error: unknown) => void;
}): { start(): void; stop(): Promise<void> } {
  let isStopped = false;
  let cancel = () => {};
  let following = Promise.resolve();

  async function follow(): Promise<void> {
    try {
      while (!isStopped && (await index.followDate(clock.now()))) await nextTurn();
    } catch (error) {
      // Searches move the homes they need meanwhile; the next attempt comes soon.
      onFailure(error);
    }
    if (!isStopped) start();
  }

  /** Days begin on a full minute in every time zone, which is a multiple of this interval. */
  function start(): void {
    cancel();
    cancel = clock.after(LOOK_EVERY_MS - (clock.now() % LOOK_EVERY_MS), () => {
      following = follow();
    });
  }

  return {
    start,
    async stop() {
      isStopped = true;
      cancel();
      await following;
    },
  };
}
