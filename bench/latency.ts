import { createClient, mapConcurrently } from './client.ts';
import { median, quantile } from './median.ts';
import { BRANDS } from './network.ts';
import type { Parts } from './parts.ts';
import { mustBeResult, openSessions, searchPath, stay } from './sessions.ts';

export type SearchLatency = {
  readonly concurrency: number;
  readonly searches: number;
  readonly operatorMs: number;
  readonly search: { readonly median: number; readonly p95: number };
  /** The same quotes, requested from the booking systems by a plain client at the same time. */
  readonly operators: { readonly median: number; readonly p95: number };
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
  readonly parts: Parts;
  readonly operatorMs: number;
  readonly searches: number;
  readonly concurrency: number;
}): Promise<SearchLatency> {
  const client = createClient(parts.service.ready, concurrency);
  const operators = parts.operators.ready.map((origin) => createClient(origin, concurrency));
  const warmUp = concurrency * 5;
  const tokens = await openSessions(client, searches + warmUp);
  await parts.operators.ask('delay', operatorMs);

  const times = await mapConcurrently(tokens, concurrency, async (token, ordinal) => {
    const { first, last } = stay(ordinal);
    await client.post(searchPath(token), first);
    const { text, milliseconds } = await client.post(
      `${searchPath(token)}&idempotency_key=complete-${ordinal}`,
      last,
    );
    mustBeResult(text);
    return { search: milliseconds, operators: await askOperators() };
  });
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

function summary(milliseconds: readonly number[]) {
  return { median: median(milliseconds), p95: quantile(milliseconds, 0.95) };
}
