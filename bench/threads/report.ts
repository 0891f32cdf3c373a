import { whole } from '../document/quantities.ts';
import type { SideMeasured, SidesCompared } from './compare-sides.ts';
import type { RequestsCompared } from './measure-requests.ts';
import type { SearchesCompared } from './measure-searches.ts';
import { REQUEST_TITLES } from './thread-figures.ts';

export function reportRequests({ kind, connections, unexpected, ...compared }: RequestsCompared): string {
  const strange = Object.entries(unexpected).map(([outcome, count]) => `${count} × ${outcome}`);
  return [
    `\n${REQUEST_TITLES[kind]}, ${connections} connections, nothing pinned`,
    ...linesOf(compared),
    ...(strange.length > 0 ? [`  not as expected: ${strange.join(', ')}`] : []),
  ].join('\n');
}

export function reportSearches({ operatorMs, atATime, ...compared }: SearchesCompared): string {
  return [
    `\ncompleted searches, operators at ${operatorMs} ms, ${atATime[1]} and ${atATime[2]} at a time, nothing pinned`,
    ...linesOf(compared),
  ].join('\n');
}

function linesOf({ sides, ratio, allowedRatio, spread, failures }: SidesCompared): readonly string[] {
  const [lowest, highest] = spread.map((one) => one.toFixed(2));
  const share = (sides[2].leastThreadShare * 100).toFixed(0);
  return [
    line('one thread', sides[1]),
    line('two threads', sides[2]),
    `  ratio ${ratio.toFixed(2)} (single slices ${lowest} to ${highest}), with the load allowed for ${allowedRatio.toFixed(2)}; ` +
      `the less busy of two desks did ${share} % of their work`,
    ...(failures > 0 ? [`  ${failures} requests failed`] : []),
  ];
}

function line(name: string, side: SideMeasured): string {
  return (
    `  ${name.padEnd(12)}${whole(side.perSecond).padStart(7)}/s, ${side.processorMicroseconds.toFixed(0).padStart(4)} µs of processor each, ` +
    `p50 ${side.p50Ms.toFixed(2)} ms, p99 ${side.p99Ms.toFixed(2)} ms; busiest thread ${(side.busiestThread * 100).toFixed(0)} % of a processor, ` +
    `load ${(side.loadShare * 100).toFixed(0)} % and other work ${(side.otherShare * 100).toFixed(0)} % of the machine; ${whole(side.allowedPerSecond)}/s with the load allowed for, ${whole(side.boundPerSecond)}/s by processor time alone`
  );
}
