import { createClient, mapConcurrently } from '../client.ts';
import { median, quantile } from '../median.ts';
import type { Parts } from '../parts.ts';
import { completeSearch, prepareSearches } from './prepared-searches.ts';

export type SearchThroughput = {
  readonly operatorMs: number;
  readonly atATime: number;
  readonly searches: number;
  readonly searchesPerSecond: number;
  /** Of all threads of the service, for each search. */
  readonly processorMicroseconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
};

/** Completes searches over 20 candidates of four brands, so many at a time. Everything before the last field is not counted. */
export async function measureSearchThroughput({
  parts,
  operatorMs,
  searches,
  atATime,
}: {
  readonly parts: Pick<Parts, 'service' | 'operators'>;
  readonly operatorMs: number;
  readonly searches: number;
  readonly atATime: number;
}): Promise<SearchThroughput> {
  const client = createClient(parts.service.ready, atATime);
  try {
    const prepared = await prepareSearches(client, searches);
    await parts.operators.ask('delay', operatorMs);
    const usedBefore = await parts.service.ask<number>('processorTime');
    const startedAt = performance.now();
    const times = await mapConcurrently(prepared, atATime, (search) => completeSearch(client, search));
    const seconds = (performance.now() - startedAt) / 1000;
    const used = (await parts.service.ask<number>('processorTime')) - usedBefore;
    return {
      operatorMs,
      atATime,
      searches,
      searchesPerSecond: searches / seconds,
      processorMicroseconds: used / searches,
      p50Ms: median(times),
      p99Ms: quantile(times, 0.99),
    };
  } finally {
    await parts.operators.ask('delay', 0);
    await client.close();
  }
}
