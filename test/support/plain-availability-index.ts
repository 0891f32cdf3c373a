import type {
  AvailabilityIndex,
  AvailabilityWriter,
  Candidate,
  HomeVersion,
  IndexedHome,
} from '../../src/availability/availability-index.ts';
import { MAX_LABELS_OF_AMENITY, MAX_LABELS_OF_BRAND } from '../../src/availability/availability-index.ts';
import { tieOrder } from '../../src/availability/rows-by-id.ts';
import { AMENITY_LABELS } from '../../src/catalogue/amenities.ts';
import type { Calendar } from '../../src/catalogue/calendar.ts';
import { HORIZON_NIGHTS } from '../../src/catalogue/calendar.ts';
import type { Network, PlaceId, PropertyId } from '../../src/catalogue/catalogue.ts';
import type { StayCriteria } from '../../src/catalogue/stay-criteria.ts';
import type { Day } from '../../src/stay/day.ts';
import { monthOf } from '../../src/stay/day.ts';
import { todayIn } from '../../src/stay/time-zone.ts';
import { isRefused, type PlainListing, plainObstacle } from './plain-obstacle.ts';

type Stay = {
  readonly home: IndexedHome;
  readonly calendar: Calendar;
  readonly checkIn: Day;
  readonly checkOut: Day;
};

