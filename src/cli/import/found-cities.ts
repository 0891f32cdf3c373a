/** What the listings of a city say of it, by what the operator calls it. */
export type FoundCity = {
  readonly listings: number;
  /** How many listings are priced in each. */
  readonly currencies: Readonly<Record<string, number>>;
};

/** A network has fewer; a file in which every home names another must not fill the memory with them. */
const MAX_CITIES = 10_000;

/** What most listings are priced in; of equals the first. */
export function currencyOfMost(currencies: FoundCity['currencies']): string | null {
  return Object.entries(currencies).toSorted(([, one], [, other]) => other - one)[0]?.[0] ?? null;
}

/** Counts the cities of listings, in the order in which they are found. */
export function createFoundCities() {
  const cities = new Map<string, { listings: number; readonly currencies: Map<string, number> }>();
  return {
    add(name: string, currency: unknown): void {
      const city = cities.get(name) ?? { listings: 0, currencies: new Map<string, number>() };
      if (city.listings === 0 && cities.size >= MAX_CITIES) return;
      city.listings += 1;
      if (typeof currency === 'string')
        city.currencies.set(currency, (city.currencies.get(currency) ?? 0) + 1);
      cities.set(name, city);
    },
    all: (): ReadonlyMap<string, FoundCity> =>
      new Map(
        Array.from(cities, ([name, { listings, currencies }]) => [
          name,
          { listings, currencies: Object.fromEntries(currencies) },
        ]),
      ),
  };
}
