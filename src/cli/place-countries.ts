import { type Country, currencyOfCountry, readCountry } from './countries.ts';
import type { PlaceInFile } from './edit-network-file.ts';
import { comparableName, freeSlug, namesInFile } from './names-in-file.ts';

/** A city that is new on the network, and what the operator says of it. */
export type NewCity = {
  readonly place: PlaceInFile;
  /** ISO 3166-1; null when its listings name none, or several. */
  readonly country: string | null;
  readonly listings: number;
};

export type PlacedInCountries = {
  /** The cities, and before the first of each the country that is new too. */
  readonly places: readonly PlaceInFile[];
  /** Cities that are left without their country, because it is compared in another currency. */
  readonly apart: readonly CityApart[];
};

export type CityApart = { readonly city: PlaceInFile; readonly country: PlaceInFile };

/**
 * Puts new cities into their countries, so that "Lisbon, Portugal" and "Portugal" are understood. A place has the currency of the place that
 * contains it: a city in another one stays by itself. A country counts no days, so its time zone is that of its largest city here.
 */
export function placeInCountries(
  cities: readonly NewCity[],
  known: readonly PlaceInFile[],
): PlacedInCountries {
  const places: PlaceInFile[] = [];
  const apart: CityApart[] = [];
  const all = [...known, ...cities.map(({ place }) => place)];
  const countries = new Map<string, PlaceInFile | undefined>();

  function placeOf(code: string): PlaceInFile | undefined {
    if (countries.has(code)) return countries.get(code);
    const country = readCountry(code);
    const inFile = country ? knownCountries(country, known) : [];
    const added = country && inFile.length === 0 ? newCountry(country, cities, all) : undefined;
    if (added) {
      places.push(added);
      all.push(added);
    }
    // Two of one name: only the person knows which.
    const place = added ?? (inFile.length === 1 ? inFile[0] : undefined);
    countries.set(code, place);
    return place;
  }

  for (const { place, country: code } of cities) {
    const country = code === null ? undefined : placeOf(code);
    if (country && country.currency !== place.currency) apart.push({ city: place, country });
    const { id, name, kind, ...rest } = place;
    const isInside = country !== undefined && country.currency === place.currency;
    places.push(isInside ? { id, name, kind, parent: country.id, ...rest } : place);
  }
  return { places, apart };
}

function knownCountries({ code, name, aliases }: Country, known: readonly PlaceInFile[]): PlaceInFile[] {
  const names = new Set([code, name, ...aliases].map(comparableName));
  return known.filter(
    (place) => place.kind === 'country' && namesInFile(place).some((one) => names.has(comparableName(one))),
  );
}

/** None when another place has its name: whoever asks for Singapore means the city, and would be asked which one. */
function newCountry(
  { code, name, aliases }: Country,
  cities: readonly NewCity[],
  all: readonly PlaceInFile[],
): PlaceInFile | undefined {
  const taken = new Set(all.flatMap(namesInFile).map(comparableName));
  const ofCountry = cities.filter(({ country }) => country === code);
  const own = currencyOfCountry(code);
  const isOwnUsed = ofCountry.some(({ place }) => place.currency === own);
  const currency = isOwnUsed ? own : mostListed(ofCountry, ({ place }) => String(place.currency));
  const inCurrency = ofCountry.filter(({ place }) => place.currency === currency);
  if (currency === undefined || taken.has(comparableName(name))) return undefined;
  const free = aliases.filter((alias) => !taken.has(comparableName(alias)));
  return {
    id: freeSlug(name, (id) => all.some((place) => place.id === id)),
    name,
    ...(free.length > 0 ? { aliases: free } : {}),
    kind: 'country',
    time_zone: mostListed(inCurrency, ({ place }) => String(place.time_zone)),
    currency,
  };
}

/** What holds for the most listings; of equals the first. */
function mostListed(cities: readonly NewCity[], factOf: (city: NewCity) => string): string | undefined {
  const counts = new Map<string, number>();
  for (const city of cities) {
    const value = factOf(city);
    counts.set(value, (counts.get(value) ?? 0) + city.listings);
  }
  return [...counts].toSorted(([, one], [, other]) => other - one)[0]?.[0];
}
