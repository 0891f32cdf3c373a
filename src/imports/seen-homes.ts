import type { Listing } from '../operators/listings/listing.ts';
import { createFoundHosts, type FoundHost } from './found-hosts.ts';
import { ImportFailure } from './import-failure.ts';

/** What the network file has to know of the homes of a file. */
export type FoundInFile = {
  /** By what the file calls them. The currency is that of the first home. */
  readonly cities: ReadonlyMap<string, { readonly listings: number; readonly currency: string }>;
  /** Of their pages and pictures. */
  readonly hosts: readonly FoundHost[];
};

type SeenHome = { readonly reference: string; readonly currency: string; readonly line: number };

/** The homes that were taken, with no more of each than the rest of an import needs. */
export type SeenHomes = {
  add(listing: Listing, line: number): void;
  /** Its calendar is not missed then. So many are remembered, and no more. */
  refuse(reference: string): void;
  has(reference: string): boolean;
  isRefused(reference: string): boolean;
  all(): Iterable<SeenHome>;
  count(): number;
  found(): FoundInFile;
};

/** As many as the budget of a brand can allow. */
export const MAX_HOMES = 1_000_000;
/** A network has fewer; a file in which every home names another must not fill the memory with them. */
const MAX_CITIES = 10_000;

/** A file of nothing else must not fill the memory with them; the calendars of those after them are reported as well. */
const MAX_REFUSED = 100_000;

export function createSeenHomes(): SeenHomes {
  const homes = new Map<string, SeenHome>();
  const refused = new Set<string>();
  const cities = new Map<string, { readonly listings: number; readonly currency: string }>();
  const hosts = createFoundHosts();
  return {
    add({ reference, currency, place, url, images }, line) {
      if (homes.size >= MAX_HOMES) throw new ImportFailure(`the file has more than ${MAX_HOMES} homes`);
      homes.set(reference, { reference, currency, line });
      const city = cities.get(place);
      if (city) cities.set(place, { ...city, listings: city.listings + 1 });
      else if (cities.size < MAX_CITIES) cities.set(place, { listings: 1, currency });
      hosts.add(
        url,
        images.map((image) => image.url),
      );
    },
    refuse(reference) {
      if (refused.size < MAX_REFUSED) refused.add(reference);
    },
    has: (reference) => homes.has(reference),
    isRefused: (reference) => refused.has(reference),
    all: () => homes.values(),
    count: () => homes.size,
    found: () => ({ cities, hosts: hosts.all() }),
  };
}