/** Brute force: tries every stay of every property. The real index is tested against it. */
export function createPlainAvailabilityIndex(network: Network): AvailabilityIndex & AvailabilityWriter {
  const listings = new Map<PropertyId, PlainListing>();
  /** Not found, and not removed. */
  const hidden = new Map<PropertyId, PlainListing>();
  const published: { readonly amenity: string; readonly label: string; readonly brand: string }[] = [];
  const versions = new Map<PropertyId, HomeVersion | undefined>();
  let writes = 0;

  /** By zone and instant: asking for the date of a zone would take longer than all else. */
  const dates = new Map<string, Day>();
  function todayOf(home: IndexedHome, now: number): Day {
    const zone = network.places.get(home.place)?.timeZone ?? '';
    const today = dates.get(`${zone} ${now}`) ?? todayIn(zone, now);
    dates.set(`${zone} ${now}`, today);
    return today;
  }

  /** Those that have the brand, place and amenities, for a party of any size. */
  function listingsFor(criteria: StayCriteria): readonly PlainListing[] {
    return [...listings.values()].filter(({ home }) => {
      const amenities = Object.keys(home.amenities ?? {});
      return (
        (criteria.brand === null || home.brand === criteria.brand) &&
        (criteria.place === null || placesOf(home, network).includes(criteria.place)) &&
        criteria.amenities.every((amenity) => amenities.includes(amenity))
      );
    });
  }

  function* stays(criteria: StayCriteria, now: number): Generator<Stay> {
    for (const { listing, checkIn, today } of arrivals(criteria, now))
      yield* staysFrom(listing, checkIn, today, criteria);
  }

  /** The first stay from each arrival, where the departure does not matter. */
  function* firstStays(criteria: StayCriteria, now: number): Generator<Stay> {
    for (const { listing, checkIn, today } of arrivals(criteria, now))
      yield* staysFrom(listing, checkIn, today, criteria).take(1);
  }

  function* arrivals(criteria: StayCriteria, now: number) {
    for (const listing of listingsFor(criteria)) {
      const { home, calendar } = listing;
      if (criteria.guests !== null && home.maxGuests < criteria.guests) continue;
      const today = todayOf(home, now);
      const end = calendar.firstDay + calendar.available.length;
      for (let checkIn = calendar.firstDay; checkIn < end; checkIn++) {
        if (criteria.checkIn !== null && checkIn !== criteria.checkIn) continue;
        if (criteria.checkInMonth !== null && monthOf(checkIn) !== criteria.checkInMonth) continue;
        yield { listing, checkIn, today };
      }
    }
  }

  function put(home: IndexedHome, calendar: Calendar, version?: HomeVersion): void {
    const city = network.places.get(home.place);
    if (city?.kind !== 'city' || city.currency !== home.currency) throw new RangeError(home.id);
    hidden.delete(home.id);
    listings.set(home.id, { home, calendar: structuredClone(calendar), refused: [] });
    versions.set(home.id, version);
    for (const [amenity, label] of Object.entries(home.amenities ?? {}))
      published.push({ amenity, label, brand: home.brand });
    writes++;
  }

  const hasMatch = (criteria: StayCriteria, now: number) => stays(criteria, now).some(() => true);
  const homesOf = (found: Iterable<Stay>) => [...new Set([...found].map(({ home }) => home))];

  return {
    hasMatch,
    obstacle: (criteria, now) =>
      hasMatch(criteria, now)
        ? null
        : plainObstacle(listingsFor(criteria), criteria, (home) => todayOf(home, now)),
    destinations: (criteria, now) =>
      countsOf(
        homesOf(firstStays({ ...criteria, place: null }, now)).flatMap((home) => placesOf(home, network)),
      ).map(([place, properties]) => ({ place, properties })),
    checkInMonths: (criteria, now) => {
      const anytime = { ...criteria, checkInMonth: null, checkIn: null, checkOut: null };
      return ascending(firstStays(anytime, now).map(({ checkIn }) => monthOf(checkIn)));
    },
    checkInDays: (criteria, now) =>
      ascending(
        firstStays({ ...criteria, checkIn: null, checkOut: null }, now).map(({ checkIn }) => checkIn),
      ),
    checkOutDays: (criteria, now) =>
      criteria.checkIn === null
        ? []
        : ascending(stays({ ...criteria, checkOut: null }, now).map(({ checkOut }) => checkOut)),
    largestParty: (criteria, now) =>
      ascending(firstStays({ ...criteria, guests: null }, now).map(({ home }) => home.maxGuests)).at(-1) ?? 0,
    matches(criteria, now, { cheapest, cheapestOfBrand, without }) {
      const found = [...stays(criteria, now)].filter(({ home }) => !without.includes(home.id));
      const most = cheapestOfBrand?.(new Set(found.map(({ home }) => home.brand)).size) ?? 0;
      const all = found.map((stay) => candidateOf(stay)).sort(inOrder);
      const priced = all.filter(({ indicativeTotal }) => indicativeTotal !== null);
      const ofBrands = Map.groupBy(
        all,
        ({ brand, indicativeTotal }) => `${brand} ${indicativeTotal === null}`,
      );
      const chosen = new Set([
        ...priced.slice(0, cheapest),
        ...ofBrands.values().flatMap((alike) => alike.slice(0, most)),
      ]);
      const candidates = all.toSorted((one, other) =>
        one.brand === other.brand ? 0 : one.brand < other.brand ? -1 : 1,
      );
      return {
        total: found.length,
        unpublishedAmenities: found.filter(({ home }) => home.amenities === null).length,
        amenities: countsOf(found.flatMap(({ home }) => Object.keys(home.amenities ?? {}))).map(
          ([amenity, properties]) => ({ amenity, properties }),
        ),
        candidates: candidates.filter((one) => chosen.has(one)),
      };
    },
    bookableStays: (criteria, asked, now) =>
      asked
        .filter(({ stay, without }) =>
          stays({ ...criteria, checkInMonth: null, ...stay }, now).some(
            ({ home }) => !without.includes(home.id),
          ),
        )
        .map(({ stay }) => stay),
    amenityLabels: (amenity) => {
      const kept = new Map<string, string>();
      for (const { label, brand } of published.filter((entry) => entry.amenity === amenity)) {
        const ofBrand = [...kept.values()].filter((other) => other === brand).length;
        if (kept.has(label) || kept.size === MAX_LABELS_OF_AMENITY || ofBrand === MAX_LABELS_OF_BRAND)
          continue;
        kept.set(label, brand);
      }
      return [...kept.keys()].sort();
    },
    isCommonAmenity: (amenity) =>
      Object.hasOwn(AMENITY_LABELS, amenity) ||
      new Set(published.filter((entry) => entry.amenity === amenity).map(({ brand }) => brand)).size > 1,
    has: (id) => listings.has(id),
    revision: (_, now) => `${writes}@${Math.floor(now / 60_000)}`,
    put,
    remove: (id) => {
      if (listings.delete(id) || hidden.delete(id)) writes++;
    },
    removeAll(ids) {
      for (const id of ids) if (listings.delete(id) || hidden.delete(id)) writes++;
    },
    hideBrand(brand) {
      writes++;
      for (const [id, listing] of listings) {
        if (listing.home.brand !== brand) continue;
        listings.delete(id);
        hidden.set(id, listing);
      }
    },
    withdraw(id, refused) {
      const listing = listings.get(id);
      if (!listing) return;
      writes++;
      listings.set(id, { ...listing, refused });
    },
    holds: (id, { listing, calendar }) => {
      const version = listings.has(id) ? versions.get(id) : undefined;
      return calendar !== 0 && version?.listing === listing && version.calendar === calendar;
    },
    homes: () => [...listings.values(), ...hidden.values()].map(({ home: { id, brand } }) => ({ id, brand })),
    followDate: () => false,
    daysLost: () => 0,
    rewind() {
      writes++;
      for (const [id, listing] of listings) hidden.set(id, listing);
      listings.clear();
    },
    get propertyCount() {
      return listings.size + hidden.size;
    },
  };
}

