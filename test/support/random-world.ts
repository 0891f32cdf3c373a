import fc from 'fast-check';
import type { AvailabilityWriter, RefusedNights } from '../../src/availability/availability-index.ts';
import type { Calendar } from '../../src/catalogue/calendar.ts';
import { HORIZON_NIGHTS } from '../../src/catalogue/calendar.ts';
import type { Network, Place, Property } from '../../src/catalogue/catalogue.ts';
import type { StayCriteria } from '../../src/catalogue/stay-criteria.ts';
import { ANY_STAY } from '../../src/catalogue/stay-criteria.ts';
import type { Day } from '../../src/stay/day.ts';
import { monthOf } from '../../src/stay/day.ts';
import { instantOf } from '../../src/stay/time-zone.ts';
import { sampleBrand } from './sample-network.ts';

// Small random networks with few names, so that values collide, and with days close to where answers change.

/** 2027-02-20: the horizon from here has a leap day and clock changes in both hemispheres. */
export const SOME_DAY: Day = 20_869;
const ZONES = ['Pacific/Auckland', 'America/Los_Angeles', 'UTC', 'Europe/Lisbon', 'Asia/Kolkata'] as const;
const CURRENCIES = ['EUR', 'USD'] as const;
const BRANDS = ['alba', 'brisa'] as const;
const PROPERTIES = ['alba:1', 'alba:2', 'alba:3', 'brisa:1', 'brisa:2'] as const;
const AMENITIES = ['pool', 'sauna', 'wifi'] as const;
const CITIES = ['city-1', 'city-2', 'city-3', 'city-4'] as const;

export const EVERY_AMENITY: readonly string[] = [...AMENITIES, 'toString'];
export const EVERY_PROPERTY: readonly string[] = [...PROPERTIES, 'nobody:1'];

const randomNetwork: fc.Arbitrary<Network> = fc
  .tuple(
    ...['country-1', 'country-2'].map((id) => randomPlace(id, 'country', [])),
    ...['region-1', 'region-2'].map((id) => randomPlace(id, 'region', ['country-1', 'country-2'])),
    ...CITIES.map((id) => randomPlace(id, 'city', ['country-1', 'region-1', 'region-2'])),
  )
  .map((places) => ({
    brands: new Map(BRANDS.map((id) => [id, sampleBrand(id)])),
    places: new Map(places.map((place) => [place.id, place])),
  }));

function randomPlace(id: string, kind: Place['kind'], parents: readonly string[]): fc.Arbitrary<Place> {
  return fc.record({
    id: fc.constant(id),
    name: fc.constant(id),
    aliases: fc.constant([]),
    kind: fc.constant(kind),
    parent: fc.constantFrom(...parents, ...parents, null),
    timeZone: fc.constantFrom(...ZONES),
    currency: fc.constantFrom(...CURRENCIES),
  });
}

export function propertyLike(facts: Partial<Property> & Pick<Property, 'id' | 'brand' | 'place'>): Property {
  return {
    reference: facts.id,
    name: facts.id,
    location: 'Somewhere',
    maxGuests: 2,
    summary: '',
    bedrooms: null,
    bathrooms: null,
    amenities: null,
    rating: { score: 0, scale: 5, reviewCount: 0 },
    cancellation: { summary: 'None.', free: null },
    checkInTime: null,
    checkOutTime: null,
    images: [{ url: 'https://alba.example/1.jpg', alt: '', type: 'other' }],
    url: 'https://alba.example/1',
    currency: 'EUR',
    bookingMode: 'instant',
    leadDays: 0,
    ...facts,
  };
}

/** Mostly close to midnight in one of the time zones. */
const randomNow: fc.Arbitrary<number> = fc.oneof(
  fc
    .tuple(fc.integer({ min: -2, max: 25 }), fc.constantFrom(...ZONES), fc.integer({ min: -2, max: 1 }))
    .map(([days, zone, offset]) => instantOf(SOME_DAY + days, 0, zone) + offset),
  fc.integer({ min: 0, max: 20 * 86_400_000 }).map((offset) => SOME_DAY * 86_400_000 + offset),
);

