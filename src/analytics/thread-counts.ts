import type { Clock } from '../clock.ts';
import type { Count } from './count.ts';
import { FLUSH_INTERVAL_MS } from './flush-interval-ms.ts';
import { type CountActivity, createSums } from './sums.ts';

/** What a thread has counted in a second, on its way to the one that stores counts: plain data, because it crosses threads. */
export type ThreadSums = { readonly counts: readonly Count[]; readonly lost: number };

export type ThreadCounts = {
  readonly count: CountActivity;
  /** Sends what there is. */
  flush(): void;
  /** The same, and from then on only `flush` sends anything. */
  stop(): void;
};

/** For a thread that answers callers. */
export function createThreadCounts({
  clock,
  send,
}: {
  readonly clock: Clock;
  readonly send: (sums: ThreadSums) => void;
}): ThreadCounts {
  let cancelSending = () => {};
  let isStopped = false;
  const sums = createSums({
    clock,
    onFirst() {
      if (!isStopped) cancelSending = clock.after(FLUSH_INTERVAL_MS, flush);
    },
  });

  function flush(): void {
    cancelSending();
    const counts = sums.take();
    const lost = sums.takeLost();
    if (counts.length > 0 || lost > 0) send({ counts, lost });
  }

  return {
    count: sums.count,
    flush,
    stop() {
      isStopped = true;
      flush();
    },
  };
}
