import { cpus, totalmem } from 'node:os';
import type { SearchLatency } from './latency.ts';
import { type Comparison, ratioOf, type Throughput } from './throughput.ts';

export const LATENCY_GOAL_MS = 6;

export function describeMachine(): string {
  const gibibytes = Math.round(totalmem() / 2 ** 30);
  return `Node ${process.versions.node}, ${cpus().length} cores (${cpus()[0]?.model}), ${gibibytes} GiB`;
}

export function describeLoad({
  generator,
  isPinned,
  slices,
  seconds,
}: {
  readonly generator: string;
  readonly isPinned: boolean;
  readonly slices: number;
  readonly seconds: number;
}): string {
  return (
    `Load by ${generator}; ${isPinned ? 'servers on one core, load on another' : 'nothing is pinned to cores'}; ` +
    `${slices} slices of ${seconds} s for each server, taking turns; medians`
  );
}

export function reportThroughput(comparison: Comparison): string {
  const { scenario, bytes, service, bare, floor, ratio, spread, failures, unexpected } = comparison;
  const [lowest, highest] = spread.map((one) => one.toFixed(2));
  const strange = Object.entries(unexpected).map(([outcome, count]) => `${count} × ${outcome}`);
  return [
    `\n${scenario.title}, ${scenario.connections} connections, ${bytes.toLocaleString('en')} bytes`,
    line('service', service),
    line('bare server', bare),
    ...(floor ? [line('floor', floor)] : []),
    `  ratio ${ratio.toFixed(2)} (single slices ${lowest} to ${highest}); ${
      scenario.goal === null ? 'no goal' : `goal ${scenario.goal}: ${verdict(ratio >= scenario.goal)}`
    }`,
    ...(floor
      ? [
          `  floor to bare server ${ratioOf(floor, bare).toFixed(2)}, service to floor ${ratioOf(service, floor).toFixed(2)}`,
        ]
      : []),
    ...(failures > 0 ? [`  ${failures} requests failed`] : []),
    ...(strange.length > 0 ? [`  not as expected: ${strange.join(', ')}`] : []),
  ].join('\n');
}

function line(name: string, throughput: Throughput): string {
  const requests = Math.round(throughput.requestsPerSecond).toLocaleString('en').padStart(7);
  return (
    `  ${name.padEnd(12)}${requests} requests/s, ${throughput.processorMicroseconds.toFixed(0).padStart(4)} µs of processor a request, ` +
    `p50 ${throughput.p50Ms.toFixed(2)} ms, p99 ${throughput.p99Ms.toFixed(2)} ms`
  );
}

export function reportLatency(latency: SearchLatency): string {
  const { concurrency, searches, operatorMs, search, operators, over } = latency;
  return [
    `\ncompleted search over 20 candidates, ${searches} searches, ${concurrency} at a time`,
    `  service      median ${search.median.toFixed(1)} ms, p95 ${search.p95.toFixed(1)} ms, p99 ${search.p99.toFixed(1)} ms`,
    `  operators    median ${operators.median.toFixed(1)} ms, p95 ${operators.p95.toFixed(1)} ms`,
    `  ${over.toFixed(1)} ms over the operators' ${operatorMs} ms; goal at most ${LATENCY_GOAL_MS}: ${verdict(over <= LATENCY_GOAL_MS)}`,
  ].join('\n');
}

function verdict(isMet: boolean): string {
  return isMet ? 'met' : 'NOT met';
}
