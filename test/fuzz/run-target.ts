import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { FuzzTarget, OpenTarget, Timed } from './fuzz-target.ts';
import { randomForInput } from './input-random.ts';

export type FuzzRun = {
  readonly seed: number;
  readonly inputs: number;
  /** Runs this input alone. */
  readonly only?: number | undefined;
  /** Called for every fault; when it throws, the run ends. */
  readonly onFault: (fault: FuzzFault) => void;
};

export type FuzzFault = { readonly index: number; readonly fault: unknown };

export type FuzzReport = {
  readonly inputs: number;
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly slowestCpuMs: number;
  readonly grownBytes: number;
};

/** A collection or a compilation may fall into an input; what is slow by itself is slow each time. */
const TRIES_FOR_TIME = 3;
const MAX_HEAP_SAMPLES = 24;
const MIN_HEAP_SAMPLES = 6;
const INPUTS_PER_HEAP_SAMPLE = 1000;
const MAX_CPU_MS_PER_MEBIBYTE = 60;
/** What takes quadratic time takes much longer than this. */
const SLOW_MACHINE = 3;
/** Caches fill, and code is compiled, for some time. */
const MAX_GROWTH_BYTES = 24 * 1024 * 1024;
/** A last resort: CPU time shows what works too long, this shows what waits for ever. */
const MAX_WAIT_MS = 60_000;

/** Puts inputs through a target one by one, and reports crashes, broken answers, slowness and growth. */
export async function runTarget(target: FuzzTarget, run: FuzzRun): Promise<FuzzReport> {
  const startedAt = performance.now();
  const cpuAtStart = process.cpuUsage();
  const indexes = run.only === undefined ? numbersBelow(run.inputs) : [run.only];
  const heap: number[] = [];
  const samples = Math.min(MAX_HEAP_SAMPLES, Math.max(MIN_HEAP_SAMPLES, run.inputs / INPUTS_PER_HEAP_SAMPLE));
  const sampleEvery = Math.max(1, Math.floor(run.inputs / samples));
  let current = -1;
  let slowestCpuMs = 0;
  let count = 0;
  let open: OpenTarget | undefined;
  const stray = (fault: unknown) => run.onFault({ index: current, fault });
  process.on('unhandledRejection', stray).on('uncaughtException', stray);
  try {
    for (const index of indexes) {
      if (open && count % target.inputsPerOpening === 0) {
        await open.close();
        open = undefined;
      }
      open ??= await target.open();
      if (count % sampleEvery === 0) heap.push(usedHeap());
      current = index;
      count += 1;
      try {
        const { cpuMs, maxCpuMs } = await cpuTimeOf(target, open, run.seed, index);
        slowestCpuMs = Math.max(slowestCpuMs, cpuMs);
        if (cpuMs > maxCpuMs) {
          const message = `took ${cpuMs.toFixed(0)} ms of CPU time, ${maxCpuMs.toFixed(0)} are allowed`;
          run.onFault({ index, fault: new Error(message) });
        }
      } catch (fault) {
        run.onFault({ index, fault });
      }
    }
    const grownBytes = growthOf(heap);
    if (grownBytes > MAX_GROWTH_BYTES + (target.keptBytesPerInput ?? 0) * count) {
      run.onFault({
        index: current,
        fault: new Error(`the heap grew by ${grownBytes} bytes over ${count} inputs`),
      });
    }
    const { user, system } = process.cpuUsage(cpuAtStart);
    return {
      inputs: count,
      seconds: (performance.now() - startedAt) / 1000,
      cpuSeconds: (user + system) / 1e6,
      slowestCpuMs,
      grownBytes,
    };
  } finally {
    await open?.close();
    process.off('unhandledRejection', stray).off('uncaughtException', stray);
  }
}

async function cpuTimeOf(target: FuzzTarget, open: OpenTarget, seed: number, index: number) {
  let cpuMs = Number.POSITIVE_INFINITY;
  let maxCpuMs = SLOW_MACHINE * target.maxCpuMs;
  for (let tries = 0; tries < TRIES_FOR_TIME && cpuMs > maxCpuMs; tries += 1) {
    const watch = cpuWatch();
    const answer = open.run(randomForInput(seed, target.name, index), watch.timed);
    if (answer instanceof Promise) await withinWait(answer);
    cpuMs = Math.min(cpuMs, watch.totalMs());
    maxCpuMs = SLOW_MACHINE * (target.maxCpuMs + (watch.length() / 2 ** 20) * MAX_CPU_MS_PER_MEBIBYTE);
  }
  return { cpuMs, maxCpuMs };
}

function cpuWatch(): { readonly timed: Timed; totalMs(): number; length(): number } {
  let microseconds = 0;
  let timedLength = 0;
  const since = (start: NodeJS.CpuUsage) => {
    const { user, system } = process.threadCpuUsage(start);
    microseconds += user + system;
  };
  return {
    timed(work, length = 0) {
      timedLength += length;
      const start = process.threadCpuUsage();
      const answer = work();
      if (answer instanceof Promise) return answer.finally(() => since(start)) as typeof answer;
      since(start);
      return answer;
    },
    totalMs: () => microseconds / 1000,
    length: () => timedLength,
  };
}

/** One timer is kept for the process, because a timer for each input would cost more than most inputs. */
let waitEndsAt = Number.POSITIVE_INFINITY;
let giveUp: (fault: Error) => void = () => {};
setInterval(() => {
  if (performance.now() > waitEndsAt) giveUp(new Error(`gave no answer within ${MAX_WAIT_MS} ms`));
}, 1000).unref();

async function withinWait(answer: Promise<void>): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  waitEndsAt = performance.now() + MAX_WAIT_MS;
  giveUp = reject;
  try {
    await Promise.race([answer, promise]);
  } finally {
    waitEndsAt = Number.POSITIVE_INFINITY;
  }
}

function* numbersBelow(limit: number): Generator<number> {
  for (let number = 0; number < limit; number += 1) yield number;
}

/** From the middle third of the samples to the last, by medians. */
function growthOf(samples: readonly number[]): number {
  if (samples.length < 6) return 0;
  const third = Math.floor(samples.length / 3);
  return median(samples.slice(-third)) - median(samples.slice(third, 2 * third));
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}

let collect: (() => void) | undefined;

function usedHeap(): number {
  if (!collect) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as () => void;
  }
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
