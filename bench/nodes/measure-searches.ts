import { prepareSearchSlice } from '../prices/search-slice.ts';
import { compareSides, type SidesCompared } from './compare-sides.ts';
import { type NodeParts, originsOf } from './node-parts.ts';
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
  const { operators, services } = parts;
  await operators.ask('delay', operatorMs);
  const compared = await compareSides({
    parts,
    slices,
    warmUpSlices,
    run: (side) =>
      prepareSearchSlice(createSpreadClient(originsOf(services[side]), atATime), operators, work),
  });
  await operators.ask('delay', 0);
  return { ...compared, operatorMs, atATime };
}
