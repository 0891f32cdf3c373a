import { setTimeout as sleep } from 'node:timers/promises';
import { type Child, LOAD_CORE, SERVER_CORE, startChild } from '../child.ts';
import type { HeldMemory } from './quote-calls.process.ts';

export type CallsInFlight = {
  readonly calls: number;
  /** With all connections open and nothing asked for. */
  readonly before: HeldMemory;
  readonly rounds: readonly { readonly peak: HeldMemory; readonly after: HeldMemory }[];
};

/** As many as each operator may have at most in the network file. */
const CALLS_PER_BRAND = 64;
const MAX_WAIT_MS = 20_000;

/** Holds calls in flight, all at once, against operators that do not answer, and tells what they occupy. */
export async function measureCallsInFlight({
  calls,
  rounds,
}: {
  readonly calls: number;
  readonly rounds: number;
}): Promise<CallsInFlight> {
  const brands = String(Math.ceil(calls / CALLS_PER_BRAND));
  const operators = await startChild<readonly string[]>('./prices/booking-systems.process.ts', LOAD_CORE, [
    brands,
  ]);
  const asking = await startChild<null>('./prices/quote-calls.process.ts', SERVER_CORE, operators.ready);
  const memory = () => asking.ask<HeldMemory>('memory');
  const holdAll = async (): Promise<HeldMemory> => {
    await operators.ask('close');
    await asking.ask('hold', calls);
    await arrivalOf(operators, calls);
    const peak = await memory();
    await operators.ask('open');
    await asking.ask('release');
    return peak;
  };
  try {
    // Opens the connections, which stay.
    await holdAll();
    const before = await memory();
    const measured: { readonly peak: HeldMemory; readonly after: HeldMemory }[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const peak = await holdAll();
      measured.push({ peak, after: await memory() });
    }
    return { calls, before, rounds: measured };
  } finally {
    await asking.close();
    await operators.close();
  }
}

async function arrivalOf(operators: Child<readonly string[]>, calls: number): Promise<void> {
  const giveUpAt = performance.now() + MAX_WAIT_MS;
  while (performance.now() < giveUpAt) {
    if ((await operators.ask<number>('inFlight')) >= calls) return;
    await sleep(20);
  }
  throw new Error(`${calls} calls were not in flight at once within ${MAX_WAIT_MS} ms`);
}