function randomProperty(network: Network): fc.Arbitrary<Property> {
  return fc
    .record({
      id: fc.constantFrom(...PROPERTIES),
      brand: fc.constantFrom(...BRANDS),
      place: fc.constantFrom(...CITIES),
      maxGuests: fc.integer({ min: 1, max: 5 }),
      leadDays: fc.constantFrom(0, 0, 1, 7),
      amenities: fc.option(
        fc
          .tuple(fc.subarray([...AMENITIES]), fc.constantFrom('', '', 'Own '))
          .map(([keys, own]) => Object.fromEntries(keys.map((key) => [key, `${own}${key.toUpperCase()}`]))),
      ),
    })
    .map((facts) => propertyLike({ ...facts, currency: network.places.get(facts.place)?.currency ?? '' }));
}

/** Calendars that begin around today or reach across the horizon, rarely both. */
function randomCalendar(longest: number): fc.Arbitrary<Calendar> {
  const start = fc.oneof(
    fc.integer({ min: -longest / 2, max: 20 }),
    fc.integer({ min: HORIZON_NIGHTS - longest, max: HORIZON_NIGHTS + 10 }),
  );
  return fc
    .tuple(start, fc.oneof(fc.integer({ min: 1, max: longest }), fc.nat({ max: longest })))
    .chain(([offset, length]) => {
      const column = (arbitrary: fc.Arbitrary<number>) =>
        fc.array(arbitrary, { minLength: length, maxLength: length, size: 'max' });
      const seldom = fc.nat({ max: 7 }).map((roll) => (roll === 4 ? 1 : 0));
      return fc.record({
        firstDay: fc.constant(SOME_DAY + offset),
        available: column(seldom.map((taken) => 1 - taken)).map((values) => Uint8Array.from(values)),
        minimumStay: column(fc.constantFrom(1, 0, 1, 1, 2, 3, 7)).map((values) => Uint16Array.from(values)),
        maximumStay: column(fc.constantFrom(0, 0, 0, 0, 0, 2, 4, 14)).map((values) =>
          Uint16Array.from(values),
        ),
        closedToArrival: column(seldom).map((values) => Uint8Array.from(values)),
        closedToDeparture: column(seldom).map((values) => Uint8Array.from(values)),
        price: column(fc.constantFrom(0, 1, 5, 9_900, 4_294_967_295)).map((values) =>
          Uint32Array.from(values),
        ),
      });
    });
}

export type Change =
  | { readonly kind: 'put'; readonly property: Property; readonly calendar: Calendar }
  | { readonly kind: 'remove'; readonly property: string }
  | { readonly kind: 'hide'; readonly brand: string }
  | { readonly kind: 'withdraw'; readonly property: string; readonly refused: readonly RefusedNights[] };

function randomChange(network: Network, longestCalendar: number): fc.Arbitrary<Change> {
  const put = fc.record({
    kind: fc.constant('put' as const),
    property: randomProperty(network),
    calendar: randomCalendar(longestCalendar),
  });
  const remove = fc.record({
    kind: fc.constant('remove' as const),
    property: fc.constantFrom(...EVERY_PROPERTY),
  });
  const withdraw = fc
    .tuple(
      fc.constantFrom(...EVERY_PROPERTY),
      fc.array(fc.tuple(randomDay, fc.integer({ min: 0, max: 30 })), { maxLength: 4 }),
    )
    .map(([property, stays]) => ({
      kind: 'withdraw' as const,
      property,
      refused: stays.map(([from, nights]) => ({ from, to: from + nights })),
    }));
  const hide = fc.record({
    kind: fc.constant('hide' as const),
    brand: fc.constantFrom(...BRANDS, 'nobody'),
  });
  return fc.oneof(
    { arbitrary: put, weight: 12 },
    { arbitrary: withdraw, weight: 4 },
    { arbitrary: remove, weight: 2 },
    { arbitrary: hide, weight: 1 },
  );
}

const randomDay: fc.Arbitrary<Day> = fc.oneof(
  fc.integer({ min: SOME_DAY - 5, max: SOME_DAY + 45 }),
  fc.integer({ min: SOME_DAY + HORIZON_NIGHTS - 30, max: SOME_DAY + HORIZON_NIGHTS + 45 }),
);

