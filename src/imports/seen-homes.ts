import type { Listing } from '../operators/listings/listing.ts';
import { registeredHost } from '../reading/web-address.ts';
import { ImportFailure } from './import-failure.ts';

/** What the network file has to know of the homes of a file. The most frequent come first. */
export type FoundInFile = {
  /** What the file calls their cities. */
  readonly places: readonly string[];
  readonly currencies: readonly string[];
  /** Of their pages and pictures. */
  readonly hosts: readonly HostInFile[];
};

/** A host, and how many homes have their page or a picture on it. */
type HostInFile = { readonly host: string; readonly pages: number; readonly pictures: number };

type SeenHome = { readonly reference: string; readonly currency: string; readonly line: number };

/** The homes that were taken, with no more of each than the rest of an import needs. */
export type SeenHomes = {
  add(listing: Listing, line: number): void;
  refuse(reference: string): void;
  has(reference: string): boolean;
  isRefused(reference: string): boolean;
  all(): Iterable<SeenHome>;
  count(): number;
  found(): FoundInFile;
};

/** As many as the budget of a brand can allow. */
const MAX_HOMES = 1_000_000;
/** A network file registers no more hosts. */
const MAX_LISTED = 20;
/** What comes after so many others is not counted: it would not be among the most frequent. */
const MAX_COUNTED = 10_000;

export function createSeenHomes(): SeenHomes {
  const homes = new Map<string, SeenHome>();
  const refused = new Set<string>();
  const [places, currencies] = [createTally(), createTally()];
  const [hosts, pages, pictures] = [createTally(), createTally(), createTally()];
  const usesOf = (host: string): HostInFile => ({
    host,
    pages: pages.of(host),
    pictures: pictures.of(host),
  });
  return {
    add({ reference, currency, place, url, images }, line) {
      if (homes.size >= MAX_HOMES) throw new ImportFailure(`the file has more than ${MAX_HOMES} homes`);
      homes.set(reference, { reference, currency, line });
      places.add(place);
      currencies.add(currency);
      const ofPage = hostsOf([url]);
      const ofPictures = hostsOf(images.map((image) => image.url));
      for (const host of new Set([...ofPage, ...ofPictures])) hosts.add(host);
      for (const host of ofPage) pages.add(host);
      for (const host of ofPictures) pictures.add(host);
    },
    refuse: (reference) => void refused.add(reference),
    has: (reference) => homes.has(reference),
    isRefused: (reference) => refused.has(reference),
    all: () => homes.values(),
    count: () => homes.size,
    found: () => ({ places: places.all(), currencies: currencies.all(), hosts: hosts.all().map(usesOf) }),
  };
}

function hostsOf(addresses: readonly string[]): ReadonlySet<string> {
  return new Set(
    addresses.flatMap((address) => {
      const host = URL.parse(address)?.host;
      return (host && registeredHost(host)) || [];
    }),
  );
}

function createTally(): {
  add(name: string): void;
  of(name: string): number;
  all(): readonly string[];
} {
  const counts = new Map<string, number>();
  return {
    add(name) {
      const count = counts.get(name) ?? 0;
      if (count > 0 || counts.size < MAX_COUNTED) counts.set(name, count + 1);
    },
    of: (name) => counts.get(name) ?? 0,
    all: () =>
      [...counts]
        .sort(([, one], [, other]) => other - one)
        .slice(0, MAX_LISTED)
        .map(([name]) => name),
  };
}
