import { HORIZON_NIGHTS } from '../catalogue/calendar.ts';
import type { Network, Place, PlaceId } from '../catalogue/catalogue.ts';
import type { Day } from '../stay/day.ts';
import { todayIn } from '../stay/time-zone.ts';
import type { IndexedHome, PlaceCount } from './availability-index.ts';

/** A city with its number and that of its time zone. */
export type City = {
  readonly number: number;
  readonly timeZone: number;
  /** Homes of a group share tiles: they have the same time zone and the same widest place around them. */
  readonly group: number;
  /**
   * The numbers of the city and of the places around it that share its currency. A search compares prices in the currency of its
   * place, so a city with another currency than its country is found on its own but not in the country.
   */
  readonly places: readonly number[];
};

export type PlaceTree = {
  /** By number, in the order of the network. */
  readonly places: readonly PlaceId[];
  /** By number of the place, as if each were a city. */
  readonly cities: readonly City[];
  /** The numbers of the cities, the only places with homes. */
  readonly cityNumbers: readonly number[];
  readonly timeZones: readonly string[];
  /** The number of the scope with every home: the first after the places. */
  readonly everywhere: number;
  numberOf(place: PlaceId): number | undefined;
  /** Throws for a place that is no city, and for another currency than the city's: callers check both before. */
  cityOf(home: IndexedHome): City;
};

/** The index has 16 bits for the place of a home. */
const MAX_PLACES = 65_535;

export function createPlaceTree(network: Network): PlaceTree {
  const places = [...network.places.keys()];
  if (places.length > MAX_PLACES) throw new RangeError(`a network has at most ${MAX_PLACES} places`);
  const numbers = new Map(places.map((id, number) => [id, number]));
  const timeZones = [...new Set([...network.places.values()].map(({ timeZone }) => timeZone))];
  const timeZoneNumbers = new Map(timeZones.map((name, number) => [name, number]));
  const cities = [...network.places.values()].map((place, number): City => {
    const around = placesWithCurrencyOf(place, network).flatMap((id) => numbers.get(id) ?? []);
    const timeZone = timeZoneNumbers.get(place.timeZone) ?? 0;
    const root = around.at(-1) ?? number;
    return { number, timeZone, group: root * timeZones.length + timeZone, places: around };
  });
  return {
    places,
    cities,
    cityNumbers: cities
      .map(({ number }) => number)
      .filter((number) => network.places.get(places[number] ?? '')?.kind === 'city'),
    timeZones,
    everywhere: places.length,
    numberOf: (place) => numbers.get(place),
    cityOf({ id, place: placeId, currency }) {
      const place = network.places.get(placeId);
      const city = cities[numbers.get(placeId) ?? -1];
      if (place?.kind !== 'city' || !city) {
        throw new RangeError(`${id} lies in ${placeId}, which is no city of the network`);
      }
      if (place.currency !== currency) {
        throw new RangeError(`${id} is priced in ${currency}, but ${place.id} in ${place.currency}`);
      }
      return city;
    },
  };
}

function placesWithCurrencyOf(city: Place, network: Network): readonly PlaceId[] {
  const places: PlaceId[] = [];
  for (let place: Place | undefined = city; place; place = network.places.get(place.parent ?? '')) {
    if (place.currency === city.currency) places.push(place.id);
  }
  return places;
}

/** Counts for places of every level, from the counts of their cities: highest first, then by id. */
type PlaceCounts = (ofCities: Uint32Array) => readonly PlaceCount[];

const DIGIT_BITS = 11;
const DIGIT = 2 ** DIGIT_BITS - 1;

export function createPlaceCounts({ places, cities, cityNumbers }: PlaceTree): PlaceCounts {
  const byId = Uint32Array.from(places.keys()).sort((one, other) =>
    (places[one] ?? '') < (places[other] ?? '') ? -1 : 1,
  );
  const counts = new Uint32Array(places.length);
  const ends = new Uint32Array(DIGIT + 1);
  let sorted = new Uint32Array(places.length);
  let other = new Uint32Array(places.length);

  /** Lists the places with a count by id; returns their number and the highest count. */
  function countPlaces(ofCities: Uint32Array): { readonly counted: number; readonly highest: number } {
    counts.fill(0);
    for (const city of cityNumbers) {
      const properties = ofCities[city] ?? 0;
      if (properties === 0) continue;
      for (const place of cities[city]?.places ?? []) counts[place] = (counts[place] ?? 0) + properties;
    }
    let [counted, highest] = [0, 0];
    for (const place of byId) {
      const properties = counts[place] ?? 0;
      if (properties === 0) continue;
      sorted[counted++] = place;
      if (properties > highest) highest = properties;
    }
    return { counted, highest };
  }

  /** Sorts the places by one digit of their counts. The sort is stable. */
  function sortByDigit(counted: number, shift: number): void {
    const digitOf = (place: number) => DIGIT - (((counts[place] ?? 0) >>> shift) & DIGIT);
    const add = (digit: number, more: number) => (ends[digit] = (ends[digit] ?? 0) + more);
    ends.fill(0);
    for (let at = 0; at < counted; at++) add(digitOf(sorted[at] ?? 0), 1);
    for (let digit = 1; digit <= DIGIT; digit++) add(digit, ends[digit - 1] ?? 0);
    for (let at = counted - 1; at >= 0; at--) {
      const place = sorted[at] ?? 0;
      other[add(digitOf(place), -1)] = place;
    }
    [sorted, other] = [other, sorted];
  }

  return (ofCities) => {
    const { counted, highest } = countPlaces(ofCities);
    // A radix sort, because comparing thousands of places takes longer than counting a million homes.
    for (let shift = 0; highest >>> shift > 0; shift += DIGIT_BITS) sortByDigit(counted, shift);
    return Array.from(sorted.subarray(0, counted), (place) => ({
      place: places[place] ?? '',
      properties: counts[place] ?? 0,
    }));
  };
}

/** Today's date in each time zone of the network. */
export type LocalDates = {
  /** Equal for equal dates. */
  readonly edition: number;
  /** In no time zone is today before `start`, and no searchable stay begins on or after `end`. */
  readonly start: Day;
  readonly end: Day;
  /** By the number of the time zone. */
  readonly todays: Int32Array;
};

export const MINUTE_MS = 60_000;

/** Cached for a minute, because days begin on the minute and computing the date in a time zone is slow. */
export function createLocalDates(timeZones: readonly string[]): (now: number) => LocalDates {
  let latest: LocalDates | undefined;
  let latestMinute = Number.NaN;

  return (now) => {
    const minute = Math.floor(now / MINUTE_MS);
    if (latest && minute === latestMinute) return latest;
    latestMinute = minute;
    const todays = Int32Array.from(timeZones, (timeZone) => todayIn(timeZone, minute * MINUTE_MS));
    if (latest && todays.every((today, zone) => today === latest?.todays[zone])) return latest;
    latest = {
      // No date goes back while time goes on, so different dates have different sums.
      edition: todays.reduce((sum, today) => sum + today, 0),
      start: todays.reduce((first, today) => Math.min(first, today), Number.POSITIVE_INFINITY),
      end: todays.reduce((last, today) => Math.max(last, today), Number.NEGATIVE_INFINITY) + HORIZON_NIGHTS,
      todays,
    };
    return latest;
  };
}
