import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';
import { type Address, parseAddress } from '../reading/address.ts';
import type { Resolver } from './resolver.ts';

/** The names of an address that are in one of the domains and resolve back to the same address. None when in doubt. */
export type ConfirmedNames = (address: Address) => Promise<readonly string[]>;

const LOOKUP_DEADLINE_MS = 2_000;
const KEEP_CONFIRMED_MS = 10 * 60_000;
const KEEP_UNCONFIRMED_MS = 60_000;
const MAX_REMEMBERED_ADDRESSES = 10_000;
const MAX_LOOKUPS_AT_ONCE = 64;
/** The owner of an address can give it any number of names, and each one costs us a lookup. */
const MAX_NAMES_TRIED = 4;
const NONE: readonly string[] = [];

type RememberedNames = { readonly names: readonly string[]; readonly expiresAt: number };

export function createConfirmedNames(deps: {
  readonly resolver: Resolver;
  readonly domains: () => readonly string[];
  readonly clock: Clock;
}): ConfirmedNames {
  const { resolver, domains, clock } = deps;
  const remembered = new LRUCache<string, RememberedNames>({ max: MAX_REMEMBERED_ADDRESSES });
  const running = new Map<string, Promise<readonly string[]>>();

  return async (address) => {
    const text = address.toString();
    const known = remembered.get(text);
    if (known && known.expiresAt > clock.elapsed()) return known.names;
    const same = running.get(text);
    if (same) return same;
    if (running.size >= MAX_LOOKUPS_AT_ONCE) return NONE;
    const lookup = lookUp(text);
    running.set(text, lookup);
    return lookup;
  };

  async function lookUp(address: string): Promise<readonly string[]> {
    const names = await withinDeadline(confirm(address));
    running.delete(address);
    const keepMs = names.length > 0 ? KEEP_CONFIRMED_MS : KEEP_UNCONFIRMED_MS;
    remembered.set(address, { names, expiresAt: clock.elapsed() + keepMs });
    return names;
  }

  async function confirm(address: string): Promise<readonly string[]> {
    const claimed = (await resolver.reverse(address)).map((name) => name.toLowerCase().replace(/\.$/, ''));
    const candidates = claimed.filter((name) => domains().some((domain) => liesUnder(name, domain)));
    const confirmed = await Promise.all(
      candidates.slice(0, MAX_NAMES_TRIED).map(async (name) => {
        const addresses = await resolver.forward(name).catch(() => NONE);
        return addresses.some((found) => parseAddress(found)?.toString() === address) ? [name] : [];
      }),
    );
    return confirmed.flat();
  }

  function withinDeadline(names: Promise<readonly string[]>): Promise<readonly string[]> {
    return new Promise((resolve) => {
      const cancel = clock.after(LOOKUP_DEADLINE_MS, () => resolve(NONE));
      names
        .catch(() => NONE)
        .then((found) => {
          cancel();
          resolve(found);
        });
    });
  }
}

/** The domain itself or a name below it: `evilexample.com` does not lie under `example.com`. */
export function liesUnder(name: string, domain: string): boolean {
  return name === domain || name.endsWith(`.${domain}`);
}
