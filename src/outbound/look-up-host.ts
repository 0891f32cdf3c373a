import { ADDRCONFIG, type LookupAddress, TIMEOUT } from 'node:dns';
import { lookup, Resolver } from 'node:dns/promises';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';
import { createCoalescer } from '../limits/coalesce.ts';
import { openDeadline, untilAborted } from '../limits/deadline.ts';

/** The addresses of a host, at least one. Rejects with the code of the fault when it finds none in time. */
export type LookUpHost = (hostname: string, signal: AbortSignal) => Promise<readonly LookupAddress[]>;

/** Leaves a second for connecting. */
const MAX_LOOKUP_MS = 2000;
const CACHE_ADDRESSES_MS = 30_000;
const CACHE_FAULT_MS = 3000;
const MAX_CACHED_NAMES = 1000;
/** Two tries take 1.2 s together. */
const NAME_SERVER_ATTEMPTS = { timeout: 400, maxTimeout: 800, tries: 2 } as const;
/** Per family; an answer can hold thousands. */
const MAX_ADDRESSES = 16;
const NEVER = new AbortController().signal;

type CachedLookup = { readonly expiresAt: number } & (
  | { readonly kind: 'found'; readonly addresses: readonly LookupAddress[] }
  | { readonly kind: 'failed'; readonly fault: unknown }
);

/** Asks for one name. It may take longer than a caller waits. */
export type AskForAddresses = (name: string) => Promise<readonly LookupAddress[]>;

/**
 * Looks up names for all clients. A name is asked for once at a time, even when its callers have left: a lookup of the system that is
 * never answered then blocks one thread, not one for each caller.
 */
export function createHostLookup({
  clock,
  ask,
}: {
  readonly clock: Clock;
  readonly ask: AskForAddresses;
}): LookUpHost {
  const share = createCoalescer<readonly LookupAddress[]>();
  const cached = new LRUCache<string, CachedLookup>({ max: MAX_CACHED_NAMES });

  async function find(hostname: string): Promise<readonly LookupAddress[]> {
    try {
      const addresses = await ask(hostname);
      cached.set(hostname, { kind: 'found', addresses, expiresAt: clock.elapsed() + CACHE_ADDRESSES_MS });
      return addresses;
    } catch (fault) {
      cached.set(hostname, { kind: 'failed', fault, expiresAt: clock.elapsed() + CACHE_FAULT_MS });
      throw fault;
    }
  }

  return async (hostname, signal) => {
    const known = cached.get(hostname);
    if (known && known.expiresAt > clock.elapsed()) {
      if (known.kind === 'failed') throw known.fault;
      return known.addresses;
    }
    const deadline = openDeadline({ clock, timeoutMs: MAX_LOOKUP_MS, parent: signal });
    try {
      return await untilAborted(
        share(hostname, () => find(hostname), NEVER),
        deadline.signal,
      );
    } catch (error) {
      const isLate = error === deadline.signal.reason && !signal.aborted;
      throw isLate
        ? Object.assign(new Error(`no address within ${MAX_LOOKUP_MS} ms`), { code: TIMEOUT })
        : error;
    } finally {
      deadline.close();
    }
  };
}

/** As other programs on this machine look names up: for names that the owner wrote. Holds one of few threads until it is answered. */
export async function askSystem(name: string): Promise<readonly LookupAddress[]> {
  return lookup(name, { all: true, hints: ADDRCONFIG });
}

/**
 * Asks the machine's name servers, or the given ones (`address:port`), without a thread: for names that operators wrote, who can write
 * hundreds that are never answered. Knows no hosts file and no search domains: such names have no public address.
 */
export function createNameServerLookup(servers?: readonly string[]): AskForAddresses {
  return async (name) => {
    // A new one for each lookup, because the machine's configuration may have changed.
    const dns = new Resolver(NAME_SERVER_ATTEMPTS);
    if (servers) dns.setServers(servers);
    const families = await Promise.allSettled([dns.resolve4(name), dns.resolve6(name)]);
    const found = families.flatMap((family, index) =>
      family.status === 'rejected'
        ? []
        : family.value.slice(0, MAX_ADDRESSES).map((address) => ({ address, family: index === 0 ? 4 : 6 })),
    );
    if (found.length > 0) return found;
    const faults = families.flatMap((family) => (family.status === 'rejected' ? [family.reason] : []));
    throw faults.find((fault) => fault.code !== 'ENODATA') ?? faults[0];
  };
}
