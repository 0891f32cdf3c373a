import { setTimeout as sleep } from 'node:timers/promises';

const TICK_MS = 10;

/** Begins work at a steady rate, however long each takes, until it is stopped; then waits for what is under way. */
export function startSteadily(
  perSecond: number,
  work: () => Promise<void>,
): { readonly stop: () => Promise<void> } {
  const underWay = new Set<Promise<void>>();
  const startedAt = performance.now();
  let begun = 0;
  let isStopped = false;

  const beginning = (async () => {
    while (!isStopped) {
      const due = Math.floor(((performance.now() - startedAt) / 1000) * perSecond);
      for (; begun < due; begun += 1) {
        const one = work().finally(() => underWay.delete(one));
        underWay.add(one);
      }
      await sleep(TICK_MS);
    }
  })();
  return {
    async stop() {
      isStopped = true;
      await beginning;
      await Promise.all(underWay);
    },
  };
}

/** How much is done in a second, so many at a time, one after the other. */
export async function fullRate(seconds: number, atATime: number, work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1000;
  let done = 0;
  const worker = async () => {
    while (performance.now() < endsAt) {
      await work();
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: atATime }, worker));
  return done / ((performance.now() - startedAt) / 1000);
}
