import type { BrandId, Network, Place, PlaceId } from '../../src/catalogue/catalogue.ts';
import { sampleBrand } from '../../test/support/sample-network.ts';
import type { BenchCity } from './bench-inventory.ts';
import { SYNTHETIC_COUNTRIES, type SyntheticCountry } from './countries.ts';
import { CLIMATES, type Climate } from './seasons.ts';
import { createSeededRandom, weightedValues } from './seeded-random.ts';
import { zipfSizes } from './zipf-sizes.ts';

/** Where the homes of a synthetic inventory are, and whose. */
export type SyntheticNetwork = {
  readonly network: Network;
  readonly cities: readonly SyntheticCity[];
  readonly largestBrand: BrandId;
};

export type SyntheticCity = BenchCity & {
  /** The number of its first home. */
  readonly firstHome: number;
  readonly country: SyntheticCountry;
  readonly climate: Climate;
  /** Those who have homes here; one that is named twice has twice as many. */
  readonly brands: readonly BrandId[];
};

const MARKET = 1;
const HOMES_A_CITY = 200;
const MIN_CITIES = 20;
const HOMES_A_BRAND = 250;
const MIN_BRANDS = 12;
const CITIES_A_REGION = 12;
const CITIES_A_COUNTRY = 10;
const MIN_COUNTRIES = 3;

/** A million homes are in 5,000 cities, the biggest of which has 20,000. */
export function createSyntheticNetwork(seed: number, homes: number): SyntheticNetwork {
  const random = createSeededRandom(seed, MARKET);
  const cityCount = Math.max(MIN_CITIES, Math.round(homes / HOMES_A_CITY));
  const sizes = zipfSizes(homes, cityCount, Math.max(homes / 50, (4 * homes) / cityCount));
  const brandCount = Math.max(MIN_BRANDS, Math.round(homes / HOMES_A_BRAND));
  const countries = SYNTHETIC_COUNTRIES.slice(
    0,
    Math.max(MIN_COUNTRIES, Math.round(cityCount / CITIES_A_COUNTRY)),
  );
  const countryWeights = weightedValues(countries.map((_, rank) => [rank, 1 / (rank + 1) ** 0.8]));
  // The biggest cities are one in each country, so that every country has some.
  const countryOf = sizes.map((_, rank) =>
    rank < countries.length ? rank : random.weighted(countryWeights),
  );
  const regionsOf = countries.map((_, country) =>
    Math.ceil(countryOf.filter((other) => other === country).length / CITIES_A_REGION),
  );

  const places = new Map<PlaceId, Place>();
  const cities: SyntheticCity[] = [];
  const placed = countries.map(() => 0);
  let firstHome = 0;
  for (const country of countries) addPlace(country.code, 'country', null, country, country.timeZones[0]);
  for (const [rank, size] of sizes.entries()) {
    const number = countryOf[rank] ?? 0;
    const country = countries[number] as SyntheticCountry;
    const ordinal = placed[number] ?? 0;
    placed[number] = ordinal + 1;
    const region = ordinal % (regionsOf[number] ?? 1);
    const regionId = `${country.code}-region-${region + 1}`;
    const zone = country.timeZones[region % country.timeZones.length];
    if (!places.has(regionId)) addPlace(regionId, 'region', country.code, country, zone);
    const place = `city-${rank + 1}-${country.code}`;
    addPlace(place, 'city', regionId, country, zone);
    cities.push({
      place,
      homes: size,
      firstHome,
      country,
      climate: CLIMATES[region % CLIMATES.length] as Climate,
      brands: Array.from({ length: 4 + Math.ceil(Math.sqrt(size)) }, chooseBrand),
    });
    firstHome += size;
  }
  const brands = new Map(
    Array.from(
      { length: brandCount },
      (_, number) => [brandId(number), sampleBrand(brandId(number))] as const,
    ),
  );
  return { network: { brands, places }, cities, largestBrand: brandId(0) };

  /** The cube makes a few of them large: of 4,000 brands the first has 6 % of all homes. */
  function chooseBrand(): BrandId {
    return brandId(Math.floor(brandCount * random.share() ** 3));
  }

  function addPlace(
    id: PlaceId,
    kind: Place['kind'],
    parent: PlaceId | null,
    { currency }: SyntheticCountry,
    timeZone = 'Etc/UTC',
  ): void {
    places.set(id, { id, name: id, aliases: [], kind, parent, timeZone, currency });
  }
}

function brandId(number: number): BrandId {
  return `brand-${number + 1}`;
}
