import { loadavg } from 'node:os';
import type { BenchReport } from '../document/bench-report.ts';
import { type Figure, figure, notMeasured } from '../document/figure.ts';
import { whole } from '../document/quantities.ts';
import { requestsSentAgain } from '../until-taken.ts';
import { countTraffic, type TrafficWork } from './count-traffic.ts';
import { type HomesWork, measureHomes } from './measure-homes.ts';
import { measureRequests, type RequestsWork } from './measure-requests.ts';
import { measureSearches, type SearchesWork } from './measure-searches.ts';
import { homesFigures, requestFigures, searchFigures, trafficFigures } from './node-figures.ts';
import { type NodeParts, startNodeParts } from './node-parts.ts';

export type NodesWork = {
  readonly requests: RequestsWork;
  readonly searches: SearchesWork;
  readonly traffic: TrafficWork;
  readonly homes: HomesWork;
};

const WORK: NodesWork = {
  requests: {
    connections: 64,
    slices: 5,
    warmUpSlices: 2,
    seconds: 1.5,
    stepSessions: 2000,
    resultSessions: 64,
  },
  searches: { operatorMs: 50, atATime: 64, searches: 300, slices: 4, warmUpSlices: 1 },
  traffic: { sessions: 1000, idleSeconds: 10 },
  homes: { homes: 20_000, starts: 3, changes: 200, changesTogether: 2000, writers: 16 },
};
/** Only shows that everything runs. */
const QUICK_WORK: NodesWork = {
  requests: {
    connections: 8,
    slices: 1,
    warmUpSlices: 0,
    seconds: 0.5,
    stepSessions: 64,
    resultSessions: 8,
  },
  searches: { operatorMs: 1, atATime: 4, searches: 8, slices: 1, warmUpSlices: 0 },
  traffic: { sessions: 16, idleSeconds: 1 },
  homes: { homes: 500, starts: 1, changes: 5, changesTogether: 20, writers: 4 },
};

/** The embedded store beside a cluster of one, two and four nodes, and what the servers of a cluster bear. */
export async function addNodes(
  report: BenchReport,
  { isQuick }: { readonly isQuick: boolean },
): Promise<void> {
  const parts = await startNodeParts();
  if ('missing' in parts) {
    console.error(`\n!! NOT MEASURED: nodes: ${parts.missing}\n`);
    report.add('nodes', [notMeasured('nodes', parts.missing)]);
    return;
  }
  try {
    await measureNodes(report, parts, isQuick ? QUICK_WORK : WORK);
  } finally {
    await parts.close();
  }
}

/** What fails on a machine that is too busy is said in the table, and takes nothing else with it. */
async function measureNodes(report: BenchReport, parts: NodeParts, work: NodesWork): Promise<void> {
  const add = async (what: string, measure: () => Promise<readonly Figure[]>) => {
    try {
      report.add('nodes', await measure());
      console.log(`  measured nodes: ${what}`);
    } catch (error) {
      console.error(`\n!! NOT MEASURED: nodes: ${what}: ${String(error)}\n`);
      report.add('nodes', [notMeasured(what, 'it failed, see the output of the run')]);
    }
  };
  report.add('nodes', [figure('load average of the machine before', loadavg()[0]?.toFixed(2) ?? '')]);
  await add('requests', async () => {
    const figures: Figure[] = [];
    for await (const compared of measureRequests(parts, work.requests)) {
      const { kind, failures, unexpected } = compared;
      console.log(`  ${kind}: ${failures} failures, not as expected: ${JSON.stringify(unexpected)}`);
      figures.push(...requestFigures(compared));
    }
    return figures;
  });
  await add('completed searches', async () => searchFigures(await measureSearches(parts, work.searches)));
  await add('what servers are asked', async () => trafficFigures(await countTraffic(parts, work.traffic)));
  await add('homes', async () => homesFigures(await measureHomes(parts, work.homes)));
  report.add('nodes', [
    figure('requests that were refused for now, and sent again', whole(requestsSentAgain())),
  ]);
}
