import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import type { Clock } from '../clock.ts';

/** Asks the name servers for a name as it is written. Rejects with the code of the fault; see `isUnknownName`. */
export type AskNameServers = (name: string) => Promise<readonly LookupAddress[]>;

const FIRST_ATTEMPT_MS = 400;
const MAX_ATTEMPT_MS = 800;
const MAX_ATTEMPTS = 3;
/** Some name servers never answer for IPv6. Its answer is waited for only so long once there is one for IPv4. */
const WAIT_FOR_IPV6_MS = 50;
/** Few machines reach everything by IPv6 alone, so an answer for IPv4 that was lost may come at the second attempt. */
const WAIT_FOR_IPV4_MS = FIRST_ATTEMPT_MS + MAX_ATTEMPT_MS;
/** Of each family; an answer has room for thousands. */
const MAX_ADDRESSES = 16;

/** By then the servers that this machine is configured with may be others. */
const MAX_CONFIGURATION_AGE_MS = 30_000;

const UNKNOWN_NAME: ReadonlySet<string> = new Set(['ENOTFOUND', 'ENODATA']);

/** Uses the servers that this machine is configured with, or the given ones (`address:port`). No thread waits for an answer. */
export function createNameServers({
  clock,
  servers,
}: {
  readonly clock: Clock;
  readonly servers?: readonly string[] | undefined;
}): AskNameServers {
  let configured = configure();

  function configure() {
    const dns = new Resolver({ timeout: FIRST_ATTEMPT_MS, maxTimeout: MAX_ATTEMPT_MS, tries: MAX_ATTEMPTS });
    if (servers) dns.setServers(servers);
    return { dns, at: clock.elapsed() };
  }

  return async (name) => {
    if (clock.elapsed() - configured.at > MAX_CONFIGURATION_AGE_MS) configured = configure();
    const { dns } = configured;
    const ipv4: LookupAddress[] = [];
    const ipv6: LookupAddress[] = [];
    const families = [
      dns.resolve4(name).then((found) => ipv4.push(...asAddresses(found, 4))),
      dns.resolve6(name).then((found) => ipv6.push(...asAddresses(found, 6))),
    ];
    const patience = Promise.withResolvers<void>();
    let stopTimer = () => {};
    Promise.any(families).then(
      () => {
        stopTimer = clock.after(ipv4.length > 0 ? WAIT_FOR_IPV6_MS : WAIT_FOR_IPV4_MS, patience.resolve);
      },
      () => {},
    );
    const faults = await Promise.race([faultsOf(families), patience.promise]);
    stopTimer();
    if (ipv4.length + ipv6.length > 0) return [...ipv4, ...ipv6];
    throw faults?.find((fault) => !isUnknownName(fault)) ?? faults?.[0];
  };
}

/** Whether the name servers have answered that there is no such name, or no address for it. */
export function isUnknownName(fault: unknown): boolean {
  return UNKNOWN_NAME.has(faultCode(fault));
}

export function faultCode(fault: unknown): string {
  return fault instanceof Error && 'code' in fault ? String(fault.code) : '';
}

async function faultsOf(families: readonly Promise<unknown>[]): Promise<readonly unknown[]> {
  const ends = await Promise.allSettled(families);
  return ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
}

function asAddresses(found: readonly string[], family: 4 | 6): LookupAddress[] {
  return found.slice(0, MAX_ADDRESSES).map((address) => ({ address, family }));
}
