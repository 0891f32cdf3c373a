import type { Intake, IntakeOrder, IntakeTaskName } from '../connectors/shared/intake/intake.ts';
import type { CheckedTask } from '../connectors/shared/listings/checked-listings.ts';
import { INTAKE_TASKS } from '../connectors/tasks.ts';
import { readCountry } from './countries.ts';
import { createFoundCities, type FoundCity } from './import/found-cities.ts';
import { createFoundHosts, type FoundHost } from './import/found-hosts.ts';

/** What a booking system says of its listings before any of them is checked: what the network file has to know about them. */
export type Discovery = {
  readonly listings: number;
  readonly cities: ReadonlyMap<string, CityOfCountry>;
  /** Listings that say where their page is. */
  readonly pages: number;
  /** Those that a brand may have, most used first. */
  readonly hosts: readonly FoundHost[];
};

type CityOfCountry = FoundCity & {
  /** ISO 3166-1; null when none of its listings names a country, or they do not all name the same. */
  readonly country: string | null;
};

const UNKNOWN_COUNTRY = '';

/** Tasks whose documents hold listings in the shape of the open protocol, and where in them. */
const LISTINGS_IN: Readonly<Partial<Record<IntakeTaskName, (document: unknown) => unknown>>> = {
  listings: (document) => document,
  catalogue_page: (document) => member(document, 'properties'),
  rate_card: (document) => {
    const entries = member(document, 'properties');
    return Array.isArray(entries) ? entries.map((entry) => member(entry, 'listing')) : [];
  },
};

/** An intake that also looks at the listings that pass through it. */
export function discoveringIntake(intake: Intake): { readonly intake: Intake; discovery(): Discovery } {
  const cities = createFoundCities();
  const countries = new Map<string, Set<string>>();
  const hosts = createFoundHosts();
  let listings = 0;
  let pages = 0;

  function look(listing: unknown): void {
    listings += 1;
    const city = member(listing, 'place');
    if (typeof city === 'string') {
      cities.add(city, member(listing, 'currency'));
      noteCountry(city, member(listing, 'country'));
    }
    const images = member(listing, 'images');
    const page = member(listing, 'url');
    if (typeof page === 'string' && page !== '') pages += 1;
    hosts.add(page, Array.isArray(images) ? images.map((image) => member(image, 'url')) : []);
  }

  /** What is no country that we know is one more, so that nothing is guessed for the city. */
  function noteCountry(city: string, country: unknown): void {
    if (typeof country !== 'string' || country.trim() === '') return;
    const named = countries.get(city) ?? new Set();
    countries.set(city, named.add(readCountry(country)?.code ?? UNKNOWN_COUNTRY));
  }

  function countryOf(city: string): string | null {
    const [only = UNKNOWN_COUNTRY, ...others] = countries.get(city) ?? [];
    return others.length > 0 || only === UNKNOWN_COUNTRY ? null : only;
  }

  return {
    intake: {
      run<Name extends IntakeTaskName>(order: IntakeOrder<Name>) {
        const found = LISTINGS_IN[order.task]?.(parsed(order.document));
        if (Array.isArray(found)) for (const listing of found) look(listing);
        for (const listing of publishedOnPage(order)) look(listing);
        return intake.run(order);
      },
      close: () => intake.close(),
    },
    discovery: () => ({
      listings,
      cities: new Map(
        Array.from(cities.all(), ([city, found]) => [city, { ...found, country: countryOf(city) }]),
      ),
      pages,
      hosts: hosts.all(),
    }),
  };
}

/** Listings that are checked where their page is read never pass through by themselves. */
function* publishedOnPage<Name extends IntakeTaskName>({
  task,
  document,
  parameters,
}: IntakeOrder<Name>): Generator<unknown> {
  const reader: object = INTAKE_TASKS[task];
  if (!('published' in reader)) return;
  try {
    // An order's parameters are those of its task.
    yield* (reader as CheckedTask<unknown, never, unknown>).published(document, parameters);
  } catch {
    // The intake says what is wrong with it.
  }
}

function parsed(document: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(document));
  } catch {
    // The intake says what is wrong with it.
    return undefined;
  }
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
