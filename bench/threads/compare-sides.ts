import { ALL_CORES, type Child } from '../child.ts';
import type { SliceOutcome } from '../load/slice.ts';
import { median } from '../median.ts';
import { allowedRate, boundOfProcessors } from './allowed-rate.ts';
import { busyTime } from './busy-processors.ts';
import { forEachSide, type PerSide, type Side, type ThreadParts } from './thread-parts.ts';

/** Medians over the slices of one service. */
export type SideMeasured = {
  readonly perSecond: number;
  /** With the load allowed for. */
  readonly allowedPerSecond: number;
  /** What its processor time alone would allow on all processors. */
  readonly boundPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Of all threads of the service, for each request. */
  readonly processorMicroseconds: number;
  /** What the load used of all processors, from 0 to 1. */
  readonly loadShare: number;
  /** What anything else used of them meanwhile, the start of the load included. With much of it the rates say little. */
  readonly otherShare: number;
  /** What the busiest thread of the service used of a processor. */
  readonly busiestThread: number;
  /** The processor time of the least busy thread that answers, as a share of that of all of them: 0.5 of two is even. */
  readonly leastThreadShare: number;
};

export type SidesCompared = {
  readonly sides: PerSide<SideMeasured>;
  /** Two threads to one. */
  readonly ratio: number;
  readonly allowedRatio: number;
  /** Lowest and highest ratio of a pair of neighbouring slices. */
  readonly spread: readonly [number, number];
  readonly failures: number;
};

type MeasuredSlice = SideMeasured & { readonly failures: number };

/** The services take turns, slice by slice, so that what else the machine does slows both alike. */
export async function compareSides({
  services,
  slices,
  warmUpSlices,
  run,
}: Pick<ThreadParts, 'services'> & {
  readonly slices: number;
  readonly warmUpSlices: number;
  /** Prepares a slice, and resolves with what loads the service. */
  readonly run: (side: Side) => Promise<() => Promise<SliceOutcome>>;
}): Promise<SidesCompared> {
  const measure = async (side: Side) => measureSlice(services[side], await run(side));
  for (let slice = 0; slice < warmUpSlices; slice += 1) await forEachSide(measure);
  const measured: PerSide<MeasuredSlice>[] = [];
  for (let slice = 0; slice < slices; slice += 1) measured.push(await forEachSide(measure));

  const sides = {
    1: summary(measured.map((round) => round[1])),
    2: summary(measured.map((round) => round[2])),
  };
  const pairs = measured.map((round) => round[2].perSecond / round[1].perSecond);
  return {
    sides,
    ratio: sides[2].perSecond / sides[1].perSecond,
    allowedRatio: sides[2].allowedPerSecond / sides[1].allowedPerSecond,
    spread: [Math.min(...pairs), Math.max(...pairs)],
    failures: measured.flatMap((round) => [round[1], round[2]]).reduce((sum, one) => sum + one.failures, 0),
  };
}

async function measureSlice(
  service: Child<string>,
  load: () => Promise<SliceOutcome>,
): Promise<MeasuredSlice> {
  const threadsBefore = await service.ask<readonly number[]>('threadTimes');
  const usedBefore = await service.ask<number>('processorTime');
  const startedAt = performance.now();
  const busyBefore = busyTime();
  const { requests, seconds, loadMicroseconds, ...outcome } = await load();
  const busy = busyTime() - busyBefore;
  const wholeMicroseconds = (performance.now() - startedAt) * 1000;
  const used = (await service.ask<number>('processorTime')) - usedBefore;
  const threadsAfter = await service.ask<readonly number[]>('threadTimes');

  const inProcessors = (microseconds: number) => microseconds / (seconds * 1e6);
  const threads = threadsAfter.map((time, thread) => inProcessors(time - (threadsBefore[thread] ?? 0)));
  const handlers = threads.length === 1 ? threads : threads.slice(1);
  const shares = {
    machine: ALL_CORES.length,
    load: inProcessors(loadMicroseconds),
    service: inProcessors(used),
    busiestThread: Math.max(...threads),
  };
  return {
    ...outcome,
    perSecond: requests / seconds,
    allowedPerSecond: allowedRate(requests / seconds, shares),
    boundPerSecond: boundOfProcessors(requests / seconds, shares),
    processorMicroseconds: used / Math.max(1, requests),
    loadShare: shares.load / shares.machine,
    otherShare: Math.max(0, (busy - used - loadMicroseconds) / wholeMicroseconds / shares.machine),
    busiestThread: shares.busiestThread,
    leastThreadShare: Math.min(...handlers) / handlers.reduce((sum, one) => sum + one, 0),
  };
}

function summary(slices: readonly MeasuredSlice[]): SideMeasured {
  const of = (member: keyof SideMeasured) => median(slices.map((slice) => slice[member]));
  return {
    perSecond: of('perSecond'),
    allowedPerSecond: of('allowedPerSecond'),
    boundPerSecond: of('boundPerSecond'),
    p50Ms: of('p50Ms'),
    p99Ms: of('p99Ms'),
    processorMicroseconds: of('processorMicroseconds'),
    loadShare: of('loadShare'),
    otherShare: of('otherShare'),
    busiestThread: of('busiestThread'),
    leastThreadShare: of('leastThreadShare'),
  };
}
