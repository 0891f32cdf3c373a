import { shownText } from '../catalogue/rejections/rejected-value.ts';
import { isTimeZone } from '../stay/time-zone.ts';
import { counted } from './counted.ts';
import { currencyOfCountry } from './countries.ts';
import type { PlaceInFile } from './edit-network-file.ts';
import { UsageFault } from './faults.ts';
import { currencyOfMost, type FoundCity } from './import/found-cities.ts';
import { canNameAPlace } from './name-of-a-place.ts';
import { comparableName, freeSlug, namesInFile } from './names-in-file.ts';
import { type CityApart, type NewCity, placeInCountries } from './place-countries.ts';
import { shellOption } from './shell-command.ts';
import type { Terminal } from './terminal.ts';

/** A network is not made by one operator; more than this has to be said by hand. */
const MAX_NEW_PLACES = 200;
const MAX_CITIES_SHOWN = 20;
const LEAVE_OUT = '(leave out)';
const ADD = '(add it)';

/** What an operator says of a city, where it says it. */
export type NamedCity = FoundCity & {
  /** ISO 3166-1. */
  readonly country?: string | null;
};

export type PlacedCities = {
  /** Places to add to the network: cities, and the countries that they lie in. */
  readonly places: readonly PlaceInFile[];
  readonly apart: readonly CityApart[];
  /** What the operator calls a city → its identifier on the network. */
  readonly aliases: Readonly<Record<string, string>>;
  readonly leftOut: readonly string[];
};

export type PlaceOptions = { readonly place?: readonly string[]; readonly timeZone?: string };

/** Throws for what can be seen to be wrong before any city is known. */
export function assertPlaceOptions({ place = [], timeZone }: PlaceOptions): void {
  if (timeZone !== undefined && !isTimeZone(timeZone)) throw unknownTimeZone(timeZone);
  place.forEach(splitMapping);
}

/** Finds the place of each city that an operator names: by its name or an alias, as the options say, or by asking. */
export async function cityPlaces(
  cities: ReadonlyMap<string, NamedCity>,
  known: readonly PlaceInFile[],
  { place = [], timeZone }: PlaceOptions,
  terminal: Terminal,
  /** As the entry of the brand maps its cities already. */
  mapped: Readonly<Record<string, unknown>> = {},
): Promise<PlacedCities> {
  assertPlaceOptions({ place, ...(timeZone === undefined ? {} : { timeZone }) });
  const given = new Map(place.map(splitMapping));
  assertNamesCities([...given.keys()], [...cities.keys()]);
  const places: PlaceInFile[] = [];
  const added: NewCity[] = [];
  const aliases = new Map<string, string>();
  const leftOut: string[] = [];
  const spellings = Map.groupBy(cities, ([city]) => comparableName(city));
  let lastZone: string | undefined;
  const isKnownId = (id: string) => [...known, ...places].some((one) => one.id === id);

  function mappedId(city: string): string | undefined {
    const id = Object.hasOwn(mapped, city) ? mapped[city] : undefined;
    return typeof id === 'string' && isKnownId(id) ? id : undefined;
  }

  function add(id: string, city: string, timeZone: string): void {
    const { name, currency, country, listings } = inOneSpelling(spellings.get(comparableName(city)) ?? []);
    const place = { id, name, kind: 'city', time_zone: timeZone, currency };
    places.push(place);
    added.push({ place, country, listings });
  }

  for (const [city, { listings }] of cities) {
    const id = given.get(city) ?? mappedId(city) ?? idOf(city, [...known, ...places]);
    if (id !== undefined) {
      if (!isKnownId(id) && timeZone === undefined)
        throw new UsageFault(
          [`${id} is not a place of the network file.`],
          'add it there, or give its --time-zone and it is added',
        );
      if (!isKnownId(id)) add(id, city, timeZone ?? 'UTC');
      if (id !== city) aliases.set(city, id);
      continue;
    }
    const canBeAdded = canNameAPlace(city) && places.length < MAX_NEW_PLACES;
    if (!canBeAdded) {
      leftOut.push(city);
      continue;
    }
    const choice = await choose(city, listings, timeZone === undefined ? [...known, ...places] : known, {
      timeZone,
      terminal,
    });
    if (choice === LEAVE_OUT) leftOut.push(city);
    else if (choice === ADD) {
      const zone =
        timeZone ??
        (await terminal.ask({
          message: `Time zone of ${shownText(city)}, such as Europe/Lisbon or America/New_York`,
          option: '--time-zone',
          faultOf: (text) =>
            isTimeZone(text) ? undefined : 'That is not a time zone such as Europe/Lisbon.',
          ...(lastZone === undefined ? {} : { initial: lastZone }),
        }));
      lastZone = zone;
      const slug = freeSlug(city, isKnownId);
      add(slug, city, zone);
      aliases.set(city, slug);
    } else aliases.set(city, choice);
  }
  return { ...placeInCountries(added, known), aliases: Object.fromEntries(aliases), leftOut };
}

