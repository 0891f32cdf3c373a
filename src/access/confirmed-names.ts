import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';
import { type Address, parseAddress } from '../parsing/ip-address.ts';
import type { Resolver } from './resolver.ts';

/** The names of an address that are in one of the domains and resolve back to the same address. None when in doubt. */
export type ConfirmedNames = (address: Address) => Promise<readonly string[]>;

const LOOKUP_DEADLINE_MS = 2_000;
/** From this age on, confirmed names are looked up again while they go on being used. */
const REFRESH_AFTER_MS = 10 * 60_000;
/** And at most this long after they were confirmed, whatever name servers do. */
const KEEP_CONFIRMED_MS = 60 * 60_000;
const RETRY_REFRESH_MS = 30_000;
const KEEP_DENIED_MS = 60_000;
/** Short, so that an outage of name servers does not outlast itself. */
const KEEP_UNANSWERED_MS = 10_000;
const MAX_REMEMBERED_ADDRESSES = 10_000;
const MAX_LOOKUPS_AT_ONCE = 1024;
/** The owner of a network also owns its reverse names, and can let every lookup of them take as long as it may. */
const MAX_LOOKUPS_OF_A_NETWORK = 16;
/** The owner of an address can give it any number of names, and each one costs us a lookup. */
const MAX_NAMES_TRIED = 4;
const NONE: readonly string[] = [];

type Domains = readonly string[];

type Confirmed = {
  readonly names: readonly string[];
  readonly at: number;
  refreshAt: number;
  /** Those among which its names were looked for. */
  domains: Domains;
};
type Refused = { readonly until: number; readonly domains: Domains };

/**
 * A caller that was confirmed never waits again while it goes on calling: its names are looked up in the background, and those it has hold
 * meanwhile. Name servers that do not answer take nothing from it for an hour; those that answer "no" take it at once.
 */
export function createConfirmedNames({
  resolver,
  domains,
  clock,
}: {
  readonly resolver: Resolver;
  /** As they are now; the same array until they change. Names in a domain that is not among them any more may still be given. */
  readonly domains: () => Domains;
  readonly clock: Clock;
}): ConfirmedNames {
  const confirmed = new LRUCache<string, Confirmed>({ max: MAX_REMEMBERED_ADDRESSES });
  /** Apart from the confirmed, which strangers cannot push out by coming from many addresses. */
  const refused = new LRUCache<string, Refused>({ max: MAX_REMEMBERED_ADDRESSES });
  const running = new Map<string, Promise<readonly string[]>>();
  const runningOfNetwork = new Map<string, number>();
  let refreshes = 0;

  return async (address) => {
    const text = address.toString();
    const known = confirmed.get(text);
    const now = clock.elapsed();
    // What was found under other domains is looked up again, so that a change by the owner takes effect at once.
    const current = domains();
    if (known && now - known.at < KEEP_CONFIRMED_MS) {
      if (now >= known.refreshAt || known.domains !== current) refresh(address, text, known);
      return known.names;
    }
    const refusal = refused.get(text);
    if (refusal && refusal.until > now && refusal.domains === current) return NONE;
    return running.get(text) ?? lookUpFirst(address, text);
  };

  function refresh(address: Address, text: string, known: Confirmed): void {
    known.refreshAt = clock.elapsed() + RETRY_REFRESH_MS;
    known.domains = domains();
    if (refreshes >= MAX_LOOKUPS_AT_ONCE) return;
    refreshes += 1;
    lookUp(address, text).finally(() => {
      refreshes -= 1;
    });
  }

  async function lookUpFirst(address: Address, text: string): Promise<readonly string[]> {
    const network = networkOf(address);
    const ofNetwork = runningOfNetwork.get(network) ?? 0;
    if (running.size >= MAX_LOOKUPS_AT_ONCE || ofNetwork >= MAX_LOOKUPS_OF_A_NETWORK) return NONE;
    runningOfNetwork.set(network, ofNetwork + 1);
    const lookup = lookUp(address, text);
    running.set(text, lookup);
    const names = await lookup;
    running.delete(text);
    const left = (runningOfNetwork.get(network) ?? 1) - 1;
    if (left > 0) runningOfNetwork.set(network, left);
    else runningOfNetwork.delete(network);
    return names;
  }

  /** Remembers what it finds. Never rejects. */
  async function lookUp(address: Address, text: string): Promise<readonly string[]> {
    const among = domains();
    const names = await withinDeadline(confirm(address, text, among));
    const now = clock.elapsed();
    if (names === null) {
      refused.set(text, { until: now + KEEP_UNANSWERED_MS, domains: among });
      return NONE;
    }
    if (names.length > 0) {
      confirmed.set(text, { names, at: now, refreshAt: now + REFRESH_AFTER_MS, domains: among });
    } else {
      confirmed.delete(text);
      refused.set(text, { until: now + KEEP_DENIED_MS, domains: among });
    }
    return names;
  }

  async function confirm(address: Address, text: string, among: Domains): Promise<readonly string[]> {
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
    // A name that could not be looked up may be the one that would have confirmed the address.
    if (names.length === 0 && unanswered) throw unanswered.reason;
    return names;
  }

  /** Null when the name servers have not answered. */
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

/** What one owner may have: the first 24 bits of an IPv4 address, 32 of an IPv6 address. */
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
