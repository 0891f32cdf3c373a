import { cpus } from 'node:os';
import { ALL_CORES, type Child } from '../child.ts';
import type { SliceOutcome } from '../load/slice.ts';
import { median } from '../median.ts';
import { forEachSide, type NodeParts, type PerSide, SIDES, type Side } from './node-parts.ts';

/** Over the slices of one side: medians, and for the processor time all of it for all requests. */
export type SideMeasured = {
  readonly perSecond: number;
  /** Had every node a processor of its own, and the load and the servers theirs: nobody waits for anything then. */
  readonly boundPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Of all nodes together, for each request, in microseconds. */
  readonly nodes: number;
  readonly redis: number;
  readonly postgres: number;
  /** What the load used of all processors, from 0 to 1, and what anything else did that is not of this side. */
  readonly loadShare: number;
  readonly otherShare: number;
};

export type SidesCompared = {
  readonly sides: PerSide<SideMeasured>;
  readonly failures: number;
};

type MeasuredSlice = SliceOutcome & {
  readonly used: { readonly nodes: number; readonly redis: number; readonly postgres: number };
  readonly busiestThread: number;
  readonly otherShare: number;
};

/** The sides take turns, slice by slice, so that what else the machine does slows all of them alike. */
export async function compareSides({
  parts,
  slices,
  warmUpSlices,
  run,
}: {
  readonly parts: NodeParts;
  readonly slices: number;
  readonly warmUpSlices: number;
  /** Prepares a slice, and resolves with what loads the service. */
  readonly run: (side: Side) => Promise<() => Promise<SliceOutcome>>;
}): Promise<SidesCompared> {
  const measure = async (side: Side) => measureSlice(parts, side, await run(side));
  for (let slice = 0; slice < warmUpSlices; slice += 1) await forEachSide(measure);
  const rounds: PerSide<MeasuredSlice>[] = [];
  for (let slice = 0; slice < slices; slice += 1) rounds.push(await forEachSide(measure));
  return {
    sides: await forEachSide(async (side) => summary(rounds.map((round) => round[side]))),
    failures: sum(rounds.flatMap((round) => SIDES.map((side) => round[side].failures))),
  };
}

async function measureSlice(
  { services, servers }: NodeParts,
  side: Side,
  load: () => Promise<SliceOutcome>,
): Promise<MeasuredSlice> {
  const nodes = services[side];
  const before = await timesOf(nodes);
  const serversBefore = servers.processorTimes();
  const startedAt = performance.now();
  const busyBefore = busyTime();
  const outcome = await load();
  const busy = busyTime() - busyBefore;
  const wholeMicroseconds = (performance.now() - startedAt) * 1000;
  const serversAfter = servers.processorTimes();
  const after = await timesOf(nodes);

  const used = {
    nodes: sum(after.map(({ process }, node) => process - (before[node]?.process ?? 0))),
    redis: serversAfter.redis - serversBefore.redis,
    postgres: serversAfter.postgres - serversBefore.postgres,
  };
  const mainThreads = after.map(({ mainThread }, node) => mainThread - (before[node]?.mainThread ?? 0));
  const ownMicroseconds = used.nodes + used.redis + used.postgres + outcome.loadMicroseconds;
  return {
    ...outcome,
    used,
    busiestThread: Math.max(...mainThreads) / (outcome.seconds * 1e6),
    otherShare: Math.max(0, (busy - ownMicroseconds) / wholeMicroseconds / ALL_CORES.length),
  };
}

function timesOf(nodes: readonly Child<string>[]) {
  return Promise.all(
    nodes.map(async (node) => ({
      process: await node.ask<number>('processorTime'),
      mainThread: await node.ask<number>('mainThreadTime'),
    })),
  );
}

function summary(slices: readonly MeasuredSlice[]): SideMeasured {
  const medianOf = (value: (slice: MeasuredSlice) => number) => median(slices.map(value));
  const requests = Math.max(1, sum(slices.map((slice) => slice.requests)));
  const eachOf = (part: keyof MeasuredSlice['used']) => sum(slices.map(({ used }) => used[part])) / requests;
  return {
    perSecond: medianOf((slice) => slice.requests / slice.seconds),
    boundPerSecond: medianOf((slice) => slice.requests / slice.seconds / slice.busiestThread),
    p50Ms: medianOf((slice) => slice.p50Ms),
    p99Ms: medianOf((slice) => slice.p99Ms),
    nodes: eachOf('nodes'),
    redis: eachOf('redis'),
    postgres: eachOf('postgres'),
    loadShare: medianOf((slice) => slice.loadMicroseconds / (slice.seconds * 1e6) / ALL_CORES.length),
    otherShare: medianOf((slice) => slice.otherShare),
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Processor time that all programs on this machine have used, in microseconds. */
function busyTime(): number {
  return cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + user + nice + sys + irq, 0) * 1000;
}
