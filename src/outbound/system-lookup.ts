import { ADDRCONFIG, type LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { untilAborted } from '../limits/deadline.ts';

/** Looks a name up as every other program on this machine would. */
export type SystemLookup = (name: string, signal: AbortSignal) => Promise<readonly LookupAddress[]>;

/**
 * One name at a time. The system holds a thread for each until it ends, which can be half a minute when a name server is
 * silent, and it cannot be told to stop. Whoever gives up leaves the line.
 */
export function createSystemLookup(
  ask: (name: string) => Promise<readonly LookupAddress[]> = askTheSystem,
): SystemLookup {
  const line = new Set<() => void>();
  let isBusy = false;

  function callNext(): void {
    const [next] = line;
    isBusy = next !== undefined;
    if (!next) return;
    line.delete(next);
    next();
  }

  async function turn(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    line.add(resolve);
    await untilAborted(promise, signal).catch((reason: unknown) => {
      // Called in the same moment: the turn is for the next one.
      if (!line.delete(resolve)) callNext();
      throw reason;
    });
  }

  return async (name, signal) => {
    signal.throwIfAborted();
    if (isBusy) await turn(signal);
    isBusy = true;
    return untilAborted(ask(name).finally(callNext), signal);
  };
}

/** Async, because a name that no system takes would otherwise throw, and hold the line for ever. */
async function askTheSystem(name: string): Promise<readonly LookupAddress[]> {
  return lookup(name, { all: true, hints: ADDRCONFIG });
}
