import type { Intake, IntakeOrder, IntakeTaskName } from '../connectors/shared/intake/intake.ts';
import type { CheckedTask } from '../connectors/shared/listings/checked-listings.ts';
import { INTAKE_TASKS } from '../connectors/tasks.ts';
import { jsonIn } from '../parsing/reading.ts';
import { registeredHost } from '../parsing/web-address.ts';

/** What the listings of a booking system say before any is checked: the cities and hosts for the network file. */
export type Discovery = {
  readonly listings: number;
  readonly cities: ReadonlyMap<string, FoundCity>;
  /** Listings that say where their page is. */
  readonly pages: number;
  /** Hosts that a brand may register, most used first. */
  readonly hosts: readonly FoundHost[];
};

/** Finds the listings in the documents of tasks that have them in the shape of the open protocol. */
const LISTINGS_IN: Readonly<Partial<Record<IntakeTaskName, (document: unknown) => unknown>>> = {
  listings: (document) => document,
  catalogue_page: (document) => member(document, 'properties'),
  rate_card: (document) => {
    const entries = member(document, 'properties');
    return Array.isArray(entries) ? entries.map((entry) => member(entry, 'listing')) : [];
  },
};

/** Wraps an intake to collect cities, countries and hosts from the listings that pass through it. */
export function discoveringIntake(intake: Intake): { readonly intake: Intake; discovery(): Discovery } {
  const cities = createFoundCities();
  const hosts = createFoundHosts();
  let listings = 0;
  let pages = 0;

  function look(listing: unknown): void {
    listings += 1;
    const city = member(listing, 'place');
    if (typeof city === 'string') cities.add(city, member(listing, 'currency'));
    const images = member(listing, 'images');
    const page = member(listing, 'url');
    if (typeof page === 'string' && page !== '') pages += 1;
    hosts.add(page, Array.isArray(images) ? images.map((image) => member(image, 'url')) : []);
  }

  return {
    intake: {
      run<Name extends IntakeTaskName>(order: IntakeOrder<Name>) {
        const found = LISTINGS_IN[order.task]?.(jsonIn(order.document));
        if (Array.isArray(found)) for (const listing of found) look(listing);
        for (const listing of publishedOnPage(order)) look(listing);
        return intake.run(order);
      },
      close: () => intake.close(),
    },
    discovery: () => ({
      listings,
      cities: cities.all(),
      pages,
      hosts: hosts.all(),
    }),
  };
}

/** The listings of tasks that check them while they read their page; those are in no document. */
function* publishedOnPage<Name extends IntakeTaskName>({
  task,
  document,
  parameters,
}: IntakeOrder<Name>): Generator<unknown> {
  const reader: object = INTAKE_TASKS[task];
  if (!('published' in reader)) return;
  try {
    // The parameters of an order always fit its task.
    yield* (reader as CheckedTask<unknown, never, unknown>).published(document, parameters);
  } catch {
    // The intake reports the fault.
  }
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

/** What the listings of one city say. */
export type FoundCity = {
  readonly listings: number;
  /** How many listings are priced in each. */
  readonly currencies: Readonly<Record<string, number>>;
};

/** More than a network has; bounds the memory for a file in which every home names another city. */
const MAX_CITIES = 10_000;

/** The currency of most listings; of equals the first. */
export function currencyOfMost(currencies: FoundCity['currencies']): string | null {
  return Object.entries(currencies).toSorted(([, one], [, other]) => other - one)[0]?.[0] ?? null;
}

/** Counts listings by city, in the order of first appearance. */
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

/** A host, and how many homes have their page or a picture on it. */
export type FoundHost = { readonly host: string; readonly pages: number; readonly pictures: number };

/** Bounds the memory: a host that comes later would not be among the most used. */
const MAX_COUNTED = 10_000;

/** Counts the hosts of pages and pictures, most used first; ignores values that are no address on a host that a brand may register. */
export function createFoundHosts() {
  const hosts = new Map<string, FoundHost>();

  function count(addresses: readonly unknown[], use: 'pages' | 'pictures'): void {
    for (const host of new Set(addresses.flatMap(hostOf))) {
      const known = hosts.get(host) ?? { host, pages: 0, pictures: 0 };
      if (hosts.has(host) || hosts.size < MAX_COUNTED) hosts.set(host, { ...known, [use]: known[use] + 1 });
    }
  }

  return {
    add(page: unknown, pictures: readonly unknown[]): void {
      count([page], 'pages');
      count(pictures, 'pictures');
    },
    all: (): readonly FoundHost[] =>
      [...hosts.values()].toSorted((one, other) => other.pages - one.pages || other.pictures - one.pictures),
  };
}

function hostOf(address: unknown): string | readonly [] {
  const host = typeof address === 'string' ? URL.parse(address)?.host : undefined;
  return (host && registeredHost(host)) || [];
}
