import { shownText } from '../catalogue/rejections/rejected-value.ts';
import { registeredHost } from '../parsing/web-address.ts';
import { currencyOfMost, type Discovery, type FoundCity, type FoundHost } from './discover-listings.ts';
import { optionWords, shellCommand, shellOption, UsageFault } from './faults.ts';
import type { PlaceInFile } from './network-file.ts';
import { counted } from './terminal.ts';

const MAX_HOSTS = 20;
const MAX_LISTED = 20;
const STAY_URL_FORM = 'https://www.example.com/homes/{reference}?from={check_in}&to={check_out}';

type EntryOptions = {
  /** `City=place-id`, as often as needed. */
  readonly place?: readonly string[];
  readonly host?: readonly string[];
  readonly stayUrl?: string;
};

/** One fault for everything that is wrong with the options, before any request to the vendor. */
export function assertEntryOptions({ place = [], host = [], stayUrl }: EntryOptions): void {
  const wrong: (readonly [fault: string, next: string])[] = [
    ...place
      .filter((text) => !MAPPING.test(text))
      .map(
        (text) =>
          [`${shellOption('--place', text)} is not understood.`, 'write --place "City=place-id"'] as const,
      ),
    ...host
      .filter((text) => registeredHost(text) === undefined)
      .map(
        (text) =>
          [
            `${shellOption('--host', text)} is not the name of a host.`,
            'write it without https:// and without a path, such as www.example.com',
          ] as const,
      ),
    ...(stayUrl !== undefined && hostOfAddress(stayUrl).length === 0
      ? [
          [
            `${shellOption('--stay-url', stayUrl)} is not an address.`,
            `write it in a form such as ${STAY_URL_FORM}`,
          ] as const,
        ]
      : []),
  ];
  if (wrong.length === 0) return;
  throw new UsageFault(
    wrong.map(([fault]) => fault),
    [...new Set(wrong.map(([, next]) => next))].join('; '),
  );
}

const MAPPING = /^(.*\S.*)=\s*([a-z0-9-]{1,64})\s*$/s;

/** The names that an operator may give to a city: as the entry maps them already, as the options do, and as the network file writes them. */
export function namesOfCities(
  places: readonly PlaceInFile[],
  mapped: Readonly<Record<string, unknown>>,
  { place = [] }: EntryOptions,
): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const ambiguous = new Set<string>();
  for (const { id, name, aliases, kind } of places.filter((one) => one.kind === 'city' && one.id)) {
    for (const text of [id, name, ...(Array.isArray(aliases) ? aliases : [])]) {
      if (typeof text !== 'string' || kind !== 'city') continue;
      if (names.has(text) && names.get(text) !== id) ambiguous.add(text);
      names.set(text, id);
    }
  }
  // Two cities of one name: only the owner knows which.
  for (const name of ambiguous) names.delete(name);
  for (const [name, id] of Object.entries(mapped)) if (typeof id === 'string') names.set(name, id);
  for (const text of place) {
    const [, city = '', id = ''] = MAPPING.exec(text) ?? [];
    if (!places.some((one) => one.id === id)) {
      throw new UsageFault([`${id} is not a place of the network file.`], 'add it there first');
    }
    names.set(city.trim(), id);
  }
  return names;
}

/** The names to write into the entry, and the cities that are not on the network. */
export function placedCities(
  cities: Discovery['cities'],
  names: ReadonlyMap<string, string>,
): { readonly aliases: Readonly<Record<string, string>>; readonly leftOut: readonly LeftOutCity[] } {
  const aliases: Record<string, string> = {};
  const leftOut: LeftOutCity[] = [];
  for (const [city, found] of cities) {
    const id = names.get(city);
    if (id === undefined) leftOut.push({ city, ...found });
    else if (id !== city) aliases[city] = id;
  }
  return { aliases, leftOut };
}

export type LeftOutCity = FoundCity & { readonly city: string };

/** A place to paste into the network file, with the time zone left to the owner. */
function placeToPaste({ city, currencies }: LeftOutCity): string {
  const name = shownText(city);
  const id = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 60);
  const currency = currencyOfMost(currencies) ?? 'EUR';
  return JSON.stringify({ id: id || 'city', name, kind: 'city', time_zone: 'ZONE', currency });
}

