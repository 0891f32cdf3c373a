import type {
  AvailabilityIndex,
  AvailabilityWriter,
} from '../../src/inventory/availability-index/availability-index.ts';
import type { Calendar } from '../../src/inventory/calendar.ts';
import { HORIZON_NIGHTS } from '../../src/inventory/calendar.ts';
import type { Network, PlaceId, Property, PropertyId } from '../../src/inventory/catalogue.ts';
import type { StayCriteria } from '../../src/inventory/stay-criteria.ts';
import type { Day } from '../../src/stay/day.ts';
import { monthOf } from '../../src/stay/month.ts';
import { todayIn } from '../../src/stay/time-zone.ts';
import { isRefused, type PlainListing, plainObstacle } from './plain-obstacle.ts';

type Stay = {
  readonly property: Property;
  readonly calendar: Calendar;
  readonly checkIn: Day;
  readonly checkOut: Day;
};

/** Brute force: tries every stay of every property. The real index is tested against it. */
export function createPlainAvailabilityIndex(network: Network): AvailabilityIndex & AvailabilityWriter {
  const listings = new Map<PropertyId, PlainListing>();
  let writes = 0;

  const todayOf = (property: Property, now: number) =>
    todayIn(network.places.get(property.place)?.timeZone ?? '', now);

  /** Those that have the brand, place and amenities, for a party of any size. */
  function listingsFor(criteria: StayCriteria): readonly PlainListing[] {
    return [...listings.values()].filter(({ property }) => {
      const amenities = Object.keys(property.amenities ?? {});
      return (
        (criteria.brand === null || property.brand === criteria.brand) &&
        (criteria.place === null || placesOf(property, network).includes(criteria.place)) &&
        criteria.amenities.every((amenity) => amenities.includes(amenity))
      );
    });
  }

  function* stays(criteria: StayCriteria, now: number): Generator<Stay> {
    for (const listing of listingsFor(criteria)) {
      const { property, calendar } = listing;
      if (criteria.guests !== null && property.maxGuests < criteria.guests) continue;
      const today = todayOf(property, now);
      const end = calendar.firstDay + calendar.available.length;
      for (let checkIn = calendar.firstDay; checkIn < end; checkIn++) {
        if (criteria.checkIn !== null && checkIn !== criteria.checkIn) continue;
        if (criteria.checkInMonth !== null && monthOf(checkIn) !== criteria.checkInMonth) continue;
        for (let checkOut = checkIn + 1; checkOut <= end; checkOut++) {
          if (criteria.checkOut !== null && checkOut !== criteria.checkOut) continue;
          if (canStay(listing, checkIn, checkOut, today)) yield { property, calendar, checkIn, checkOut };
        }
      }
    }
  }

  function put(property: Property, calendar: Calendar): void {
    const city = network.places.get(property.place);
    if (city?.currency !== property.currency) throw new RangeError(property.id);
    listings.set(property.id, { property, calendar: structuredClone(calendar), refused: [] });
    writes++;
  }

  const hasMatch = (criteria: StayCriteria, now: number) => stays(criteria, now).some(() => true);
  const propertiesOf = (found: Iterable<Stay>) => [...new Set([...found].map(({ property }) => property))];

  return {
    hasMatch,
    obstacle: (criteria, now) =>
      hasMatch(criteria, now)
        ? null
        : plainObstacle(listingsFor(criteria), criteria, (property) => todayOf(property, now)),
    destinations: (criteria, now) =>
      countsOf(
        propertiesOf(stays({ ...criteria, place: null }, now)).flatMap((property) =>
          placesOf(property, network),
        ),
      ).map(([place, properties]) => ({ place, properties })),
    checkInMonths: (criteria, now) => {
      const anytime = { ...criteria, checkInMonth: null, checkIn: null, checkOut: null };
      return ascending(stays(anytime, now).map(({ checkIn }) => monthOf(checkIn)));
    },
    checkInDays: (criteria, now) =>
      ascending(stays({ ...criteria, checkIn: null, checkOut: null }, now).map(({ checkIn }) => checkIn)),
    checkOutDays: (criteria, now) =>
      criteria.checkIn === null
        ? []
        : ascending(stays({ ...criteria, checkOut: null }, now).map(({ checkOut }) => checkOut)),
    largestParty: (criteria, now) =>
      ascending(stays({ ...criteria, guests: null }, now).map(({ property }) => property.maxGuests)).at(-1) ??
      0,
    candidates: (criteria, now) =>
      [...stays(criteria, now)]
        .map((stay) => ({
          property: stay.property.id,
          brand: stay.property.brand,
          place: stay.property.place,
          indicativeTotal: priceOf(stay),
        }))
        .sort((a, b) => (a.property < b.property ? -1 : 1))
        .sort((a, b) => (a.indicativeTotal ?? 2 ** 53) - (b.indicativeTotal ?? 2 ** 53)),
    bookableStays: (criteria, asked, now, condition) =>
      asked.filter((stay) =>
        stays({ ...criteria, checkInMonth: null, ...stay }, now).some(({ property }) =>
          condition(property, stay),
        ),
      ),
    amenityCounts: (among) =>
      countsOf(
        [...new Set(among)].flatMap((id) => Object.keys(listings.get(id)?.property.amenities ?? {})),
      ).map(([amenity, properties]) => ({ amenity, properties })),
    property: (id) => listings.get(id)?.property,
    revision: (_, now) => `${writes}@${Math.floor(now / 60_000)}`,
    put,
    load(stored) {
      for (const { property, calendar } of stored) put(property, calendar);
    },
    remove: (id) => {
      if (listings.delete(id)) writes++;
    },
    removeAll(ids) {
      for (const id of ids) if (listings.delete(id)) writes++;
    },
    withdraw(id, refused) {
      const listing = listings.get(id);
      if (!listing) return;
      writes++;
      listings.set(id, { ...listing, refused });
    },
    get propertyCount() {
      return listings.size;
    },
  };
}

