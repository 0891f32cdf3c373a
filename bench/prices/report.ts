import type { CallsInFlight } from './measure-calls-in-flight.ts';
import type { QuoteCallCost } from './measure-quote-calls.ts';
import type { Layer } from './quote-call-layers.ts';
import type { HeldMemory } from './quote-calls.process.ts';
import type { SearchThroughput } from './search-throughput.ts';

/** Processor time of a quote call, as a multiple of a bare one. */
const QUOTE_CALL_GOAL = 1.5;

const LAYER_NAMES = {
  bare: 'bare undici, parsed',
  client: 'guarded client, not parsed',
  system: 'with intake and checks',
  service: 'service',
} as const satisfies Record<Layer, string>;

export function reportQuoteCalls({ layers, ratio, spread }: QuoteCallCost): string {
  const [lowest, highest] = spread.map((one) => one.toFixed(2));
  const lines = (Object.keys(LAYER_NAMES) as Layer[]).map((layer) => {
    const { median, lowest: best } = layers[layer];
    return `  ${LAYER_NAMES[layer].padEnd(28)}${median.toFixed(0).padStart(5)} µs, best slice ${best.toFixed(0)}`;
  });
  return [
    '\nquote call of five homes, processor time',
    ...lines,
    `  ratio ${ratio.toFixed(2)} (single slices ${lowest} to ${highest}); goal at most ${QUOTE_CALL_GOAL}: ${
      ratio <= QUOTE_CALL_GOAL ? 'met' : 'NOT met'
    }`,
  ].join('\n');
}

export function reportCallsInFlight({ calls, before, rounds }: CallsInFlight): string {
  const lines = rounds.map(
    ({ peak, after }, round) =>
      `  round ${round + 1}: at peak ${megabytes(peak)} (${kilobytesEach(peak, before, calls)} KB a call), after ${megabytes(after)}`,
  );
  const warnings = rounds.at(-1)?.after.warnings ?? 0;
  return [
    `\n${calls.toLocaleString('en')} quote calls in flight, memory in use`,
    `  before ${megabytes(before)}, with all connections open`,
    ...lines,
    ...(warnings > 0 ? [`  ${warnings} warnings of Node`] : []),
  ].join('\n');
}

export function reportSearchThroughput(measured: SearchThroughput): string {
  const { operatorMs, atATime, searches, searchesPerSecond, processorMicroseconds, p50Ms, p99Ms } = measured;
  return [
    `\ncompleted searches, operators at ${operatorMs} ms, ${searches} searches, ${atATime} at a time`,
    `  ${searchesPerSecond.toFixed(0)} searches/s, ${processorMicroseconds.toFixed(0)} µs of processor a search, ` +
      `p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`,
  ].join('\n');
}

function megabytes({ heap, outside }: HeldMemory): string {
  return `${((heap + outside) / 1e6).toFixed(0)} MB`;
}

function kilobytesEach(peak: HeldMemory, before: HeldMemory, calls: number): string {
  return ((peak.heap + peak.outside - before.heap - before.outside) / calls / 1000).toFixed(1);
}
