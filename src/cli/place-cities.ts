import { shownText } from '../catalogue/rejections/rejected-value.ts';
import { cleanText } from '../catalogue/text/operator-text.ts';
import { isTimeZone } from '../stay/time-zone.ts';
import { type Country, currencyOfCountry, readCountry } from './countries.ts';
import { currencyOfMost, type FoundCity } from './discover-listings.ts';
import { shellOption, UsageFault } from './faults.ts';
import type { PlaceInFile } from './network-file.ts';
import { counted, type Terminal } from './terminal.ts';

/** An operator adds at most so many cities; the owner writes any others by hand. */
const MAX_NEW_PLACES = 200;
const MAX_CITIES_SHOWN = 20;
const LEAVE_OUT = '(leave out)';
const ADD = '(add it)';

/** A city as the operator's listings describe it. */
export type NamedCity = FoundCity & {
  /** ISO 3166-1. */
  readonly country?: string | null;
};

export type PlacedCities = {
  /** Places to add to the network: cities, and the countries that they lie in. */
  readonly places: readonly PlaceInFile[];
  readonly withoutCountry: readonly CityWithoutCountry[];
  /** The operator's name of a city → its identifier on the network. */
  readonly aliases: Readonly<Record<string, string>>;
  readonly leftOut: readonly string[];
};

type PlaceOptions = { readonly place?: readonly string[]; readonly timeZone?: string };

/** Throws for faults of the options that need no listing to be seen. */
export function assertPlaceOptions({ place = [], timeZone }: PlaceOptions): void {
  if (timeZone !== undefined && !isTimeZone(timeZone)) throw unknownTimeZone(timeZone);
  place.forEach(splitMapping);
}

/** Finds the place of each city that an operator names: from the options, by its name or an alias, or by asking the owner. */
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
  // The network has no city yet and the time zone is given: there is nothing to ask.
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
  // Two cities of one name: only the owner knows which.
  return found.length === 1 ? found[0]?.id : undefined;
}

/** Merges the spellings of one city. Its name is a properly written one if there is any, then the one of most listings. */
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

/** Neither all in lower case nor all in capitals. True for scripts without case. */
function isProperlyWritten(name: string): boolean {
  const hasCases = name.toLowerCase() !== name.toUpperCase();
  return !hasCases || (name !== name.toLowerCase() && name !== name.toUpperCase());
}

/** The currency of the country if any listing uses it, because the other listings can be corrected; otherwise that of most listings. */
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

/** A warning with the options that place the city. */
export function notOnTheNetwork(city: string): string {
  return `${shownText(city)} is not on the network, and left out. Add it with --time-zone ZONE, or say which place it is:\n${shellOption('--place', city, '=PLACE')}`;
}

function unknownTimeZone(text: string): UsageFault {
  return new UsageFault(
    [`${shellOption('--time-zone', text)} is not a time zone.`],
    'use an IANA name such as Europe/Lisbon',
  );
}

/** A city that is new on the network, with its country as the listings name it. */
export type NewCity = {
  readonly place: PlaceInFile;
  /** ISO 3166-1; null when its listings name none, or several. */
  readonly country: string | null;
  readonly listings: number;
};

type PlacedInCountries = {
  /** The cities, each new country before them. */
  readonly places: readonly PlaceInFile[];
  /** Cities that are left without their country, because it is compared in another currency. */
  readonly withoutCountry: readonly CityWithoutCountry[];
};

export type CityWithoutCountry = { readonly city: PlaceInFile; readonly country: PlaceInFile };

/**
 * Puts new cities into their countries, so that "Lisbon, Portugal" and "Portugal" are understood. A place has the currency of the place that
 * contains it, so a city with another currency gets no parent. No day is computed in a country, so its time zone is that of its largest city here.
 */
