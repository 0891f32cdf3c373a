import { createClient, mapConcurrently } from './client.ts';
import { median, quantile } from './median.ts';
import { BRANDS } from './network.ts';
import type { Parts } from './parts.ts';
import { completeSearch, prepareSearches } from './prices/prepared-searches.ts';

type Times = { readonly median: number; readonly p95: number; readonly p99: number };

export type SearchLatency = {
  readonly concurrency: number;
  readonly searches: number;
  readonly operatorMs: number;
  readonly search: Times;
  /** The same quotes, requested from the booking systems by a plain client at the same time. */
  readonly operators: Times;
  /** Median time that the service adds to the booking systems' delay. */
  readonly over: number;
};

/** Times the request that completes a search over 20 candidates. */
export async function measureSearchLatency({
  parts,
  operatorMs,
  searches,
  concurrency,
}: {
  readonly parts: Pick<Parts, 'service' | 'operators'>;
  readonly operatorMs: number;
  readonly searches: number;
  readonly concurrency: number;
}): Promise<SearchLatency> {
  const client = createClient(parts.service.ready, concurrency);
  const operators = parts.operators.ready.map((origin) => createClient(origin, concurrency));
  const warmUp = concurrency * 5;
  const prepared = await prepareSearches(client, searches + warmUp);
  await parts.operators.ask('delay', operatorMs);

  const times = await mapConcurrently(prepared, concurrency, async (one) => ({
    search: await completeSearch(client, one),
    operators: await askOperators(),
  }));
  await parts.operators.ask('delay', 0);
  await Promise.all([client, ...operators].map((one) => one.close()));

  const counted = times.slice(warmUp);
  const search = summary(counted.map((one) => one.search));
  const operatorTimes = summary(counted.map((one) => one.operators));
  return {
    concurrency,
    searches,
    operatorMs,
    search,
    operators: operatorTimes,
    over: search.median - operatorMs,
  };

  async function askOperators(): Promise<number> {
    const startedAt = performance.now();
    await Promise.all(
      operators.map((operator, position) =>
        operator.post('/quotes', {
          properties: [1, 2, 3, 4, 5].map((number) => `${BRANDS[position]}-${number}`),
          check_in: '2027-03-01',
          check_out: '2027-03-04',
          guests: 2,
          currency: 'EUR',
        }),
      ),
    );
    return performance.now() - startedAt;
  }
}

function summary(milliseconds: readonly number[]): Times {
  return {
    median: median(milliseconds),
    p95: quantile(milliseconds, 0.95),
    p99: quantile(milliseconds, 0.99),
  };
}
