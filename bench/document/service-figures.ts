import type { SearchLatency } from '../latency.ts';
import { LATENCY_GOAL_MS } from '../report.ts';
import type { Comparison } from '../throughput.ts';
import { type Figure, figure } from './figure.ts';
import { digits, duration, whole } from './quantities.ts';
import type { LoadPoint } from './scaling-pictures.ts';

/** What the table needs of a comparison. */
export type MeasuredLoad = Pick<Comparison, 'scenario' | 'service' | 'bare' | 'ratio'>;

export function throughputFigure({ scenario, service, bare, ratio }: MeasuredLoad): Figure {
  return figure(
    `${scenario.title}, ${scenario.connections} connections`,
    `${whole(service.requestsPerSecond)}/s`,
    {
      p99: duration(service.p99Ms * 1000),
      baseline: `bare server ${whole(bare.requestsPerSecond)}/s`,
      ratio: ratio.toFixed(2),
      ...(scenario.goal === null ? {} : { goal: `at least ${scenario.goal}`, isMet: ratio >= scenario.goal }),
    },
  );
}

export function latencyFigure({ concurrency, operatorMs, search, over }: SearchLatency): Figure {
  return figure(
    `completed search, ${concurrency} at a time`,
    `${digits(over)} ms over the operators’ ${operatorMs} ms`,
    {
      p99: `p95 ${digits(search.p95)} ms`,
      baseline: `${digits(search.median)} ms altogether`,
      goal: `at most ${LATENCY_GOAL_MS} ms`,
      isMet: over <= LATENCY_GOAL_MS,
    },
  );
}

/** A curve for each kind of request that was measured with enough numbers of connections, and the bare server beside them. */
export function loadSeries(
  comparisons: readonly MeasuredLoad[],
): readonly { readonly name: string; readonly points: readonly LoadPoint[] }[] {
  const byTitle = Map.groupBy(comparisons, ({ scenario }) => scenario.title);
  const series = [...byTitle].filter(([, measured]) => measured.length >= MIN_POINTS);
  const inOrder = (measured: readonly MeasuredLoad[]) =>
    measured.toSorted((one, other) => one.scenario.connections - other.scenario.connections);
  const curve = (name: string, measured: readonly MeasuredLoad[], server: 'service' | 'bare') => ({
    name,
    points: inOrder(measured).map((comparison) => ({
      connections: comparison.scenario.connections,
      requestsPerSecond: comparison[server].requestsPerSecond,
    })),
  });
  const [first] = series;
  return [
    ...series.map(([title, measured]) => curve(title, measured, 'service')),
    ...(first ? [curve('bare server', first[1], 'bare')] : []),
  ];
}

const MIN_POINTS = 3;
