import { Resolver as DnsResolver } from 'node:dns/promises';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';
import { type Address, parseAddress } from '../parsing/ip-address.ts';

/** DNS lookups. Both reject when the name servers give no answer; "no such name" is an answer. */
export interface Resolver {
  /** The names that the owner of an address claims for it. */
  reverse(address: string): Promise<readonly string[]>;
  /** The addresses of a name in one family. */
  forward(name: string, family: 4 | 6): Promise<readonly string[]>;
}

const LOOKUP_DEADLINE_MS = 2_000;
/** From this age on, confirmed names are looked up again. */
const CONFIRMED_TTL_MS = 10 * 60_000;
/** While name servers give no answer, confirmed names are valid up to this age. */
const UNANSWERED_CONFIRMED_TTL_MS = 60 * 60_000;
const DENIED_TTL_MS = 60_000;
/** Short, so that callers are admitted soon after an outage of name servers. */
const UNANSWERED_TTL_MS = 10_000;
const MAX_CACHED_ADDRESSES = 2000;
const MAX_LOOKUPS_AT_ONCE = 1024;
/** The owner of a network controls its reverse names, and can delay every lookup up to the deadline. */
const MAX_LOOKUPS_OF_A_NETWORK = 16;
/** The owner of an address can give it any number of names, and each one costs a lookup. */
const MAX_NAMES_TRIED = 4;
const NONE: readonly string[] = [];

type Confirmed = { readonly names: readonly string[]; readonly at: number; until: number };

/** Finds the names of an address that lie in one of the domains and resolve back to the same address. None when in doubt. */
export function createConfirmedNames({
  resolver,
  clock,
}: {
  readonly resolver: Resolver;
  readonly clock: Clock;
}): (address: Address, domains: readonly string[]) => Promise<readonly string[]> {
  const confirmed = new LRUCache<string, Confirmed>({ max: MAX_CACHED_ADDRESSES });
  /** Until when. Separate, so that strangers with many addresses cannot evict confirmed ones. */
  const refused = new LRUCache<string, number>({ max: MAX_CACHED_ADDRESSES });
  const running = new Map<string, Promise<readonly string[]>>();
  const runningOfNetwork = new Map<string, number>();
  let domainsBefore = '';

  return async (address, domains) => {
    // Names are cached by domain, so a change by the owner takes effect at once.
    if (domains.join(' ') !== domainsBefore) {
      domainsBefore = domains.join(' ');
      confirmed.clear();
      refused.clear();
      running.clear();
    }
    const text = address.toString();
    const now = clock.elapsed();
    const known = confirmed.get(text);
    if (known && now < known.until) return known.names;
    if (now < (refused.get(text) ?? 0)) return NONE;
    return running.get(text) ?? lookUpOnce(address, text, domains);
  };

  async function lookUpOnce(address: Address, text: string, domains: readonly string[]) {
    const network = networkOf(address);
    const ofNetwork = runningOfNetwork.get(network) ?? 0;
    if (running.size >= MAX_LOOKUPS_AT_ONCE || ofNetwork >= MAX_LOOKUPS_OF_A_NETWORK) return NONE;
    runningOfNetwork.set(network, ofNetwork + 1);
    const lookup = lookUp(address, text, domains);
    running.set(text, lookup);
    const names = await lookup;
    if (running.get(text) === lookup) running.delete(text);
    const left = (runningOfNetwork.get(network) ?? 1) - 1;
    if (left > 0) runningOfNetwork.set(network, left);
    else runningOfNetwork.delete(network);
    return names;
  }

  /** Caches the result. Never rejects. */
  async function lookUp(address: Address, text: string, domains: readonly string[]) {
    const among = domainsBefore;
    const names = await withinDeadline(confirm(address, text, domains));
    const now = clock.elapsed();
    if (among !== domainsBefore) return names ?? NONE;
    if (names === null) {
      const known = confirmed.get(text);
      if (known && now - known.at < UNANSWERED_CONFIRMED_TTL_MS) {
        known.until = now + UNANSWERED_TTL_MS;
        return known.names;
      }
      refused.set(text, now + UNANSWERED_TTL_MS);
      return NONE;
    }
    if (names.length > 0) {
      confirmed.set(text, { names, at: now, until: now + CONFIRMED_TTL_MS });
    } else {
      confirmed.delete(text);
      refused.set(text, now + DENIED_TTL_MS);
    }
    return names;
  }

  async function confirm(
    address: Address,
    text: string,
    among: readonly string[],
  ): Promise<readonly string[]> {
    const claimed = (await resolver.reverse(text)).map((name) => name.toLowerCase().replace(/\.$/, ''));
    const candidates = claimed.filter((name) => among.some((domain) => liesUnder(name, domain)));
    const family = address.kind() === 'ipv4' ? 4 : 6;
    const tried = await Promise.allSettled(
      candidates.slice(0, MAX_NAMES_TRIED).map(async (name) => {
        const found = await resolver.forward(name, family);
        return found.some((one) => parseAddress(one)?.toString() === text) ? [name] : [];
      }),
    );
    const names = tried.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
    const unanswered = tried.find((one) => one.status === 'rejected');
    // The name whose lookup failed might have confirmed the address.
    if (names.length === 0 && unanswered) throw unanswered.reason;
    return names;
  }

  /** Null if the name servers have not answered. */
  function withinDeadline(names: Promise<readonly string[]>): Promise<readonly string[] | null> {
    return new Promise((resolve) => {
      const cancel = clock.after(LOOKUP_DEADLINE_MS, () => resolve(null));
      names
        .catch(() => null)
        .then((found) => {
          cancel();
          resolve(found);
        });
    });
  }
}

/** An approximation of one owner's network: the first 24 bits of an IPv4 address, 32 of an IPv6 address. */
function networkOf(address: Address): string {
  return address
    .toByteArray()
    .slice(0, address.kind() === 'ipv4' ? 3 : 4)
    .join();
}

/** The domain itself or a name below it: `evilexample.com` does not lie under `example.com`. */
export function liesUnder(name: string, domain: string): boolean {
  return name === domain || name.endsWith(`.${domain}`);
}

const ATTEMPT_MS = 600;
const MAX_ATTEMPTS = 2;
/** The machine's name servers may be reconfigured. */
const MAX_CONFIGURATION_AGE_MS = 30_000;
/** Answers for a name that does not exist, or has no record of this kind. */
const NOTHING: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA']);

/** Uses the machine's name servers, or the given ones (`address:port`). */
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
    // Not `reverse`, which reports a missing name also when no name server has answered.
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

/** The name for reverse lookups: the bytes of the address, or the digits of IPv6, from the last to the first. */
function reverseNameOf(text: string): string {
  const address = parseAddress(text);
  if (!address) throw new TypeError(`"${text}" is no address`);
  const bytes = address.toByteArray();
  if (address.kind() === 'ipv4') return `${bytes.toReversed().join('.')}.in-addr.arpa`;
  const digits = bytes.flatMap((byte) => [byte >> 4, byte & 15]).map((digit) => digit.toString(16));
  return `${digits.toReversed().join('.')}.ip6.arpa`;
}