const NOT_ON_THE_NETWORK =
  'Cities that are not on the network are left out. To add them, paste this into "places" of the network file with the time zone for ZONE, such as Europe/Lisbon; or say with --place "City=PLACE" which place one is:';

/** One warning for all of them; none for no city. */
export function notOnTheNetwork(cities: readonly LeftOutCity[]): readonly string[] {
  if (cities.length === 0) return [];
  const shown = cities.slice(0, MAX_LISTED);
  const more = cities.length - shown.length;
  return [
    [
      NOT_ON_THE_NETWORK,
      ...shown.map((city) => `${placeToPaste(city)},`),
      ...(more > 0 ? [`and ${more} more`] : []),
    ].join('\n'),
  ];
}

/** The hosts of a brand's pages and pictures: from its entry and the options. */
export type Website = {
  readonly hosts: readonly string[];
  readonly stayUrl: string | undefined;
};

export type GivenWebsite = {
  /** Of the existing entry. */
  readonly before: Website;
  readonly host: readonly string[] | undefined;
  readonly stayUrl: string | undefined;
};

export function websiteOf({ before, host = [], stayUrl }: GivenWebsite): Website {
  const given = host.flatMap((text) => registeredHost(text) ?? []);
  const hosts = new Set([...before.hosts, ...given, ...hostOfAddress(stayUrl)]);
  return { hosts: [...hosts].slice(0, MAX_HOSTS), stayUrl: stayUrl ?? before.stayUrl };
}

/** The host of an address with `{placeholders}`; none when there is no address. */
function hostOfAddress(stayUrl: string | undefined): readonly string[] {
  const host = stayUrl === undefined ? undefined : URL.parse(stayUrl.replaceAll(/[{}]/g, ''))?.host;
  return host ? [host] : [];
}

/**
 * Travellers are sent only to registered hosts, and an operator can write any address into its listings. So the owner decides: where no
 * host was ever named, the fault lists those of the listings, with the command line that registers them. Returns the hosts left out.
 */
export function unregisteredHosts(
  { listings, pages, hosts: found }: Pick<Discovery, 'listings' | 'pages' | 'hosts'>,
  given: GivenWebsite,
  {
    title,
    suggestedStayUrl,
    leftOut,
    words,
  }: {
    readonly title: string;
    readonly suggestedStayUrl?: string | undefined;
    readonly leftOut: readonly LeftOutCity[];
    /** The command line, to print it again with what is missing. */
    readonly words: readonly string[];
  },
): readonly FoundHost[] {
  const { hosts, stayUrl } = websiteOf(given);
  const unregistered = found.filter(({ host }) => !hosts.includes(host));
  const isDecided = given.host !== undefined || given.before.hosts.length > 0;
  const missing = isDecided ? [] : unregistered.slice(0, MAX_LISTED);
  const lacksPages = listings > 0 && pages === 0 && stayUrl === undefined;
  if (missing.length === 0 && !lacksPages) return unregistered;
  const form = suggestedStayUrl ?? STAY_URL_FORM;
  throw new UsageFault(
    [
      ...(lacksPages
        ? [`${title} does not say where the page of a home is. Its address has a form such as\n${form}`]
        : []),
      ...(missing.length > 0
        ? [
            ['Say which hosts are the operator’s. Its listings name:', ...missing.map(describedHost)].join(
              '\n',
            ),
          ]
        : []),
      ...notOnTheNetwork(leftOut),
    ],
    `run it like this${lacksPages ? ', with what is right in place of the capitals' : ''}${missing.length > 0 ? '; leave out hosts that are not the operator’s and do not keep its pictures' : ''}:`,
    shellCommand([
      ...words,
      ...(lacksPages ? optionWords('--stay-url', suggestedStayUrl ?? 'ADDRESS') : []),
      ...missing.flatMap(({ host }) => optionWords('--host', host)),
    ]),
  );
}

/** A warning with the option that registers the host. */
export function notRegistered(found: FoundHost): string {
  return `${describedHost(found)} is not registered, and what is on it is left out. Add it with\n${shellOption('--host', found.host)}`;
}

/** `www.harbor.example (pages of 3 homes, pictures of 3 homes)` */
function describedHost({ host, pages, pictures }: FoundHost): string {
  const uses = Object.entries({ pages, pictures }).filter(([, homes]) => homes > 0);
  return `${host} (${uses.map(([use, homes]) => `${use} of ${counted(homes, 'home')}`).join(', ')})`;
}