function* staysFrom(
  listing: PlainListing,
  checkIn: Day,
  today: Day,
  { checkOut: wanted }: StayCriteria,
): Generator<Stay> {
  const { home, calendar } = listing;
  const end = calendar.firstDay + calendar.available.length;
  for (let checkOut = checkIn + 1; checkOut <= end; checkOut++) {
    // No longer stay has this night either.
    if (calendar.available[checkOut - 1 - calendar.firstDay] === 0) return;
    if (wanted !== null && checkOut !== wanted) continue;
    if (canStay(listing, checkIn, checkOut, today)) yield { home, calendar, checkIn, checkOut };
  }
}

/** Of nights that are all free. */
function canStay(listing: PlainListing, checkIn: Day, checkOut: Day, today: Day): boolean {
  const { home, calendar } = listing;
  const arrival = checkIn - calendar.firstDay;
  const departure = checkOut - calendar.firstDay;
  const nights = checkOut - checkIn;
  return (
    checkIn >= today &&
    checkIn >= today + home.leadDays &&
    checkOut <= today + HORIZON_NIGHTS &&
    nights >= 1 &&
    nights >= (calendar.minimumStay[arrival] ?? 1) &&
    nights <= (calendar.maximumStay[arrival] || Number.POSITIVE_INFINITY) &&
    calendar.closedToArrival[arrival] === 0 &&
    (departure === calendar.available.length || calendar.closedToDeparture[departure] === 0) &&
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

function candidateOf(stay: Stay): Candidate {
  const { id, brand, place } = stay.home;
  return { property: id, brand, place, indicativeTotal: priceOf(stay) };
}

function inOrder(one: Candidate, other: Candidate): number {
  return (
    (one.indicativeTotal ?? 2 ** 53) - (other.indicativeTotal ?? 2 ** 53) ||
    tieOrder(one.property) - tieOrder(other.property) ||
    (one.property < other.property ? -1 : 1)
  );
}

/** The city and those of its parents that have the same currency. */
function placesOf(home: IndexedHome, network: Network): readonly PlaceId[] {
  const places: PlaceId[] = [];
  for (let id: PlaceId | null = home.place; id !== null; id = network.places.get(id)?.parent ?? null) {
    if (network.places.get(id)?.currency === home.currency) places.push(id);
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
