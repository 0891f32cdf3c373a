import { hash } from 'node:crypto';
import { emptyCalendar } from '../../catalogue/calendar.ts';
import type { Network } from '../../catalogue/catalogue.ts';
import { KERNEL } from '../kernel/kernel.generated.ts';
import { createAvailabilityIndex } from '../tiled-index.ts';

/**
 * A digest of all that the memory of an index means something by: the places, which it knows by number, with their time zones and
 * currencies, the length of its ring, and the code that reads and writes it. Brands are not among it: the memory has their names.
 */
export function dependenciesOf(network: Network, ringDays: number): string {
  const places = [...network.places.values()].map(({ id, kind, parent, timeZone, currency }) => [
    id,
    kind,
    parent,
    timeZone,
    currency,
  ]);
  return hash('sha256', JSON.stringify([places, ringDays, KERNEL, sampleMemory()]));
}

/** Any change of how homes are written shows in the memory of an index with a few: nobody has to count versions. */
function sampleMemory(): string {
  const city = {
    id: 'a',
    name: 'a',
    aliases: [],
    kind: 'city',
    parent: null,
    timeZone: 'UTC',
    currency: 'EUR',
  } as const;
  const index = createAvailabilityIndex({ brands: new Map(), places: new Map([['a', city]]) }, { now: 0 });
  for (let number = 0; number < SAMPLE_HOMES; number++) {
    const calendar = emptyCalendar(number, SAMPLE_NIGHTS);
    for (let night = 0; night < SAMPLE_NIGHTS; night++) {
      calendar.available[night] = (night * number) % 7 === 3 ? 0 : 1;
      calendar.price[night] = 9000 + (((night % 2 ** number) * 10 ** number) % 4_000_000);
      if (number % 2 === 0) continue;
      calendar.minimumStay[night] = 1 + (night % number);
      calendar.maximumStay[night] = (night % 5) * number;
      calendar.closedToArrival[night] = night % 11 === number ? 1 : 0;
      calendar.closedToDeparture[night] = night % 13 === number ? 1 : 0;
    }
    const amenities = number === 0 ? null : { pool: `Pool ${number}`, [`own-${number >> 1}`]: 'Own' };
    const facts = { maxGuests: 2 + (number % 3), leadDays: number % 2, amenities, currency: 'EUR' };
    const version = { listing: 2 ** 40 + number, calendar: number };
    index.put({ id: `b:${number}`, brand: `b${number % 2}`, place: 'a', ...facts }, calendar, version);
  }
  index.remove('b:1');
  index.withdraw('b:2', [{ from: 3, to: 5 }]);
  return hash('sha256', index.arena.u8.slice(0, index.usedBytes));
}

const SAMPLE_HOMES = 8;
const SAMPLE_NIGHTS = 40;
