import type { Network, Place, PlaceId } from '../catalogue.ts';
import type { IndexedHome } from './availability-index.ts';

/** A city with the numbers that stand for it and for its time zone in the columns. */
export type City = {
  readonly number: number;
  readonly timeZoneNumber: number;
  /**
   * The city and the places around it that share its currency. Prices of a search are compared in the currency of its
   * place, so a city with another currency than its country is found by itself and not in the country.
   */
  readonly places: readonly PlaceId[];
};

type PlaceTree = {
  readonly cities: readonly City[];
  readonly timeZones: readonly string[];
  /** Throws for an unknown place, and for a currency other than the city's: callers check both before. */
  cityOf(home: IndexedHome): City;
};

export function createPlaceTree(network: Network): PlaceTree {
  const cities: City[] = [];
  const timeZones: string[] = [];
  const cityByPlace = new Map<PlaceId, City>();

  function timeZoneNumberOf(timeZone: string): number {
    const known = timeZones.indexOf(timeZone);
    return known === -1 ? timeZones.push(timeZone) - 1 : known;
  }

  return {
    cities,
    timeZones,
    cityOf(home) {
      const place = network.places.get(home.place);
      if (!place) throw new RangeError(`${home.id} lies in ${home.place}, which is not on the network`);
      if (place.currency !== home.currency) {
        throw new RangeError(
          `${home.id} is priced in ${home.currency}, but ${place.id} in ${place.currency}`,
        );
      }
      const city = cityByPlace.get(place.id) ?? {
        number: cities.length,
        timeZoneNumber: timeZoneNumberOf(place.timeZone),
        places: placesWithCurrencyOf(place, network),
      };
      if (city.number === cities.length) cities.push(city);
      cityByPlace.set(place.id, city);
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
