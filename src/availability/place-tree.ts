import type { Network, Place, PlaceId } from '../catalogue/catalogue.ts';
import type { IndexedHome } from './availability-index.ts';

/** A city with the numbers that stand for it and for its time zone. */
export type City = {
  readonly number: number;
  readonly timeZone: number;
  /** Homes of a group share tiles: they are in one time zone, and the widest place around them is the same. */
  readonly group: number;
  /**
   * The numbers of the city and of the places around it that share its currency. Prices of a search are compared in the currency of its
   * place, so a city with another currency than its country is found by itself and not in the country.
   */
  readonly places: readonly number[];
};

export type PlaceTree = {
  /** By number, in the order of the network. */
  readonly places: readonly PlaceId[];
  /** By number of the place, as if each were a city. */
  readonly cities: readonly City[];
  /** The numbers of those that are: only they have homes. */
  readonly cityNumbers: readonly number[];
  readonly timeZones: readonly string[];
  numberOf(place: PlaceId): number | undefined;
  /** Throws for a place that is no city, and for a currency other than the city's: callers check both before. */
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
