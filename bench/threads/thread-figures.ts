import { type Figure, figure } from '../document/figure.ts';
import { duration, whole } from '../document/quantities.ts';
import type { RequestKind } from '../load/slice.ts';
import type { SideMeasured, SidesCompared } from './compare-sides.ts';
import type { RequestsCompared } from './measure-requests.ts';
import type { SearchesCompared } from './measure-searches.ts';

/** Two threads to one, with the load allowed for. */
const THREADS_GOAL = 1.7;

export const REQUEST_TITLES: Readonly<Record<RequestKind, string>> = {
  step: 'step with a value',
  read: 'step that is read',
  result: 'result read again',
};

/** What was measured, and then what it is with the load allowed for, which the goal is about. */
export function requestFigures({ kind, connections, ...compared }: RequestsCompared): readonly Figure[] {
  return sideFigures(`two threads, ${REQUEST_TITLES[kind]}, ${connections} connections`, compared, {
    goal: `at least ${THREADS_GOAL}`,
    isMet: compared.allowedRatio >= THREADS_GOAL,
  });
}

/** No goal: a completed search is mostly the work of the one thread that asks the operators. */
export function searchFigures({ operatorMs, atATime, ...compared }: SearchesCompared): readonly Figure[] {
  return sideFigures(
    `two threads, completed searches, ${operatorMs} ms upstream, ${atATime[2]} (one: ${atATime[1]}) at a time`,
    compared,
    {},
  );
}

function sideFigures(
  what: string,
  { sides, ratio, allowedRatio }: Omit<SidesCompared, 'failures'>,
  goal: Partial<Figure>,
): readonly Figure[] {
  const [one, two] = [sides[1], sides[2]];
  return [
    figure(what, `${whole(two.perSecond)}/s`, {
      p99: duration(two.p99Ms * 1000),
      baseline: `one thread ${whole(one.perSecond)}/s, p99 ${duration(one.p99Ms * 1000)}`,
      ratio: ratio.toFixed(2),
    }),
    figure('— with the load allowed for', `${whole(two.allowedPerSecond)}/s`, {
      baseline: `one thread ${whole(one.allowedPerSecond)}/s`,
      ratio: allowedRatio.toFixed(2),
      ...goal,
    }),
    figure('— by processor time alone', `${whole(two.boundPerSecond)}/s`, {
      baseline: `one thread ${whole(one.boundPerSecond)}/s`,
      ratio: (two.boundPerSecond / one.boundPerSecond).toFixed(2),
    }),
    figure('— median', duration(two.p50Ms * 1000), { baseline: `one thread ${duration(one.p50Ms * 1000)}` }),
    figure('— processor time of the service for each', duration(two.processorMicroseconds), {
      baseline: `one thread ${duration(one.processorMicroseconds)}`,
      ratio: (two.processorMicroseconds / one.processorMicroseconds).toFixed(2),
    }),
    figure('— load and other work, of the machine', machineOf(two), {
      baseline: `one thread ${machineOf(one)}`,
    }),
  ];
}

function machineOf({ loadShare, otherShare }: SideMeasured): string {
  return `${percent(loadShare)} and ${percent(otherShare)}`;
}

function percent(share: number): string {
  return `${whole(share * 100)} %`;
}
