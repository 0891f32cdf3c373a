import type { Day } from '../../stay/day.ts';
import type { Month } from '../../stay/month.ts';
import type { Network, PlaceId, PropertyId } from '../catalogue.ts';
import type { StayCriteria } from '../stay-criteria.ts';
import type {
  AmenityCount,
  AvailabilityIndex,
  AvailabilityWriter,
  PlaceCount,
} from './availability-index.ts';
import { readBookableDays, withdrawNights } from './bookable-days.ts';
import type { Stock } from './columns.ts';
import { createStoreroom, releaseSlot, store, takeSlot } from './columns.ts';
import type { Moment } from './local-dates.ts';
import { createMoments } from './local-dates.ts';
import { createShelves } from './partitions.ts';
import type { City } from './place-tree.ts';
import { createPlaceTree } from './place-tree.ts';
import type { StockAsked } from './stay-queries.ts';
import {
  candidatesAmong,
  daysOfArrival,
  daysOfDeparture,
  largestPartyOf,
  matchesByCity,
  monthsOfArrival,
  someStockMatches,
} from './stay-queries.ts';

type Question<Answer> = (asked: StockAsked, criteria: StayCriteria, moment: Moment) => Answer;

/** Holds all stock in memory; the plain twin beside it says the same in fewer words and more time. */
export function createAvailabilityIndex(network: Network): AvailabilityIndex & AvailabilityWriter {
  const stockById = new Map<PropertyId, Stock>();
  const room = createStoreroom();
  const tree = createPlaceTree(network);
  const shelves = createShelves();
  const momentOf = createMoments(tree.timeZones);

  /** Asks the stock of the criteria's brand and place. */
  function ask<Answer>(ofNothing: Answer, question: Question<Answer>) {
    return (criteria: StayCriteria, now: number): Answer => {
      const shelf = shelves.shelfOf(criteria.brand, criteria.place);
      return shelf ? question({ room, slots: shelf.slots }, criteria, momentOf(now)) : ofNothing;
    };
  }

  const destinations = ask<readonly PlaceCount[]>([], (asked, criteria, moment) =>
    countByPlace(matchesByCity(asked, criteria, moment), tree.cities),
  );
  const checkInMonths = ask<readonly Month[]>([], monthsOfArrival);
  const checkInDays = ask<readonly Day[]>([], daysOfArrival);
  const checkOutDays = ask<readonly Day[]>([], daysOfDeparture);
  const largestParty = ask(0, largestPartyOf);

  function remove(id: PropertyId): void {
    const stock = stockById.get(id);
    if (!stock) return;
    shelves.remove(stock);
    releaseSlot(room, stock.slot);
    stockById.delete(id);
  }

  return {
    hasMatch(criteria, now) {
      const shelf = shelves.shelfOf(criteria.brand, criteria.place);
      return shelf !== undefined && someStockMatches({ room, slots: shelf.slots }, criteria, momentOf(now));
    },
    destinations: (criteria, now) => destinations({ ...criteria, place: null }, now),
    checkInMonths: (criteria, now) =>
      checkInMonths({ ...criteria, checkInMonth: null, checkIn: null, checkOut: null }, now),
    checkInDays: (criteria, now) => checkInDays({ ...criteria, checkIn: null, checkOut: null }, now),
    checkOutDays: (criteria, now) => checkOutDays({ ...criteria, checkOut: null }, now),
    largestParty: (criteria, now) => largestParty({ ...criteria, guests: null }, now),
    candidates(criteria, now) {
      const shelf = shelves.shelfOf(criteria.brand, criteria.place);
      return shelf ? candidatesAmong({ room, slots: shelf.slots }, criteria, momentOf(now)) : [];
    },
    amenityCounts: (among) => countAmenities(among, stockById),
    property: (id) => stockById.get(id)?.property,
    // No local date changes within a minute.
    revision: ({ brand, place }, now) =>
      `${shelves.shelfOf(brand, place)?.version ?? 0}@${Math.floor(now / 60_000)}`,
    put(property, calendar) {
      const city = tree.cityOf(property);
      const bookable = readBookableDays(calendar);
      const known = stockById.get(property.id);
      const staysOnItsShelves = known?.city === city && known.property.brand === property.brand;
      if (!staysOnItsShelves) remove(property.id);
      const slot = staysOnItsShelves ? known.slot : takeSlot(room);
      const stock = { slot, property, city, bookable };
      store(room, stock);
      stockById.set(property.id, stock);
      if (staysOnItsShelves) shelves.markChanged(stock);
      else shelves.add(stock);
    },
    remove,
    withdraw(id, from, to) {
      const stock = stockById.get(id);
      if (!stock) return;
      withdrawNights(stock.bookable, from, to);
      store(room, stock);
      shelves.markChanged(stock);
    },
    get propertyCount() {
      return stockById.size;
    },
  };
}

function countByPlace(byCity: readonly number[], cities: readonly City[]): readonly PlaceCount[] {
  const byPlace = new Map<PlaceId, number>();
  for (const { number, places } of cities) {
    const properties = byCity[number] ?? 0;
    if (properties === 0) continue;
    for (const place of places) byPlace.set(place, (byPlace.get(place) ?? 0) + properties);
  }
  return [...byPlace]
    .map(([place, properties]) => ({ place, properties }))
    .sort((one, other) => other.properties - one.properties || (one.place < other.place ? -1 : 1));
}

function countAmenities(
  among: readonly PropertyId[],
  stockById: ReadonlyMap<PropertyId, Stock>,
): readonly AmenityCount[] {
  const counts = new Map<string, number>();
  for (const id of new Set(among)) {
    for (const amenity of Object.keys(stockById.get(id)?.property.amenities ?? {})) {
      counts.set(amenity, (counts.get(amenity) ?? 0) + 1);
    }
  }
  return [...counts]
    .map(([amenity, properties]) => ({ amenity, properties }))
    .sort((one, other) => other.properties - one.properties || (one.amenity < other.amenity ? -1 : 1));
}
