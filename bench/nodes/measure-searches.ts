import { mapConcurrently } from '../client.ts';
import type { SliceOutcome } from '../load/slice.ts';
import { quantile } from '../median.ts';
import { processorTime } from '../parent-line.ts';
import { completeSearch, prepareSearches } from '../prices/prepared-searches.ts';
import { compareSides, type SidesCompared } from './compare-sides.ts';
import { type NodeParts, originsOf, type Side } from './node-parts.ts';
import { createSpreadClient } from './spread-client.ts';

export type SearchesWork = {
  readonly operatorMs: number;
  readonly atATime: number;
  /** In each slice. */
  readonly searches: number;
  readonly slices: number;
  readonly warmUpSlices: number;
};

export type SearchesCompared = SidesCompared & Pick<SearchesWork, 'operatorMs' | 'atATime'>;

/** The last request of a search, which asks the operators. The others went to whichever nodes were next. */
export async function measureSearches(parts: NodeParts, work: SearchesWork): Promise<SearchesCompared> {
  const { operatorMs, atATime, slices, warmUpSlices } = work;
  await parts.operators.ask('delay', operatorMs);
  const run = (side: Side) => prepareSlice(parts, side, work);
  const compared = await compareSides({ parts, slices, warmUpSlices, run });
  await parts.operators.ask('delay', 0);
  return { ...compared, operatorMs, atATime };
}

/** The load is this process and the booking systems. */
async function prepareSlice(
  { operators, services }: NodeParts,
  side: Side,
  { searches, atATime }: SearchesWork,
): Promise<() => Promise<SliceOutcome>> {
  const client = createSpreadClient(originsOf(services[side]), atATime);
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
