import type { BenchReport } from '../document/bench-report.ts';
import type { LoadGenerator } from '../load/slice.ts';
import { measureRequests, type RequestsWork } from './measure-requests.ts';
import { measureSearches, type SearchesWork } from './measure-searches.ts';
import { reportRequests, reportSearches } from './report.ts';
import { requestFigures, searchFigures } from './thread-figures.ts';
import { startThreadParts } from './thread-parts.ts';

const REQUESTS: RequestsWork = {
  connections: 64,
  slices: 9,
  warmUpSlices: 4,
  seconds: 2,
  stepSessions: 4000,
  resultSessions: 64,
};
const SEARCHES: SearchesWork = {
  operatorMs: 50,
  widths: [16, 32, 64, 128, 256],
  searches: 400,
  slices: 5,
  warmUpSlices: 2,
};
const QUICK_REQUESTS = { slices: 1, warmUpSlices: 0, seconds: 1, stepSessions: 100, resultSessions: 8 };
const QUICK_SEARCHES = { widths: [4, 8], searches: 8, slices: 1, warmUpSlices: 0 };

/** A service with two threads that answer beside one with a single thread. */
export async function addThreads(
  report: BenchReport,
  { isQuick, generator }: { readonly isQuick: boolean; readonly generator: LoadGenerator },
): Promise<void> {
  const parts = await startThreadParts();
  try {
    const requests = isQuick ? { ...REQUESTS, ...QUICK_REQUESTS } : REQUESTS;
    for await (const compared of measureRequests(parts, generator, requests)) {
      console.log(reportRequests(compared));
      report.add('threads', requestFigures(compared));
    }
    const searches = await measureSearches(parts, isQuick ? { ...SEARCHES, ...QUICK_SEARCHES } : SEARCHES);
    console.log(reportSearches(searches));
    report.add('threads', searchFigures(searches));
  } finally {
    await parts.close();
  }
}
