import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';
import { type Address, parseAddress } from './address.ts';
import type { Resolver } from './resolver.ts';

/** The names of an address that lie under one of our domains and lead back to the same address. None when in doubt. */
export type ConfirmedNames = (address: Address) => readonly string[] | Promise<readonly string[]>;

const DEADLINE = 2_000;
const KEPT_WHEN_CONFIRMED = 10 * 60_000;
const KEPT_WHEN_NOT = 60_000;
const ADDRESSES_REMEMBERED = 10_000;
const LOOKUPS_AT_ONCE = 64;
/** Who owns an address can give it any number of names, and each costs a lookup. */
const NAMES_TRIED = 4;
const NONE: readonly string[] = [];

type Finding = { readonly names: readonly string[]; readonly until: number };

export function createConfirmedNames(deps: {
  readonly resolver: Resolver;
  readonly domains: readonly string[];
  readonly clock: Clock;
}): ConfirmedNames {
  const { resolver, domains, clock } = deps;
  const findings = new LRUCache<string, Finding>({ max: ADDRESSES_REMEMBERED });
  const underWay = new Map<string, Promise<readonly string[]>>();

  return (address) => {
    const text = address.toString();
    const known = findings.get(text);
    if (known && known.until > clock.now()) return known.names;
    const running = underWay.get(text);
    if (running) return running;
    if (underWay.size >= LOOKUPS_AT_ONCE) return NONE;
    const lookup = withinDeadline(confirm(text)).then((names) => {
      underWay.delete(text);
      const kept = names.length > 0 ? KEPT_WHEN_CONFIRMED : KEPT_WHEN_NOT;
      findings.set(text, { names, until: clock.now() + kept });
      return names;
    });
    underWay.set(text, lookup);
    return lookup;
  };

  async function confirm(address: string): Promise<readonly string[]> {
    const claimed = (await resolver.reverse(address)).map((name) => name.toLowerCase().replace(/\.$/, ''));
    const candidates = claimed.filter((name) => domains.some((domain) => liesUnder(name, domain)));
    const confirmed = await Promise.all(
      candidates.slice(0, NAMES_TRIED).map(async (name) => {
        const addresses = await resolver.forward(name).catch(() => NONE);
        return addresses.some((found) => parseAddress(found)?.toString() === address) ? [name] : [];
      }),
    );
    return confirmed.flat();
  }

  function withinDeadline(names: Promise<readonly string[]>): Promise<readonly string[]> {
    return new Promise((resolve) => {
      const cancel = clock.after(DEADLINE, () => resolve(NONE));
      names
        .catch(() => NONE)
        .then((found) => {
          cancel();
          resolve(found);
        });
    });
  }
}

/** The domain itself, or a name in it: `evilexample.com` does not lie under `example.com`. */
export function liesUnder(name: string, domain: string): boolean {
  return name === domain || name.endsWith(`.${domain}`);
}
