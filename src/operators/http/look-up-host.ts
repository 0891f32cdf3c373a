import { type LookupAddress, TIMEOUT } from 'node:dns';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../clock.ts';
import { openDeadline, untilAborted } from '../../quotes/deadline.ts';
import { createMachineNames, type MachineNames } from './machine-names.ts';
import { type AskNameServers, createNameServers, faultCode, isUnknownName } from './name-servers.ts';
import { createSystemLookup, type SystemLookup } from './system-lookup.ts';

/** The addresses of a host, never none. Rejects when it has none or they cannot be found in time, with the code of the fault. */
export type LookUpHost = (hostname: string, options?: LookupOptions) => Promise<readonly LookupAddress[]>;

export type LookupOptions = {
  /** Whether only public addresses are of use: name servers know those, so neither search domains nor the system are asked. */
  readonly isPublicOnly?: boolean;
};

/** Leaves a second of the time to connect. */
const MAX_LOOKUP_MS = 2000;
const KEEP_ADDRESSES_MS = 30_000;
const KEEP_FAULT_MS = 3000;
const MAX_KEPT_NAMES = 1000;

type KeptLookup = { readonly end: Promise<readonly LookupAddress[]>; readonly expiresAt: number };

/**
 * How the names of operators' servers become addresses. Operators decide what their name servers do, so a name that is never
 * answered must cost nothing that another name needs: neither a thread nor a place in a line.
 */
export function createHostLookup({
  clock,
  machineNames = createMachineNames(),
  askNameServers = createNameServers({ clock }),
  createLine = createSystemLookup,
}: {
  readonly clock: Clock;
  readonly machineNames?: MachineNames;
  readonly askNameServers?: AskNameServers;
  readonly createLine?: () => SystemLookup;
}): LookUpHost {
  const underWay = new Map<string, Promise<readonly LookupAddress[]>>();
  const kept = new LRUCache<string, KeptLookup>({ max: MAX_KEPT_NAMES });
  // No operator answers for a name without a dot, so those have a line in which no operator can be.
  const [lineOfShortNames, lineOfOthers] = [createLine(), createLine()];

  return (hostname, { isPublicOnly = false } = {}) => {
    const key = `${hostname} ${isPublicOnly}`;
    const known = kept.get(key);
    if (known && known.expiresAt > clock.elapsed()) return known.end;
    const same = underWay.get(key);
    if (same) return same;
    const lookup = findInTime(hostname, isPublicOnly);
    underWay.set(key, lookup);
    const keepFor = (keepMs: number) => {
      underWay.delete(key);
      kept.set(key, { end: lookup, expiresAt: clock.elapsed() + keepMs });
    };
    lookup.then(
      () => keepFor(KEEP_ADDRESSES_MS),
      () => keepFor(KEEP_FAULT_MS),
    );
    return lookup;
  };

  async function findInTime(hostname: string, isPublicOnly: boolean): Promise<readonly LookupAddress[]> {
    const deadline = openDeadline({ clock, timeoutMs: MAX_LOOKUP_MS });
    try {
      return await find(hostname, isPublicOnly, deadline.signal);
    } catch (fault) {
      throw fault === deadline.signal.reason ? notInTime() : fault;
    } finally {
      deadline.close();
    }
  }

  async function find(hostname: string, isPublicOnly: boolean, signal: AbortSignal) {
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
    if (!mayTheSystemKnow(fault, isPublicOnly)) throw fault;
    const line = hostname.includes('.') ? lineOfOthers : lineOfShortNames;
    // What the name servers said is the better reason than that the line was too long.
    return line(hostname, signal).catch((reason: unknown) => {
      throw signal.aborted ? fault : reason;
    });
  }
}

/** Names of the local network, or a machine whose name servers this process cannot reach. */
function mayTheSystemKnow(fault: unknown, isPublicOnly: boolean): boolean {
  return faultCode(fault) === 'ECONNREFUSED' || (!isPublicOnly && isUnknownName(fault));
}

function notInTime(): Error {
  return Object.assign(new Error(`no name server answered within ${MAX_LOOKUP_MS} ms`), { code: TIMEOUT });
}
