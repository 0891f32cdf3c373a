import type { Clock } from '../clock.ts';
import type { Count } from './count.ts';
import { GATHERED_MS } from './gathered-ms.ts';
import { type CountActivity, createSums } from './sums.ts';

/** What a thread has counted in a second, on its way to the one that stores counts: plain data, because it crosses threads. */
export type ThreadSums = { readonly counts: readonly Count[]; readonly lost: number };

export type ThreadCounts = {
  readonly count: CountActivity;
  /** Hands on whatever there is. */
  flush(): void;
  /** The same, and nothing is sent by itself any more. */
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
      if (!isStopped) cancelSending = clock.after(GATHERED_MS, flush);
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
