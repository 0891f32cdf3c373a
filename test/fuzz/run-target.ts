import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type InputRandom, randomForInput } from './input-random.ts';

/** One way into the service, which strangers may send anything. */
export type FuzzTarget = {
  readonly name: string;
  /** Its part of a run over all targets. */
  readonly weight: number;
  /** CPU time that one input of ordinary size may take on this thread. */
  readonly maxCpuMs: number;
  /** After so many inputs everything is closed and opened anew, so that what a service rightly stores is not taken for a leak. */
  readonly inputsPerOpening?: number;
  /** What one input may leave behind for ever. Zero by default. */
  readonly keptBytesPerInput?: number;
  open(): Promise<OpenTarget> | OpenTarget;
};

export type OpenTarget = {
  /** Builds an input, puts it through, and throws when the answer is not what the contract allows. */
  run(random: InputRandom, timed: Timed): Promise<void> | void;
  close?(): Promise<void>;
};

/** Calls the code under test and counts its CPU time. A document of megabytes may take more, in proportion to its `length`. */
export type Timed = <Answer>(work: () => Answer, length?: number) => Answer;

export type FuzzRun = {
  readonly seed: number;
  readonly inputs: number;
  /** Runs this input alone. */
  readonly only?: number | undefined;
  /** Called for every fault; when it throws, the run ends. */
  readonly onFault: (fault: { readonly index: number; readonly fault: unknown }) => void;
};

/** A collection or a compilation may fall into an input; what is slow by itself is slow each time. */
const TRIES_FOR_TIME = 3;
const MAX_CPU_MS_PER_MEBIBYTE = 60;
/** What takes quadratic time takes much longer than this. */
const SLOW_MACHINE = 3;
/** Caches fill, and code is compiled, for some time. */
const MAX_GROWTH_BYTES = 24 * 1024 * 1024;
/** A last resort: CPU time shows what works too long, this shows what waits for ever. */
const MAX_WAIT_MS = 60_000;

/** Puts inputs through a target one by one, and reports crashes, broken answers, slowness and growth. */
export async function runTarget(target: FuzzTarget, { seed, inputs, only, onFault }: FuzzRun) {
  const indexes = only === undefined ? Array.from({ length: inputs }).keys() : [only];
  const { inputsPerOpening = 100_000, keptBytesPerInput = 0 } = target;
  let current = -1;
  let slowestCpuMs = 0;
  let count = 0;
  let heapBefore = Number.POSITIVE_INFINITY;
  let open: OpenTarget | undefined;
  const stray = (fault: unknown) => onFault({ index: current, fault });
  process.on('unhandledRejection', stray).on('uncaughtException', stray);
  try {
    for (const index of indexes) {
      if (open && count % inputsPerOpening === 0) {
        await open.close?.();
        open = undefined;
      }
      open ??= await target.open();
      if (count === Math.floor(inputs / 2)) heapBefore = usedHeap();
      current = index;
      count += 1;
      try {
        const { cpuMs, maxCpuMs } = await cpuTimeOf(target, open, seed, index);
        slowestCpuMs = Math.max(slowestCpuMs, cpuMs);
        if (cpuMs > maxCpuMs) throw new Error(`took ${cpuMs.toFixed(0)} ms of CPU time, not ${maxCpuMs}`);
      } catch (fault) {
        onFault({ index, fault });
      }
    }
    const grownBytes = usedHeap() - heapBefore;
    if (grownBytes > MAX_GROWTH_BYTES + keptBytesPerInput * count) {
      onFault({ index: current, fault: new Error(`the heap grew by ${grownBytes} bytes`) });
    }
    return { count, slowestCpuMs };
  } finally {
    await open?.close?.();
    process.off('unhandledRejection', stray).off('uncaughtException', stray);
  }
}

async function cpuTimeOf(target: FuzzTarget, open: OpenTarget, seed: number, index: number) {
  let cpuMs = Number.POSITIVE_INFINITY;
  let maxCpuMs = SLOW_MACHINE * target.maxCpuMs;
  for (let tries = 0; tries < TRIES_FOR_TIME && cpuMs > maxCpuMs; tries += 1) {
    let [microseconds, timedLength] = [0, 0];
    const since = (start: NodeJS.CpuUsage) => {
      const { user, system } = process.threadCpuUsage(start);
      microseconds += user + system;
    };
    const timed: Timed = (work, length = 0) => {
      timedLength += length;
      const start = process.threadCpuUsage();
      const answer = work();
      if (answer instanceof Promise) return answer.finally(() => since(start)) as typeof answer;
      since(start);
      return answer;
    };
    const answer = open.run(randomForInput(seed, target.name, index), timed);
    if (answer instanceof Promise) await withinWait(answer);
    cpuMs = Math.min(cpuMs, microseconds / 1000);
    maxCpuMs = SLOW_MACHINE * (target.maxCpuMs + (timedLength / 2 ** 20) * MAX_CPU_MS_PER_MEBIBYTE);
  }
  return { cpuMs, maxCpuMs };
}

async function withinWait(answer: Promise<void>): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  const giveUp = () => reject(new Error(`gave no answer within ${MAX_WAIT_MS} ms`));
  const timer = setTimeout(giveUp, MAX_WAIT_MS);
  try {
    await Promise.race([answer, promise]);
  } finally {
    clearTimeout(timer);
  }
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
