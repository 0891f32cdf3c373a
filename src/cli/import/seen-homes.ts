import type { Listing } from '../../connectors/shared/listings/listing.ts';
import { createFoundCities, type FoundCity } from './found-cities.ts';
import { createFoundHosts, type FoundHost } from './found-hosts.ts';
import { ImportFailure } from './import-failure.ts';

/** What the network file has to know of the homes of a file. */
export type FoundInFile = {
  readonly cities: ReadonlyMap<string, FoundCity>;
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
/** A file of nothing else must not fill the memory with them; the calendars of those after them are reported as well. */
const MAX_REFUSED = 100_000;

export function createSeenHomes(): SeenHomes {
  const homes = new Map<string, SeenHome>();
  const refused = new Set<string>();
  const cities = createFoundCities();
  const hosts = createFoundHosts();
  return {
    add({ reference, currency, place, url, images }, line) {
      if (homes.size >= MAX_HOMES) throw new ImportFailure(`the file has more than ${MAX_HOMES} homes`);
      homes.set(reference, { reference, currency, line });
      cities.add(place, currency);
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
    found: () => ({ cities: cities.all(), hosts: hosts.all() }),
  };
}
