import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../clock.ts';
import type { AvailabilityWriter } from '../inventory/availability-index/availability-index.ts';

const MINUTE_MS = 60_000;

/** Lets the index follow the date, a little in every turn of the event loop, so that no question after a midnight waits for it. */
export function createDateFollower({
  index,
  clock,
}: {
  readonly index: Pick<AvailabilityWriter, 'followDate'>;
  readonly clock: Pick<Clock, 'now' | 'after'>;
}): { start(): void; stop(): Promise<void> } {
  let isStopped = false;
  let cancel = () => {};
  let following = Promise.resolve();

  async function follow(): Promise<void> {
    while (!isStopped && index.followDate(clock.now())) await nextTurn();
    if (!isStopped) start();
  }

  /** Days begin on the minute in every time zone. */
  function start(): void {
    cancel();
    cancel = clock.after(MINUTE_MS - (clock.now() % MINUTE_MS), () => {
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
