import { parseArgs } from 'node:util';
import { LOAD_CORE, onAllCores, pinThisProcess, SERVER_CORE } from './child.ts';
import { createClient } from './client.ts';
import { type MeasuredConnectors, measureConnectors } from './connectors/measure-connectors.ts';
import { reportConnector } from './connectors/report.ts';
import { createBenchReport } from './document/bench-report.ts';
import { throughputAgainstConnections } from './document/scaling-pictures.ts';
import { latencyFigure, loadSeries, throughputFigure } from './document/service-figures.ts';
import { addGate } from './gate.ts';
import { addIndex, addPeers } from './inventory-parts.ts';
import { measureSearchLatency, type SearchLatency } from './latency.ts';
import { chooseLoadGenerator, plainSockets } from './load/load-generator.ts';
import { addNodes } from './nodes/nodes-part.ts';
import { startParts } from './parts.ts';
import { measurePrices } from './prices/measure-prices.ts';
import { describeLoad, describeMachine, reportLatency, reportThroughput } from './report.ts';
import { sampleRead, sampleResult, sampleStep } from './samples.ts';
import { completeSearches, openSessions } from './sessions.ts';
import { addSoak } from './soak/soak-part.ts';
import { type Comparison, createCompareThroughput, type Scenario } from './throughput.ts';

/**
 * `npm run bench`: compares the service with a bare server and with the floor of a durable step under the same load, the connectors with bare calls and the index
 * with databases, prints one table and writes it to docs/benchmarks.md. `-- --quick` only checks that every part runs.
 */
const { values: flags } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    sockets: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    connector: { type: 'string' },
    homes: { type: 'string' },
    minutes: { type: 'string', default: '20' },
  },
});
const slices = flags.quick ? 1 : 9;
const searches = flags.quick ? 8 : 60;
const OPERATOR_MS = 50;
const STEP_SESSIONS = flags.quick ? 400 : 4000;
const RESULT_SESSIONS = 64;
/** Sections of the document that one part fills, whichever parts run. */
const WHOLE_PARTS = ['gate', 'nodes', 'soak', 'index', 'peers'] as const;

const quiet = { logLevel: 'silent', cores: [SERVER_CORE] } as const;
const SCENARIOS: readonly Scenario[] = [
  { ...quiet, title: 'step with a value', kind: 'step', connections: 64, goal: 0.6 },
  { ...quiet, title: 'step with a value', kind: 'step', connections: 4, goal: 0.25 },
  {
    ...quiet,
    title: 'step with a value, log lines',
    kind: 'step',
    connections: 64,
    logLevel: 'info',
    goal: 0.6,
  },
  {
    ...quiet,
    title: 'step with a value, both cores',
    kind: 'step',
    connections: 64,
    cores: [SERVER_CORE, LOAD_CORE],
    goal: 0.6,
  },
  { ...quiet, title: 'step that is read', kind: 'read', connections: 64, goal: 0.75 },
  { ...quiet, title: 'step that is read', kind: 'read', connections: 4, goal: 0.75 },
  { ...quiet, title: 'result read again', kind: 'result', connections: 64, goal: 5 },
  { ...quiet, title: 'result read again', kind: 'result', connections: 4, goal: 5 },
  // With the rows above, the curves against connections.
  ...[1, 16, 256].flatMap((connections): Scenario[] => [
    { ...quiet, title: 'step with a value', kind: 'step', connections, goal: null },
    { ...quiet, title: 'step that is read', kind: 'read', connections, goal: null },
  ]),
];

const scenarios = SCENARIOS.filter(
  ({ kind, connections }) => kind.startsWith(flags.only) && (connections === 64 || !flags.quick),
);
const widths = flags.only === '' || flags.only === 'search' ? [1, 4] : [];
const connectors: MeasuredConnectors = {
  ...(flags.quick
    ? { homes: 5, quotes: 5, pricingRounds: 1, pricingSlices: 1, synchronisations: 1 }
    : { homes: 200, quotes: 100, pricingRounds: 5, pricingSlices: slices, synchronisations: 3 }),
  warmUpSlices: 1,
  only: flags.connector,
};

