import type { Child } from '../child.ts';
import { type Client, mapConcurrently } from '../client.ts';
import type { SliceOutcome } from '../load/slice.ts';
import { quantile } from '../median.ts';
import { processorTime } from '../parent-line.ts';
import { completeSearch, prepareSearches } from './prepared-searches.ts';

/** Everything before the last field is not counted. The load is this process and the booking systems. The client is closed at the end. */
export async function prepareSearchSlice(
  client: Client,
  operators: Child<unknown>,
  { searches, atATime }: { readonly searches: number; readonly atATime: number },
): Promise<() => Promise<SliceOutcome>> {
  const prepared = await prepareSearches(client, searches);
  const loadTime = async () => processorTime() + (await operators.ask<number>('processorTime'));
  return async () => {
    const usedBefore = await loadTime();
    const startedAt = performance.now();
    const times = await mapConcurrently(prepared, atATime, (search) => completeSearch(client, search));
    const seconds = (performance.now() - startedAt) / 1000;
    const loadMicroseconds = (await loadTime()) - usedBefore;
    await client.close();
    return {
      requests: searches,
      seconds,
      failures: 0,
      p50Ms: quantile(times, 0.5),
      p99Ms: quantile(times, 0.99),
      loadMicroseconds,
    };
  };
}
