import type { Calendar } from '../calendar.ts';
import type { Network, PlaceId, Property, PropertyId } from '../catalogue.ts';
import type { StayCriteria } from '../stay-criteria.ts';
import type {
  AmenityCount,
  AvailabilityIndex,
  AvailabilityWriter,
  PlaceCount,
} from './availability-index.ts';
import { readBookableDays, withdrawStays } from './bookable-days.ts';
import { allocateRow, createIndexColumns, freeRow, type IndexEntry, writeRow } from './columns.ts';
import { createLocalDates } from './local-dates.ts';
import { obstacleAmong } from './obstacles.ts';
import { createPartitions } from './partitions.ts';
import type { City } from './place-tree.ts';
import { createPlaceTree } from './place-tree.ts';
import {
  bookableStaysAmong,
  candidatesAmong,
  checkInDaysAmong,
  checkInMonthsAmong,
  checkOutDaysAmong,
  hasMatchAmong,
  largestPartyAmong,
  matchesByCity,
  type Selection,
} from './stay-queries.ts';

/** Holds all entries in memory: a query scans the columns of its partition. */
export function createAvailabilityIndex(network: Network): AvailabilityIndex & AvailabilityWriter {
  const entryById = new Map<PropertyId, IndexEntry>();
  const columns = createIndexColumns();
  const partitions = createPartitions();
  const tree = createPlaceTree(network);
  const localDatesAt = createLocalDates(tree.timeZones);

  function select({ brand, place, ...others }: StayCriteria): Selection {
    // A reminder: `suits` and `matches` in stay-queries.ts test these, and a new criterion has to be tested there and in obstacles.ts.
    const {
      checkInMonth: _month,
      checkIn: _in,
      checkOut: _out,
      guests: _party,
      amenities: _a,
      ...rest
    } = others;
    rest satisfies Record<string, never>;
    return { columns, rows: partitions.rowsOf(brand, place) };
  }

  function put(property: Property, calendar: Calendar): void {
    const city = tree.cityOf(property);
    const bookable = readBookableDays(calendar);
    const known = entryById.get(property.id);
    const staysInItsPartitions = known?.city === city && known.property.brand === property.brand;
    if (!staysInItsPartitions) remove(property.id);
    const row = staysInItsPartitions ? known.row : allocateRow(columns);
    const entry = { row, property, city, bookable };
    writeRow(columns, entry);
    entryById.set(property.id, entry);
    if (staysInItsPartitions) partitions.markChanged(entry);
    else partitions.add(entry);
  }

  function remove(id: PropertyId): void {
    const entry = entryById.get(id);
    if (!entry) return;
    partitions.remove(entry);
    freeRow(columns, entry.row);
    entryById.delete(id);
  }

  return {
    hasMatch: (criteria, now) => hasMatchAmong(select(criteria), criteria, localDatesAt(now)),
    obstacle: (criteria, now) => obstacleAmong(select(criteria), criteria, localDatesAt(now)),
    destinations(criteria, now) {
      const anywhere = { ...criteria, place: null };
      return countByPlace(matchesByCity(select(anywhere), anywhere, localDatesAt(now)), tree.cities);
    },
    checkInMonths: (criteria, now) => checkInMonthsAmong(select(criteria), criteria, localDatesAt(now)),
    checkInDays: (criteria, now) => checkInDaysAmong(select(criteria), criteria, localDatesAt(now)),
    checkOutDays: (criteria, now) => checkOutDaysAmong(select(criteria), criteria, localDatesAt(now)),
    largestParty: (criteria, now) => largestPartyAmong(select(criteria), criteria, localDatesAt(now)),
    candidates: (criteria, now) => candidatesAmong(select(criteria), criteria, localDatesAt(now)),
    bookableStays: (criteria, stays, now, condition) =>
      bookableStaysAmong(select(criteria), criteria, stays, localDatesAt(now), condition),
    amenityCounts: (among) => countAmenities(among, entryById),
    property: (id) => entryById.get(id)?.property,
    revision: ({ brand, place }, now) => `${partitions.versionOf(brand, place)}@${localDatesAt(now).minute}`,
    put,
    load(stored) {
      for (const { property, calendar } of stored) put(property, calendar);
    },
    remove,
    removeAll(ids) {
      const entries = [...new Set(ids)].flatMap((id) => entryById.get(id) ?? []);
      partitions.removeAll(entries);
      for (const { row, property } of entries) {
        freeRow(columns, row);
        entryById.delete(property.id);
      }
    },
    withdraw(id, refused) {
      const entry = entryById.get(id);
      if (!entry) return;
      withdrawStays(entry.bookable, refused);
      writeRow(columns, entry);
      partitions.markChanged(entry);
    },
    get propertyCount() {
      return entryById.size;
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
  entryById: ReadonlyMap<PropertyId, IndexEntry>,
): readonly AmenityCount[] {
  const counts = new Map<string, number>();
  for (const id of new Set(among)) {
    for (const amenity of Object.keys(entryById.get(id)?.property.amenities ?? {})) {
      counts.set(amenity, (counts.get(amenity) ?? 0) + 1);
    }
  }
  return [...counts]
    .map(([amenity, properties]) => ({ amenity, properties }))
    .sort((one, other) => other.properties - one.properties || (one.amenity < other.amenity ? -1 : 1));
}