const generator = flags.sockets ? plainSockets : chooseLoadGenerator();
const isPinned = pinThisProcess(LOAD_CORE);
console.log(describeMachine());

const report = createBenchReport(new URL('..', import.meta.url));
const isChosen = (part: string) => flags.only === '' || flags.only === part;
const inventoryRun = {
  isQuick: flags.quick,
  maxHomes: Number(flags.homes ?? Number.POSITIVE_INFINITY),
  city: process.env.STAYWIRE_BENCH_CITY,
};

if (scenarios.length > 0 || widths.length > 0) await compareService();
if (isChosen('gate')) await addGate(report, { isQuick: flags.quick });
if (isChosen('nodes')) await onAllCores(() => addNodes(report, { isQuick: flags.quick }));
// Too long for a run of all parts.
if (flags.only === 'soak') {
  await onAllCores(() => addSoak(report, { isQuick: flags.quick, minutes: Number(flags.minutes) }));
}
writeWhatIsMeasured();
if (isChosen('prices')) {
  for await (const lines of measurePrices({ isQuick: flags.quick })) console.log(lines);
}
if (isChosen('connectors')) {
  for await (const cost of measureConnectors(connectors)) console.log(reportConnector(cost));
}
if (isChosen('index')) await addIndex(report, inventoryRun);
writeWhatIsMeasured();
if (isChosen('peers')) await addPeers(report, inventoryRun);
console.log(`\n${report.table()}`);
console.log(report.isEveryGoalMet() ? '\nAll goals are met.' : '\nNot all goals are met.');
writeWhatIsMeasured();

/** Also before the end, because a part that fails takes no other with it. */
function writeWhatIsMeasured(): void {
  // A part of the rows of a section would replace all of them.
  if (flags.quick || flags.homes !== undefined) return;
  report.write([...(flags.only === '' ? (['service'] as const) : []), ...WHOLE_PARTS], new Date());
}

async function compareService(): Promise<void> {
  console.log(describeLoad({ generator: generator.name, isPinned, slices, seconds: 1 }));
  const parts = await startParts();
  const comparisons: Comparison[] = [];
  const latencies: SearchLatency[] = [];
  try {
    const client = createClient(parts.service.ready, 32);
    const stepTokens = await openSessions(client, STEP_SESSIONS);
    const resultTokens = await openSessions(client, RESULT_SESSIONS);
    await completeSearches(client, resultTokens);
    const tokensOf = { step: stepTokens, read: stepTokens, result: resultTokens };
    const sampleOf = { step: sampleStep, read: sampleRead, result: sampleResult };

    const warmUpSlices = flags.quick ? 1 : 4;
    const compare = createCompareThroughput({ parts, generator, slices, warmUpSlices, seconds: 1 });
    for (const scenario of scenarios) {
      const tokens = tokensOf[scenario.kind];
      const sample = await sampleOf[scenario.kind](client, evenlySpaced(tokens, 20));
      const comparison = await compare(scenario, tokens, sample);
      console.log(reportThroughput(comparison));
      comparisons.push(comparison);
    }
    // Warms up: V8 optimises the code that completes a search only after some hundred runs.
    if (widths.length > 0) await completeSearches(client, await openSessions(client, flags.quick ? 20 : 400));
    await client.close();
    for (const concurrency of widths) {
      const latency = await measureSearchLatency({
        parts,
        operatorMs: OPERATOR_MS,
        searches,
        concurrency,
      });
      console.log(reportLatency(latency));
      latencies.push(latency);
    }
  } finally {
    await parts.close();
  }
  const curves = loadSeries(comparisons);
  report.add(
    'service',
    [...comparisons.map(throughputFigure), ...latencies.map(latencyFigure)],
    curves.length === 0
      ? undefined
      : {
          file: 'throughput-against-connections.svg',
          alt: 'Requests a second, against connections',
          svg: throughputAgainstConnections(curves),
        },
  );
}

function evenlySpaced(all: readonly string[], count: number): string[] {
  return Array.from({ length: count }, (_, i) => all[Math.floor((i * all.length) / count)] ?? '');
}
