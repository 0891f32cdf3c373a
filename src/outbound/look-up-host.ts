import { ADDRCONFIG, type LookupAddress, TIMEOUT } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';
import { createCoalescer } from '../limits/coalesce.ts';
import { openDeadline, untilAborted } from '../limits/deadline.ts';
import {
  type AskNameServers,
  createMachineNames,
  createNameServers,
  faultCode,
  isUnknownName,
  type MachineNames,
} from './name-sources.ts';

/** The addresses of a host, at least one. Rejects with the code of the fault when it finds none in time. */
export type LookUpHost = (hostname: string, signal: AbortSignal) => Promise<readonly LookupAddress[]>;

/** Leaves a second for connecting. */
const MAX_LOOKUP_MS = 2000;
const CACHE_ADDRESSES_MS = 30_000;
const CACHE_FAULT_MS = 3000;
const MAX_CACHED_NAMES = 1000;

type CachedLookup = { readonly expiresAt: number } & (
  | { readonly kind: 'found'; readonly addresses: readonly LookupAddress[] }
  | { readonly kind: 'failed'; readonly fault: unknown }
);

/**
 * Looks up the names of operators' servers. Operators control their name servers, so a name that is never answered must not block the
 * threads or queue places that other names need.
 */
export function createHostLookup({
  clock,
  isPublicOnly = false,
  machineNames = createMachineNames(),
  askNameServers = createNameServers({ clock }),
  createLine = createSystemLookup,
}: {
  readonly clock: Clock;
  /** Whether to find public addresses only. Name servers know those, so search domains and the system resolver are not used. */
  readonly isPublicOnly?: boolean;
  readonly machineNames?: MachineNames;
  readonly askNameServers?: AskNameServers;
  readonly createLine?: () => SystemLookup;
}): LookUpHost {
  const share = createCoalescer<readonly LookupAddress[]>();
  const cached = new LRUCache<string, CachedLookup>({ max: MAX_CACHED_NAMES });
  // No operator controls names without a dot, so these get a queue that no operator can block.
  const [lineOfShortNames, lineOfOthers] = [createLine(), createLine()];

  return async (hostname, signal) => {
    const known = cached.get(hostname);
    if (!known || known.expiresAt <= clock.elapsed()) {
      return share(hostname, (abandoned) => findAndCache(hostname, abandoned), signal);
    }
    if (known.kind === 'failed') throw known.fault;
    return known.addresses;
  };

  async function findAndCache(hostname: string, abandoned: AbortSignal): Promise<readonly LookupAddress[]> {
    const deadline = openDeadline({ clock, timeoutMs: MAX_LOOKUP_MS, parent: abandoned });
    try {
      const addresses = await find(hostname, deadline.signal);
      cached.set(hostname, { kind: 'found', addresses, expiresAt: clock.elapsed() + CACHE_ADDRESSES_MS });
      return addresses;
    } catch (error) {
      if (abandoned.aborted) throw error;
      const fault = error === deadline.signal.reason ? notInTime() : error;
      cached.set(hostname, { kind: 'failed', fault, expiresAt: clock.elapsed() + CACHE_FAULT_MS });
      throw fault;
    } finally {
      deadline.close();
    }
  }

  async function find(hostname: string, signal: AbortSignal): Promise<readonly LookupAddress[]> {
    const own = await untilAborted(machineNames.addressesOf(hostname.replace(/\.$/, '')), signal);
    if (own.length > 0) return own;
    const spellings = isPublicOnly
      ? [hostname]
      : await untilAborted(machineNames.spellingsOf(hostname), signal);
    const faults: unknown[] = [];
    for (const spelling of spellings) {
      try {
        return await untilAborted(askNameServers(spelling), signal);
      } catch (fault) {
        if (signal.aborted) throw fault;
        faults.push(fault);
      }
    }
    const fault = faults.find((one) => !isUnknownName(one)) ?? faults[0];
    if (!mayTheSystemKnow(fault)) throw fault;
    const line = hostname.includes('.') ? lineOfOthers : lineOfShortNames;
    // The fault of the name servers is a better reason than a timeout in the queue.
    return line(hostname, signal).catch((reason: unknown) => {
      throw signal.aborted ? fault : reason;
    });
  }

  /** Names of the local network, or all names if this process can reach no name server. */
  function mayTheSystemKnow(fault: unknown): boolean {
    return faultCode(fault) === 'ECONNREFUSED' || (!isPublicOnly && isUnknownName(fault));
  }
}

function notInTime(): Error {
  return Object.assign(new Error(`no name server answered within ${MAX_LOOKUP_MS} ms`), { code: TIMEOUT });
}

/** Looks a name up with the system resolver, as other programs on this machine do. */
export type SystemLookup = (name: string, signal: AbortSignal) => Promise<readonly LookupAddress[]>;

/**
 * Looks up one name at a time. The system blocks a thread per lookup, for up to half a minute when a name server is silent, and cannot
 * be cancelled. Callers that give up leave the queue.
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
      // The turn came in the same moment: pass it to the next caller.
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

/** Async, because a name that the system refuses would otherwise throw synchronously and block the queue for ever. */
async function askTheSystem(name: string): Promise<readonly LookupAddress[]> {
  return lookup(name, { all: true, hints: ADDRCONFIG });
}