function canStay(listing: PlainListing, checkIn: Day, checkOut: Day, today: Day): boolean {
  const { property, calendar } = listing;
  const arrival = checkIn - calendar.firstDay;
  const departure = checkOut - calendar.firstDay;
  const nights = checkOut - checkIn;
  return (
    checkIn >= today &&
    checkIn >= today + property.leadDays &&
    checkOut <= today + HORIZON_NIGHTS &&
    nights >= 1 &&
    nights >= (calendar.minimumStay[arrival] ?? 1) &&
    nights <= (calendar.maximumStay[arrival] || Number.POSITIVE_INFINITY) &&
    calendar.closedToArrival[arrival] === 0 &&
    (departure === calendar.available.length || calendar.closedToDeparture[departure] === 0) &&
    !calendar.available.subarray(arrival, departure).includes(0) &&
    !isRefused(listing, checkIn, checkOut)
  );
}

function priceOf({ calendar, checkIn, checkOut }: Stay): number | null {
  const published = [...calendar.price].filter((price) => price > 0);
  if (published.length === 0) return null;
  const sum = (prices: readonly number[]) => prices.reduce((total, price) => total + price, 0);
  const usual = Math.max(1, Math.round(sum(published) / published.length));
  const nights = [...calendar.price.slice(checkIn - calendar.firstDay, checkOut - calendar.firstDay)];
  return sum(nights.map((price) => price || usual));
}

/** The city and those of its parents that have the same currency. */
function placesOf(property: Property, network: Network): readonly PlaceId[] {
  const places: PlaceId[] = [];
  for (let id: PlaceId | null = property.place; id !== null; id = network.places.get(id)?.parent ?? null) {
    if (network.places.get(id)?.currency === property.currency) places.push(id);
  }
  return places;
}

function ascending(values: Iterable<number>): readonly number[] {
  return [...new Set(values)].sort((a, b) => a - b);
}

/** Most frequent first, then by name. */
function countsOf(names: readonly string[]): readonly (readonly [string, number])[] {
  const counts = [...new Set(names)].map((name) => [name, names.filter((n) => n === name).length] as const);
  return counts.sort(([a, aCount], [b, bCount]) => bCount - aCount || (a < b ? -1 : 1));
}
