import { type Figure, figure } from '../document/figure.ts';
import { duration, whole } from '../document/quantities.ts';
import { median } from '../median.ts';
import type { Soak, SoakInterval } from './measure-soak.ts';

/** The last quarter as a multiple of the first. */
const MAX_MEMORY_RATIO = 1.1;
const MAX_P99_RATIO = 1.5;

export function soakFigures(soak: Soak): readonly Figure[] {
  const { intervals, intervalSeconds, homes, steadyPerSecond, fullPerSecond } = soak;
  const quarter = Math.max(1, Math.floor(intervals.length / 4));
  const quarters = { first: intervals.slice(0, quarter), last: intervals.slice(-quarter) };
  const errors = sumOf(intervals, 'errors');
  const requests = sumOf(intervals, 'requests');

  function compared(
    what: string,
    member: keyof SoakInterval,
    format: (value: number) => string,
    limit: number,
  ): Figure {
    const [first, last] = [quarters.first, quarters.last].map((some) =>
      median(some.map((one) => one[member])),
    ) as [number, number];
    return figure(`${what}, last quarter`, format(last), {
      baseline: `first quarter ${format(first)}`,
      ratio: (last / first).toFixed(2),
      goal: `at most ${limit}`,
      isMet: last / first <= limit,
    });
  }

  const milliseconds = (value: number) => duration(value * 1000);
  return [
    figure(
      `soak, ${whole((intervals.length * intervalSeconds) / 60)} minutes, ${whole(homes)} homes`,
      `${whole(requests)} requests`,
      { baseline: `${steadyPerSecond.toFixed(1)} of ${fullPerSecond.toFixed(1)} whole searches a second` },
    ),
    figure('errors', whole(errors), { goal: 'none', isMet: errors === 0 }),
    compared('resident memory', 'residentBytes', megabytes, MAX_MEMORY_RATIO),
    compared('memory of the index', 'indexBytes', megabytes, MAX_MEMORY_RATIO),
    compared('p99 of openings, steps and results', 'p99Ms', milliseconds, MAX_P99_RATIO),
    compared('p99 of completed searches', 'searchP99Ms', milliseconds, MAX_P99_RATIO),
    ...intervals.map((one, position) => intervalFigure(position + 1, one)),
  ];
}

function intervalFigure(number: number, one: SoakInterval): Figure {
  return figure(
    `minute ${number}: ${whole(one.requests)} requests, ${whole(one.errors)} errors, ${whole(one.updatesPerSecond)} calendars/s`,
    duration(one.p50Ms * 1000),
    {
      p99: duration(one.p99Ms * 1000),
      baseline:
        `${whole(one.searches)} searches, median ${duration(one.searchP50Ms * 1000)}, p99 ${duration(one.searchP99Ms * 1000)}; ` +
        `resident ${megabytes(one.residentBytes)}, index ${megabytes(one.indexBytes)}`,
    },
  );
}

function sumOf(intervals: readonly SoakInterval[], member: keyof SoakInterval): number {
  return intervals.reduce((sum, one) => sum + one[member], 0);
}

function megabytes(bytes: number): string {
  return `${whole(bytes / 1e6)} MB`;
}
