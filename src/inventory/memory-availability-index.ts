import type { Day } from '../stay/day.ts';
import type { Month } from '../stay/month.ts';
import { createAnswerMemory } from './answer-memory.ts';
import type {
  AmenityCount,
  AvailabilityIndex,
  AvailabilityLedger,
  Network,
  PlaceStock,
} from './availability-index.ts';
import { readBookableDays, withdrawNights } from './bookable-days.ts';
import type { PlaceId, PropertyId } from './catalogue.ts';
import type { Moment } from './moment.ts';
import { createMoments } from './moment.ts';
import type { City } from './place-tree.ts';
import { createPlaceTree } from './place-tree.ts';
import { createShelves } from './shelves.ts';
import type { StockAsked } from './stay-questions.ts';
import {
  candidatesAmong,
  daysOfArrival,
  daysOfDeparture,
  largestPartyOf,
  matchesByCity,
  monthsOfArrival,
  someStockMatches,
} from './stay-questions.ts';
import type { Stock } from './storeroom.ts';
import { createStoreroom, releaseSlot, store, takeSlot } from './storeroom.ts';
import type { Wish } from './wish.ts';

type Question<Answer> = (asked: StockAsked, wish: Wish, moment: Moment) => Answer;

/** Holds all stock in memory; the plain twin beside it says the same in fewer words and more time. */
export function createAvailabilityIndex(network: Network): AvailabilityIndex & AvailabilityLedger {
  const stockById = new Map<PropertyId, Stock>();
  const room = createStoreroom();
  const tree = createPlaceTree(network);
  const shelves = createShelves();
  const momentOf = createMoments(tree.timeZones);

  /** Asks the stock of the wish's brand and place; what was asked before is answered from memory. */
  function askedOften<Answer>(ofNothing: Answer, question: Question<Answer>) {
    const remember = createAnswerMemory<Answer>();
    return (wish: Wish, now: number): Answer => {
      const shelf = shelves.shelfOf(wish.brand, wish.place);
      if (!shelf) return ofNothing;
      const moment = momentOf(now);
      return remember(wish, shelf, moment.minute, () => question({ room, slots: shelf.slots }, wish, moment));
    };
  }

  const destinations = askedOften<readonly PlaceStock[]>([], (asked, wish, moment) =>
    countByPlace(matchesByCity(asked, wish, moment), tree.cities),
  );
  const checkInMonths = askedOften<readonly Month[]>([], monthsOfArrival);
  const checkInDays = askedOften<readonly Day[]>([], daysOfArrival);
  const checkOutDays = askedOften<readonly Day[]>([], daysOfDeparture);
  const largestParty = askedOften(0, largestPartyOf);

  function remove(id: PropertyId): void {
    const stock = stockById.get(id);
    if (!stock) return;
    shelves.remove(stock);
    releaseSlot(room, stock.slot);
    stockById.delete(id);
  }

  return {
    hasMatch(wish, now) {
      const shelf = shelves.shelfOf(wish.brand, wish.place);
      return shelf !== undefined && someStockMatches({ room, slots: shelf.slots }, wish, momentOf(now));
    },
    destinations: (wish, now) => destinations({ ...wish, place: null }, now),
    checkInMonths: (wish, now) =>
      checkInMonths({ ...wish, checkInMonth: null, checkIn: null, checkOut: null }, now),
    checkInDays: (wish, now) => checkInDays({ ...wish, checkIn: null, checkOut: null }, now),
    checkOutDays: (wish, now) => checkOutDays({ ...wish, checkOut: null }, now),
    largestParty: (wish, now) => largestParty({ ...wish, guests: null }, now),
    candidates(wish, now) {
      const shelf = shelves.shelfOf(wish.brand, wish.place);
      return shelf ? candidatesAmong({ room, slots: shelf.slots }, wish, momentOf(now)) : [];
    },
    amenityCounts: (among) => countAmenities(among, stockById),
    property: (id) => stockById.get(id)?.property,
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

function countByPlace(byCity: readonly number[], cities: readonly City[]): readonly PlaceStock[] {
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
