import { createClient, mapConcurrently } from '../client.ts';
import { findSaturation } from '../load/saturation.ts';
import type { SliceOutcome } from '../load/slice.ts';
import { quantile } from '../median.ts';
import { processorTime } from '../parent-line.ts';
import { completeSearch, prepareSearches } from '../prices/prepared-searches.ts';
import { compareSides, type SidesCompared } from './compare-sides.ts';
import { forEachSide, type PerSide, type Side, type ThreadParts } from './thread-parts.ts';

export type SearchesCompared = SidesCompared & {
  readonly operatorMs: number;
  /** How many were in flight: with more, neither service completed more. */
  readonly atATime: PerSide<number>;
};

export type SearchesWork = {
  readonly operatorMs: number;
  readonly widths: readonly number[];
  /** In each slice. */
  readonly searches: number;
  readonly slices: number;
  readonly warmUpSlices: number;
};

/** Completed searches, as many at a time as saturate each service. */
export async function measureSearches(
  parts: ThreadParts,
  { operatorMs, widths, searches, slices, warmUpSlices }: SearchesWork,
): Promise<SearchesCompared> {
  const { operators, services } = parts;
  await operators.ask('delay', operatorMs);
  // V8 optimises the code that completes a search only after some hundred runs.
  for (let slice = 0; slice < warmUpSlices; slice += 1) {
    await forEachSide(async (side) => (await prepareSlice(parts, side, searches, widths[0] ?? 1))());
  }
  const atATime = await forEachSide(async (side) => {
    const { width } = await findSaturation(widths, async (tried) => {
      const { requests, seconds } = await (await prepareSlice(parts, side, searches, tried))();
      return requests / seconds;
    });
    return width;
  });
  const compared = await compareSides({
    services,
    slices,
    warmUpSlices: 0,
    run: (side) => prepareSlice(parts, side, searches, atATime[side]),
  });
  await operators.ask('delay', 0);
  return { ...compared, operatorMs, atATime };
}

/** Everything before the last field is not counted. The load is this process and the booking systems. */
async function prepareSlice(
  { operators, services }: ThreadParts,
  side: Side,
  searches: number,
  atATime: number,
): Promise<() => Promise<SliceOutcome>> {
  const client = createClient(services[side].ready, atATime);
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