export function placeInCountries(
  cities: readonly NewCity[],
  known: readonly PlaceInFile[],
): PlacedInCountries {
  const places: PlaceInFile[] = [];
  const withoutCountry: CityWithoutCountry[] = [];
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
    // Two countries of one name: only the owner knows which.
    const place = added ?? (inFile.length === 1 ? inFile[0] : undefined);
    countries.set(code, place);
    return place;
  }

  for (const { place, country: code } of cities) {
    const country = code === null ? undefined : placeOf(code);
    if (country && country.currency !== place.currency) withoutCountry.push({ city: place, country });
    const { id, name, kind, ...rest } = place;
    const isInside = country !== undefined && country.currency === place.currency;
    places.push(isInside ? { id, name, kind, parent: country.id, ...rest } : place);
  }
  return { places, withoutCountry };
}

function knownCountries({ code, name, aliases }: Country, known: readonly PlaceInFile[]): PlaceInFile[] {
  const names = new Set([code, name, ...aliases].map(comparableName));
  return known.filter(
    (place) => place.kind === 'country' && namesInFile(place).some((one) => names.has(comparableName(one))),
  );
}

/** Undefined when another place has its name: a traveller who asks for Singapore means the city, and would be asked which one. */
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

/** The value of the cities with the most listings; of equals the first. */
function mostListed(cities: readonly NewCity[], factOf: (city: NewCity) => string): string | undefined {
  const counts = new Map<string, number>();
  for (const city of cities) {
    const value = factOf(city);
    counts.set(value, (counts.get(value) ?? 0) + city.listings);
  }
  return [...counts].toSorted(([, one], [, other]) => other - one)[0]?.[0];
}

/** The identifier, the name and the aliases of a place in the file. */
function namesInFile({ id, name, aliases }: PlaceInFile): readonly string[] {
  return [id, name, ...(Array.isArray(aliases) ? aliases : [])].filter((one) => typeof one === 'string');
}

/** Makes names comparable without case and accents. */
function comparableName(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().trim();
}

/** A free identifier made from the name. */
function freeSlug(name: string, isTaken: (id: string) => boolean): string {
  const plain =
    comparableName(name)
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-+|-+$/g, '')
      .slice(0, 60) || 'city';
  let slug = plain;
  for (let number = 2; isTaken(slug); number += 1) slug = `${plain}-${number}`;
  return slug;
}

const MAX_LENGTH = 60;
const MAX_WORDS = 5;
/** A name is in one of these; Japanese and Korean names mix scripts. */
const SCRIPTS = [
  /^[\p{Script=Latin}\p{M}]+$/u,
  /^[\p{Script=Cyrillic}\p{M}]+$/u,
  /^[\p{Script=Greek}\p{M}]+$/u,
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+$/u,
  /^[\p{Script=Hangul}\p{Script=Han}]+$/u,
  /^[\p{Script=Arabic}\p{M}]+$/u,
  /^[\p{Script=Hebrew}\p{M}]+$/u,
  /^[\p{Script=Thai}\p{M}]+$/u,
  /^[\p{Script=Devanagari}\p{M}]+$/u,
];
/** Words with hyphens and apostrophes, abbreviations (`St. Ives`) and small numbers (`Paris 15`). */
const WORD = /^(?:\p{L}[\p{L}\p{M}]*(?:[-'’][\p{L}\p{M}]+)*['’]?|\p{L}[\p{L}\p{M}]{0,3}\.|\d{1,2}|-)$/u;
/** The roles in a conversation with a model: no place may be called so. */
const ROLES = new Set(['system', 'assistant', 'user', 'developer', 'tool', 'human']);

/**
 * Whether an operator's name of a city may become the name of a place. Assistants trust the name of a place as the network's own text, so
 * it may only be a few words of one script.
 */
export function canNameAPlace(text: string): boolean {
  const name = text.normalize('NFC').trim();
  const words = name.split(/ +/);
  if (name.length > MAX_LENGTH || words.length > MAX_WORDS || !words.every((word) => WORD.test(word)))
    return false;
  const letters = name.replaceAll(/[^\p{L}\p{M}]/gu, '');
  if (!SCRIPTS.some((script) => script.test(letters)) || ROLES.has(letters.toLowerCase())) return false;
  const cleaned = cleanText(name, MAX_LENGTH);
  return cleaned.kind === 'valid' && cleaned.value.text === name;
}
