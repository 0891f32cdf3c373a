import { basename } from 'node:path';

/** What the network file needs for the homes of a city. The owner of the network adds the name of the brand. */
export type SuggestedEntry = {
  readonly place: {
    readonly id: string;
    readonly name: string;
    readonly kind: 'city';
    /** Null when it was not given: a file does not say where its city is. */
    readonly time_zone: string | null;
    readonly currency: string;
  };
  /** A sign is a guess: the published files write a dollar for every currency. */
  readonly currency_from: 'given' | 'price_sign';
  readonly brand: {
    /** The files know the price of a night, and no tax or fee. */
    readonly all_in_totals: false;
    readonly website: {
      readonly hosts: readonly string[];
      readonly stay_parameters: {
        readonly check_in: string;
        readonly check_out: string;
        readonly guests: string;
      };
    };
  };
};

/** What the pages of the homes call the parts of a stay. */
export const STAY_PARAMETERS_OF_PAGES = {
  check_in: 'check_in',
  check_out: 'check_out',
  guests: 'adults',
} as const;

const MAX_ID_LENGTH = 64;

/** `new-york-city-listings.csv.gz` is about New York City. */
export function cityOfFile(path: string): string {
  const words = basename(path)
    .replace(/\.(?:csv|gz)\b.*$/i, '')
    .replace(/[-_. ]*listings?[-_. ]*/i, ' ')
    .split(/[-_. ]+/)
    .filter((word) => /^\p{L}/u.test(word));
  return words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join(' ') || 'Imported city';
}

export function placeIdOf(city: string): string {
  const id = city
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, MAX_ID_LENGTH);
  return id || 'imported-city';
}
