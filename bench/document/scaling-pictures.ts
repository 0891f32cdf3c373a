import type { IndexCosts } from '../index/measure-index.ts';
import { type Curve, drawCurves } from './curves.ts';
import { digits, whole } from './quantities.ts';

/** What the index costs, against the number of homes. */
export function costAgainstHomes(costs: readonly IndexCosts[]): string {
  const curve = (name: string, microseconds: (one: IndexCosts) => number | undefined): Curve => ({
    name,
    points: costs.flatMap((one) => {
      const y = microseconds(one);
      return y === undefined ? [] : [{ x: one.homes, y }];
    }),
  });
  const step = (wanted: string, area: string) => (one: IndexCosts) =>
    one.steps.find((other) => other.step === wanted && other.area === area)?.allBrands.medianUs;
  return drawCurves({
    title: 'What a question costs, against the number of homes',
    description: 'Median microseconds of questions to the index, for inventories of different sizes.',
    xTitle: 'homes',
    yTitle: 'microseconds (median)',
    xText: whole,
    yText: digits,
    curves: [
      curve('full question, biggest place', (one) => one.fullQuestion.place?.allBrands.medianUs),
      curve('full question, country', (one) => one.fullQuestion.country?.allBrands.medianUs),
      curve('destinations, network', step('destinations', 'network')),
      curve('days, biggest place', step('days', 'place')),
      curve('calendar replaced', (one) => one.replaced.medianUs),
      curve('built, a home', (one) => one.buildUsPerHome),
    ],
  });
}

export type LoadPoint = { readonly connections: number; readonly requestsPerSecond: number };

/** What the service answers, against how many connections ask at once. */
export function throughputAgainstConnections(
  series: readonly { readonly name: string; readonly points: readonly LoadPoint[] }[],
): string {
  return drawCurves({
    title: 'Requests a second, against connections',
    description: 'Requests that are answered in a second on one core, for different numbers of connections.',
    xTitle: 'connections',
    yTitle: 'requests a second (median)',
    xText: whole,
    yText: whole,
    curves: series.map(({ name, points }) => ({
      name,
      points: points.map(({ connections, requestsPerSecond }) => ({ x: connections, y: requestsPerSecond })),
    })),
  });
}