const ANY_CRITERIA = {
  brand: fc.constantFrom(...BRANDS, 'nobody'),
  place: fc.constantFrom('country-1', 'country-2', 'region-1', 'region-2', ...CITIES, 'nowhere'),
  checkInMonth: randomDay.map(monthOf),
  checkIn: randomDay,
  checkOut: randomDay,
  guests: fc.integer({ min: 0, max: 6 }),
  amenities: fc.oneof(fc.subarray([...AMENITIES]), fc.constant(['toString'])),
};

/** Any subset of the criteria. Most values come from one calendar, because unrelated ones hardly ever match a stay. */
function randomCriteria(network: Network, changes: readonly Change[]): fc.Arbitrary<StayCriteria> {
  const puts = changes.filter((change) => change.kind === 'put' && change.calendar.available.length > 0);
  const stay = fc
    .tuple(fc.constantFrom(...puts, undefined), fc.nat(), fc.constantFrom(0, 0, 1, 2), fc.nat({ max: 2 }))
    .map(([put, position, longer, level]) => {
      if (put?.kind !== 'put') return ANY_STAY;
      const { property, calendar } = put;
      const arrivals = [...calendar.available.keys()].filter((night) => calendar.available[night] === 1);
      const arrival = arrivals[position % arrivals.length] ?? 0;
      const checkIn = calendar.firstDay + arrival;
      return {
        brand: property.brand,
        place: placeAbove(property.place, level, network),
        checkInMonth: monthOf(checkIn),
        checkIn,
        checkOut: checkIn + Math.max(1, calendar.minimumStay[arrival] ?? 1) + longer,
        guests: property.maxGuests,
        amenities: Object.keys(property.amenities ?? {}),
      };
    });
  const said = <Value>(fitting: Value, any: fc.Arbitrary<Value>, unsaid: Value) =>
    fc.oneof(
      { arbitrary: fc.constant(unsaid), weight: 6 },
      { arbitrary: fc.constant(fitting), weight: 9 },
      { arbitrary: any, weight: 1 },
    );
  return stay.chain((fitting) =>
    fc.record({
      brand: said(fitting.brand, ANY_CRITERIA.brand, null),
      place: said(fitting.place, ANY_CRITERIA.place, null),
      checkInMonth: said(fitting.checkInMonth, ANY_CRITERIA.checkInMonth, null),
      checkIn: said(fitting.checkIn, ANY_CRITERIA.checkIn, null),
      checkOut: said(fitting.checkOut, ANY_CRITERIA.checkOut, null),
      guests: said(fitting.guests, ANY_CRITERIA.guests, null),
      amenities: said(fitting.amenities, ANY_CRITERIA.amenities, []),
    }),
  );
}

function placeAbove(place: string, levels: number, network: Network): string {
  const parent = network.places.get(place)?.parent ?? null;
  return levels === 0 || parent === null ? place : placeAbove(parent, levels - 1, network);
}

/** A network, writes to its index, and queries with the time at which they are made. */
export function randomWorld(size: { readonly longestCalendar: number; readonly maxChanges: number }) {
  return randomNetwork
    .chain((network) =>
      fc.record({
        network: fc.constant<Network>(network),
        changes: fc.array(randomChange(network, size.longestCalendar), {
          minLength: 1,
          maxLength: size.maxChanges,
          size: 'max',
        }),
      }),
    )
    .chain(({ network, changes }) =>
      fc.record({
        network: fc.constant(network),
        changes: fc.constant(changes),
        questions: fc.array(fc.tuple(randomCriteria(network, changes), randomNow), {
          minLength: 4,
          maxLength: 4,
        }),
      }),
    );
}

export function applyChange(change: Change, index: AvailabilityWriter): void {
  if (change.kind === 'put') index.put(change.property, change.calendar);
  else if (change.kind === 'remove') index.remove(change.property);
  else if (change.kind === 'hide') index.hideBrand(change.brand);
  else index.withdraw(change.property, change.refused);
}
