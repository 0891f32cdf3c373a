import { setTimeout as sleep } from 'node:timers/promises';
import { ALL_CORES, type Child, startChild } from '../child.ts';
import { createClient } from '../client.ts';
import { createSyntheticInventory } from '../inventory/synthetic-inventory.ts';
import { findSaturation } from '../load/saturation.ts';
import { quantile } from '../median.ts';
import type { ServiceState, SoakOrder } from './soak-order.ts';
import { fullRate, startSteadily } from './steady-load.ts';
import { type Answered, createStays, travel } from './traveller.ts';

/** What happened in an interval, a minute unless it is a trial. */
export type SoakInterval = {
  readonly requests: number;
  readonly errors: number;
  /** Of all requests but those that complete a search. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly searches: number;
  readonly searchP50Ms: number;
  readonly searchP99Ms: number;
  readonly updatesPerSecond: number;
  readonly residentBytes: number;
  readonly indexBytes: number;
};

export type Soak = {
  readonly homes: number;
  readonly intervalSeconds: number;
  /** Searches from the opening to the result, in a second: at full load, and during the soak. */
  readonly fullPerSecond: number;
  readonly steadyPerSecond: number;
  readonly intervals: readonly SoakInterval[];
  /** The first few, for whoever has to find out. */
  readonly faults: readonly string[];
};

export type SoakWork = {
  readonly seed: number;
  readonly homes: number;
  readonly intervals: number;
  readonly intervalSeconds: number;
  readonly fullLoadSeconds: number;
  readonly updatesPerSecond: number;
};

const OPERATORS = 4;
const OPERATOR_MS = 50;
const CONNECTIONS = 128;
/** How many travellers at a time are tried, to find the full load. */
const WIDTHS = [4, 8, 16, 32, 64];
const SHARE_OF_FULL_LOAD = 0.5;
const MAX_FAULTS_KEPT = 5;
const MS_PER_DAY = 86_400_000;

/** Steady load on a service while calendars change all the time. */
export async function measureSoak(
  { intervals: count, intervalSeconds, fullLoadSeconds, ...work }: SoakWork,
  tell: (line: string) => void,
): Promise<Soak> {
  const today = Math.floor(Date.now() / MS_PER_DAY);
  const operators = await startChild<readonly string[]>('./prices/booking-systems.process.ts', ALL_CORES, [
    String(OPERATORS),
  ]);
  await operators.ask('delay', OPERATOR_MS);
  const order: SoakOrder = { ...work, today, origins: operators.ready };
  const service = await startChild<string>('./soak/soak.process.ts', ALL_CORES, [JSON.stringify(order)]);
  const client = createClient(service.ready, CONNECTIONS);
  const faults: string[] = [];
  let recording = createRecording();

  try {
    await untilLoaded(service, work.homes);
    tell(`  ${work.homes.toLocaleString('en')} homes are in the index`);
    const nextStay = createStays({ inventory: createSyntheticInventory(order), seed: work.seed });
    const search = () =>
      travel(client, nextStay(), (...answer) => recording.answered(...answer)).catch((fault: Error) => {
        recording.failed();
        if (faults.length < MAX_FAULTS_KEPT) faults.push(fault.message);
      });
    // Until the stored homes are on disk and V8 has optimised what a search needs.
    await fullRate(2 * fullLoadSeconds, WIDTHS[0] ?? 1, search);
    const { width, rate: fullPerSecond } = await findSaturation(WIDTHS, (tried) =>
      fullRate(fullLoadSeconds, tried, search),
    );
    const steadyPerSecond = fullPerSecond * SHARE_OF_FULL_LOAD;
    tell(
      `  ${fullPerSecond.toFixed(1)} whole searches a second at full load, ${width} at a time, ${steadyPerSecond.toFixed(1)} from now on`,
    );

    const load = startSteadily(steadyPerSecond, search);
    // What waited at full load is not the soak's.
    await sleep(Math.min(5, intervalSeconds) * 1000);
    faults.length = 0;
    recording = createRecording();
    const intervals: SoakInterval[] = [];
    let before = await service.ask<ServiceState>('state');
    for (let interval = 0; interval < count; interval += 1) {
      await sleep(intervalSeconds * 1000);
      const after = await service.ask<ServiceState>('state');
      const recorded = recording;
      recording = createRecording();
      const one = {
        ...recorded.summary(),
        updatesPerSecond: (after.updates - before.updates) / intervalSeconds,
        residentBytes: after.residentBytes,
        indexBytes: after.indexBytes,
      };
      intervals.push(one);
      before = after;
      tell(intervalLine(interval + 1, one));
    }
    await load.stop();
    const { homes } = work;
    return { homes, intervalSeconds, fullPerSecond, steadyPerSecond, intervals, faults };
  } finally {
    await client.close();
    await service.close();
    await operators.close();
  }
}

async function untilLoaded(service: Child<string>, homes: number): Promise<void> {
  while ((await service.ask<ServiceState>('state')).homes < homes) await sleep(500);
}

function createRecording() {
  const times: Readonly<Record<Parameters<Answered>[0], number[]>> = { answer: [], search: [] };
  let errors = 0;
  return {
    answered: ((kind, milliseconds) => times[kind].push(milliseconds)) satisfies Answered,
    failed() {
      errors += 1;
    },
    summary: () => ({
      requests: times.answer.length + times.search.length + errors,
      errors,
      p50Ms: quantile(times.answer, 0.5),
      p99Ms: quantile(times.answer, 0.99),
      searches: times.search.length,
      searchP50Ms: quantile(times.search, 0.5),
      searchP99Ms: quantile(times.search, 0.99),
    }),
  };
}

function intervalLine(number: number, one: SoakInterval): string {
  const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;
  return (
    `  ${String(number).padStart(3)}: ${one.requests} requests, ${one.errors} errors, p50 ${one.p50Ms.toFixed(2)} ms, p99 ${one.p99Ms.toFixed(1)} ms; ` +
    `${one.searches} searches, p50 ${one.searchP50Ms.toFixed(0)} ms, p99 ${one.searchP99Ms.toFixed(0)} ms; ` +
    `${one.updatesPerSecond.toFixed(0)} calendars/s; resident ${megabytes(one.residentBytes)}, index ${megabytes(one.indexBytes)}`
  );
}
