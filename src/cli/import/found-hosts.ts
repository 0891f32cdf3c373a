import { registeredHost } from '../../parsing/web-address.ts';

/** A host, and how many homes have their page or a picture on it. */
export type FoundHost = { readonly host: string; readonly pages: number; readonly pictures: number };

export type FoundHosts = {
  /** What one home says; anything that is no address on a host that a brand may have is passed over. */
  add(page: unknown, pictures: readonly unknown[]): void;
  /** Most used first. */
  all(): readonly FoundHost[];
};

/** What comes after so many others is not counted: it would not be among the most used. */
const MAX_COUNTED = 10_000;

export function createFoundHosts(): FoundHosts {
  const hosts = new Map<string, FoundHost>();

  function count(addresses: readonly unknown[], use: 'pages' | 'pictures'): void {
    for (const host of new Set(addresses.flatMap(hostOf))) {
      const known = hosts.get(host) ?? { host, pages: 0, pictures: 0 };
      if (hosts.has(host) || hosts.size < MAX_COUNTED) hosts.set(host, { ...known, [use]: known[use] + 1 });
    }
  }

  return {
    add(page, pictures) {
      count([page], 'pages');
      count(pictures, 'pictures');
    },
    all: () =>
      [...hosts.values()].toSorted((one, other) => other.pages - one.pages || other.pictures - one.pictures),
  };
}

function hostOf(address: unknown): string | readonly [] {
  const host = typeof address === 'string' ? URL.parse(address)?.host : undefined;
  return (host && registeredHost(host)) || [];
}