async function choose(
  city: string,
  listings: number,
  known: readonly PlaceInFile[],
  { timeZone, terminal }: { readonly timeZone: string | undefined; readonly terminal: Terminal },
): Promise<string> {
  const cities = known.filter(({ kind }) => kind === 'city');
  if (!terminal.canAsk) return timeZone === undefined ? LEAVE_OUT : ADD;
  // It can be none of the network's, and its time zone is given: there is nothing left to ask.
  if (cities.length === 0 && timeZone !== undefined) return ADD;
  return terminal.ask({
    message: `${shownText(city)} (${counted(listings, 'listing')}) is`,
    option: '--place',
    choices: [
      { value: ADD, label: 'a new city of the network' },
      ...cities.map(({ id, name }) => ({ value: id, label: `${name} (${id})` })),
      { value: LEAVE_OUT, label: 'not for this network' },
    ],
  });
}

function idOf(city: string, places: readonly PlaceInFile[]): string | undefined {
  const wanted = comparableName(city);
  const isCalled = (place: PlaceInFile) => namesInFile(place).some((one) => comparableName(one) === wanted);
  const found = places.filter((one) => one.kind === 'city' && isCalled(one));
  // Two cities of one name: only the person knows which.
  return found.length === 1 ? found[0]?.id : undefined;
}

/** The city that all of these spellings name: properly written where one of them is, then as most listings write it. */
function inOneSpelling(spellings: readonly (readonly [name: string, NamedCity])[]) {
  const [best] = spellings.toSorted(
    ([one, { listings }], [other, { listings: listingsOfOther }]) =>
      Number(isProperlyWritten(other)) - Number(isProperlyWritten(one)) || listingsOfOther - listings,
  );
  const named = spellings.map(([, city]) => city);
  const [country = null, ...others] = new Set(named.flatMap((city) => city.country ?? []));
  const only = others.length === 0 ? country : null;
  return {
    name: best?.[0].trim() ?? '',
    country: only,
    currency: currencyOf(named, only) ?? 'EUR',
    listings: named.reduce((sum, { listings }) => sum + listings, 0),
  };
}

/** Neither in small letters nor in capitals. Scripts that have only one kind of letters are always so. */
function isProperlyWritten(name: string): boolean {
  const hasCases = name.toLowerCase() !== name.toUpperCase();
  return !hasCases || (name !== name.toLowerCase() && name !== name.toUpperCase());
}

/** That of the country, where a listing is priced in it: the others can be mended. Else that of most listings. */
function currencyOf(cities: readonly NamedCity[], country: string | null): string | null {
  const counts = new Map<string, number>();
  for (const { currencies } of cities)
    for (const [currency, listings] of Object.entries(currencies))
      counts.set(currency, (counts.get(currency) ?? 0) + listings);
  const ofCountry = country === null ? undefined : currencyOfCountry(country);
  if (ofCountry !== undefined && counts.has(ofCountry)) return ofCountry;
  return currencyOfMost(Object.fromEntries(counts));
}

function assertNamesCities(given: readonly string[], cities: readonly string[]): void {
  const unknown = given.filter((city) => !cities.includes(city));
  if (unknown.length === 0) return;
  const shown = cities.slice(0, MAX_CITIES_SHOWN).map((city) => shownText(city));
  const more = cities.length - shown.length;
  throw new UsageFault(
    unknown.map((city) => `--place names ${shownText(city)}, and no listing is in a city of that name.`),
    cities.length === 0
      ? 'leave --place out: the listings name no city'
      : `write it as the listings do: ${shown.join(', ')}${more > 0 ? `, and ${more} more` : ''}`,
  );
}

function splitMapping(text: string): [string, string] {
  const at = text.lastIndexOf('=');
  const [city, id] = [text.slice(0, at).trim(), text.slice(at + 1).trim()];
  if (at < 1 || !/^[a-z0-9-]{1,64}$/.test(id))
    throw new UsageFault(
      [`${shellOption('--place', text)} is not understood.`],
      'write --place "City=place-id"',
    );
  return [city, id];
}

/** For whoever has to decide once more. */
export function notOnTheNetwork(city: string): string {
  return `${shownText(city)} is not on the network, and left out. Add it with --time-zone ZONE, or say which place it is:\n${shellOption('--place', city, '=PLACE')}`;
}

function unknownTimeZone(text: string): UsageFault {
  return new UsageFault(
    [`${shellOption('--time-zone', text)} is not a time zone.`],
    'use an IANA name such as Europe/Lisbon',
  );
}
