import { parseArgs } from 'node:util';
import { LOAD_CORE, pinThisProcess } from './child.ts';
import { createClient } from './client.ts';
import { measureSearchLatency } from './latency.ts';
import { autocannon, chooseLoadGenerator } from './load/load-generator.ts';
import { startParts } from './parts.ts';
import { LATENCY_GOAL_MILLISECONDS, reportLatency, reportThroughput, whereAndHow } from './report.ts';
import { sampleRead, sampleResult, sampleStep } from './samples.ts';
import { completeSearches, openSessions } from './sessions.ts';
import { createCompareThroughput, type Scenario } from './throughput.ts';

/** `npm run bench`: the service and a bare server, side by side under the same load. `-- --quick` only tries everything once. */
const { values: flags } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    autocannon: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
  },
});
const slices = flags.quick ? 1 : 9;
const searches = flags.quick ? 8 : 60;
const OPERATOR_MILLISECONDS = 50;
const STEP_SESSIONS = 4000;
const RESULT_SESSIONS = 64;

const SCENARIOS: readonly Scenario[] = [
  { title: 'step with a value', kind: 'step', connections: 64, logLevel: 'silent', goal: 0.5 },
  { title: 'step with a value', kind: 'step', connections: 4, logLevel: 'silent', goal: 0.5 },
  { title: 'step with a value, log lines', kind: 'step', connections: 64, logLevel: 'info', goal: 0.5 },
  { title: 'step that is read', kind: 'read', connections: 64, logLevel: 'silent', goal: 0.5 },
  { title: 'step that is read', kind: 'read', connections: 4, logLevel: 'silent', goal: 0.5 },
  { title: 'result read again', kind: 'result', connections: 64, logLevel: 'silent', goal: 2 },
  { title: 'result read again', kind: 'result', connections: 4, logLevel: 'silent', goal: 2 },
];

const generator = flags.autocannon ? autocannon : chooseLoadGenerator();
const isPinned = pinThisProcess(LOAD_CORE);
console.log(whereAndHow({ generator: generator.name, isPinned, slices, seconds: 1 }));

const parts = await startParts();
let goalsMet = true;
try {
  const client = createClient(parts.service.ready, 32);
  const stepTokens = await openSessions(client, STEP_SESSIONS);
  const resultTokens = await openSessions(client, RESULT_SESSIONS);
  await completeSearches(client, resultTokens);
  const sampled = {
    step: { tokens: stepTokens, answer: await sampleStep(client, stepTokens.slice(0, 20)) },
    read: { tokens: stepTokens, answer: await sampleRead(client, stepTokens.slice(0, 20)) },
    result: { tokens: resultTokens, answer: await sampleResult(client, resultTokens) },
  };
  await client.close();

  const compare = createCompareThroughput({ parts, generator, slices, seconds: 1 });
  for (const scenario of SCENARIOS.filter(({ kind }) => kind.startsWith(flags.only))) {
    const { tokens, answer } = sampled[scenario.kind];
    const comparison = await compare(scenario, tokens, answer);
    console.log(reportThroughput(comparison));
    if (comparison.ratio < scenario.goal) goalsMet = false;
  }
  for (const concurrency of flags.only === '' || flags.only === 'search' ? [1, 4] : []) {
    const latency = await measureSearchLatency({
      parts,
      operatorMilliseconds: OPERATOR_MILLISECONDS,
      searches,
      concurrency,
    });
    console.log(reportLatency(latency));
    if (latency.over > LATENCY_GOAL_MILLISECONDS) goalsMet = false;
  }
} finally {
  await parts.close();
}
console.log(goalsMet ? '\nAll goals are met.' : '\nNot all goals are met.');
