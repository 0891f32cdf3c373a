import { Resolver as DnsResolver } from 'node:dns/promises';
import type { Clock } from '../clock.ts';
import { parseAddress } from '../parsing/ip-address.ts';
import type { Resolver } from './resolver.ts';

const ATTEMPT_MS = 600;
const MAX_ATTEMPTS = 2;
/** By then the name servers that this machine is configured with may be others. */
const MAX_CONFIGURATION_AGE_MS = 30_000;
/** What name servers answer when there is no such name, or nothing of the kind that was asked for. */
const NOTHING: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA']);

/** Uses the name servers that this machine is configured with, or the given ones (`address:port`). */
export function createDnsResolver({
  clock,
  servers,
}: {
  readonly clock: Pick<Clock, 'elapsed'>;
  readonly servers?: readonly string[];
}): Resolver {
  let configured = configure();

  function configure() {
    const dns = new DnsResolver({ timeout: ATTEMPT_MS, tries: MAX_ATTEMPTS });
    if (servers) dns.setServers(servers);
    return { dns, at: clock.elapsed() };
  }

  function current(): DnsResolver {
    if (clock.elapsed() - configured.at > MAX_CONFIGURATION_AGE_MS) configured = configure();
    return configured.dns;
  }

  return {
    // Not `reverse`: it says that there is no such name also when no name server has answered.
    reverse: (address) => orNothing(current().resolvePtr(reverseNameOf(address))),
    forward: (name, family) => orNothing(family === 4 ? current().resolve4(name) : current().resolve6(name)),
  };
}

function orNothing(found: Promise<string[]>): Promise<readonly string[]> {
  return found.catch((fault: unknown) => {
    if (fault instanceof Error && 'code' in fault && NOTHING.has(fault.code)) return [];
    throw fault;
  });
}

/** Under which an address has its names: its bytes, or for IPv6 its digits, from the last to the first. */
function reverseNameOf(text: string): string {
  const address = parseAddress(text);
  if (!address) throw new TypeError(`"${text}" is no address`);
  const bytes = address.toByteArray();
  if (address.kind() === 'ipv4') return `${bytes.toReversed().join('.')}.in-addr.arpa`;
  const digits = bytes.flatMap((byte) => [byte >> 4, byte & 15]).map((digit) => digit.toString(16));
  return `${digits.toReversed().join('.')}.ip6.arpa`;
}
