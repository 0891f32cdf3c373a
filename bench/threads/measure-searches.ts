import { createClient } from '../client.ts';
import { findSaturation } from '../load/saturation.ts';
import { prepareSearchSlice } from '../prices/search-slice.ts';
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
  const prepareSlice = (side: Side, atATime: number) =>
    prepareSearchSlice(createClient(services[side].ready, atATime), operators, { searches, atATime });
  await operators.ask('delay', operatorMs);
  // V8 optimises the code that completes a search only after some hundred runs.
  for (let slice = 0; slice < warmUpSlices; slice += 1) {
    await forEachSide(async (side) => (await prepareSlice(side, widths[0] ?? 1))());
  }
  const atATime = await forEachSide(async (side) => {
    const { width } = await findSaturation(widths, async (tried) => {
      const { requests, seconds } = await (await prepareSlice(side, tried))();
      return requests / seconds;
    });
    return width;
  });
  const compared = await compareSides({
    services,
    slices,
    warmUpSlices: 0,
    run: (side) => prepareSlice(side, atATime[side]),
  });
  await operators.ask('delay', 0);
  return { ...compared, operatorMs, atATime };
}
