import { type Calendar, emptyCalendar } from '../../src/catalogue/calendar.ts';
import type { Network, Place, Property } from '../../src/catalogue/catalogue.ts';
import type { SearchFacts } from '../../src/search/payload.ts';
import type { SuppliedValue } from '../../src/search/supplied-values.ts';
import type { Session } from '../../src/sessions/session.ts';
import { type Day, parseDay } from '../../src/stay/day.ts';
import { createPlainAvailabilityIndex } from './plain-availability-index.ts';
import { sampleNetwork } from './sample-network.ts';
import { sampleProperty } from './sample-property.ts';
import { sampleSession } from './sample-session.ts';

/** Noon of the first day that can be booked. */
export const NOW = Date.parse('2027-03-01T12:00:00Z');
export const TODAY: Day = parseDay('2027-03-01') ?? 0;

/** A home that is free for 100 nights, except as its calendar is changed. */
export type StagedHome = Partial<Property> &
  Pick<Property, 'brand' | 'reference'> & { readonly change?: (calendar: Calendar) => void };

const FREE_NIGHTS = 100;

/** Three homes of two brands in two cities: each answer leaves some of them and rules out others. */
export const THREE_HOMES: readonly StagedHome[] = [
  { brand: 'acme', reference: 'loft', maxGuests: 2, amenities: { wifi: 'Wi-Fi' } },
  {
    brand: 'acme',
    reference: 'house',
    place: 'porto-pt',
    maxGuests: 4,
    amenities: { wifi: 'Wi-Fi', pool: 'Swimming pool' },
  },
  {
    brand: 'other',
    reference: 'villa',
    maxGuests: 6,
    amenities: { pool: 'Swimming pool', hot_tub: 'Hot tub' },
  },
];

/** An index with these homes, and the facts of a decision about them. */
export function searchStage(homes: readonly StagedHome[] = THREE_HOMES) {
  const network = stagedNetwork();
  const index = createPlainAvailabilityIndex(network);
  for (const { change, ...home } of homes) {
    const calendar = emptyCalendar(TODAY, FREE_NIGHTS);
    calendar.available.fill(1);
    change?.(calendar);
    index.put(sampleProperty(home), calendar);
  }
  const facts: SearchFacts = { index, network, unready: [], now: NOW };
  return { index, network, facts };
}

/** A session that acme opened. */
export function stagedSession(facts: Partial<Session> = {}): Session {
  return { ...sampleSession('id'), source: 'acme', ...facts };
}

export function suppliedAs(values: Readonly<Record<string, unknown>>): readonly SuppliedValue[] {
  return Object.entries(values).map(([field, raw]) => ({ field, raw }));
}

/** Where the night is in a calendar of the stage. */
export function nightOf(text: string): number {
  return (parseDay(text) ?? 0) - TODAY;
}

/** Lisbon and Porto in Portugal, and Santa Cruz twice. */
function stagedNetwork(): Network {
  const { brands, places } = sampleNetwork(['acme', 'other']);
  const city = (id: string, name: string): readonly [string, Place] => [
    id,
    {
      id,
      name,
      aliases: [],
      kind: 'city',
      parent: 'portugal',
      timeZone: 'Europe/Lisbon',
      currency: 'EUR',
    },
  ];
  return {
    brands,
    places: new Map([
      ...places,
      city('porto-pt', 'Porto'),
      city('santa-cruz-1', 'Santa Cruz'),
      city('santa-cruz-2', 'Santa Cruz'),
    ]),
  };
}
