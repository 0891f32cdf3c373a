import { LOAD_CORE, SERVER_CORE, startChild } from '../child.ts';
import { measureSearchLatency } from '../latency.ts';
import type { Parts } from '../parts.ts';
import { reportLatency } from '../report.ts';
import { measureCallsInFlight } from './measure-calls-in-flight.ts';
import { measureQuoteCalls } from './measure-quote-calls.ts';
import { reportCallsInFlight, reportQuoteCalls, reportSearchThroughput } from './report.ts';
import { measureSearchThroughput } from './search-throughput.ts';

type SearchParts = Pick<Parts, 'service' | 'operators'>;

/** How many homes a search prices, to show 20 of them: no more than that, and as many as by default. */
const PRICED = [20, 60];
const OPERATOR_MS = 50;

/** Prices at volume: single calls, thousands of them in flight, and searches that are completed. Yields lines to print. */
export async function* measurePrices({ isQuick }: { readonly isQuick: boolean }): AsyncGenerator<string> {
  const slices = isQuick ? 1 : 9;
  yield reportQuoteCalls(
    await measureQuoteCalls({ slices, warmUpSlices: isQuick ? 0 : 2, calls: isQuick ? 40 : 1500 }),
  );
  yield reportCallsInFlight(
    await measureCallsInFlight({ calls: isQuick ? 128 : 5000, rounds: isQuick ? 1 : 3 }),
  );
  for (const priced of PRICED) {
    yield `\n${priced} homes priced in a search`;
    yield* withSearchParts(priced, (parts) => measureSearches(parts, isQuick));
  }
}

async function* measureSearches(parts: SearchParts, isQuick: boolean): AsyncGenerator<string> {
  // V8 optimises the code that completes a search only after some hundred runs.
  await measureSearchThroughput({ parts, operatorMs: 0, searches: isQuick ? 8 : 600, atATime: 8 });
  for (const concurrency of [1, 4]) {
    yield reportLatency(
      await measureSearchLatency({
        parts,
        operatorMs: OPERATOR_MS,
        searches: isQuick ? 4 : 120,
        concurrency,
      }),
    );
  }
  for (const [operatorMs, atATime] of [
    [0, 16],
    [OPERATOR_MS, 16],
  ] as const) {
    const searches = isQuick ? 16 : 800;
    yield reportSearchThroughput(await measureSearchThroughput({ parts, operatorMs, searches, atATime }));
  }
}

async function* withSearchParts<Measured>(
  priced: number,
  measure: (parts: SearchParts) => AsyncGenerator<Measured>,
): AsyncGenerator<Measured> {
  const operators = await startChild<readonly string[]>('./operators.process.ts', LOAD_CORE);
  const service = await startChild<string>('./service.process.ts', SERVER_CORE, [
    `--quotes=${priced}`,
    ...operators.ready,
  ]);
  try {
    yield* measure({ operators, service });
  } finally {
    await service.close();
    await operators.close();
  }
}
