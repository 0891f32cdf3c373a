import type { Calendar } from '../calendar.ts';
import type { Network, PlaceId, PropertyId } from '../catalogue.ts';
import type { StayCriteria } from '../stay-criteria.ts';
import { createAmenityLabels } from './amenity-labels.ts';
import type { AvailabilityIndex, AvailabilityWriter, IndexedHome, PlaceCount } from './availability-index.ts';
import { readBookableDays, withdrawStays } from './bookable-days.ts';
import { allocateRow, createIndexColumns, freeRow, type IndexEntry, writeRow } from './columns.ts';
import { createLocalDates } from './local-dates.ts';
import { matchesAmong } from './matches.ts';
import { obstacleAmong } from './obstacles.ts';
import { createPartitions } from './partitions.ts';
import type { City } from './place-tree.ts';
import { createPlaceTree } from './place-tree.ts';
import {
  bookableStaysAmong,
  checkInDaysAmong,
  checkInMonthsAmong,
  checkOutDaysAmong,
  entriesAmong,
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
  const labels = createAmenityLabels();
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

  function put(home: IndexedHome, calendar: Calendar): void {
    const city = tree.cityOf(home);
    const bookable = readBookableDays(calendar);
    const known = entryById.get(home.id);
    const staysInItsPartitions = known?.city === city && known.home.brand === home.brand;
    if (!staysInItsPartitions) remove(home.id);
    else labels.remove(known.home);
    const row = staysInItsPartitions ? known.row : allocateRow(columns);
    const entry = { row, home, city, bookable };
    writeRow(columns, entry);
    entryById.set(home.id, entry);
    labels.add(home);
    if (staysInItsPartitions) partitions.markChanged(entry);
    else partitions.add(entry);
  }

  function forget({ row, home }: IndexEntry): void {
    freeRow(columns, row);
    entryById.delete(home.id);
    labels.remove(home);
  }

  function remove(id: PropertyId): void {
    const entry = entryById.get(id);
    if (!entry) return;
    partitions.remove(entry);
    forget(entry);
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
    matches(criteria, now, { cheapestOfBrand, without }) {
      const left = new Set(without);
      const entries = [...entriesAmong(select(criteria), criteria, localDatesAt(now))];
      const counted = left.size === 0 ? entries : entries.filter(({ home }) => !left.has(home.id));
      return matchesAmong(counted, criteria, cheapestOfBrand);
    },
    bookableStays: (criteria, stays, now) =>
      bookableStaysAmong(select(criteria), criteria, stays, localDatesAt(now)),
    amenityLabels: labels.of,
    has: (id) => entryById.has(id),
    revision: ({ brand, place }, now) => `${partitions.versionOf(brand, place)}@${localDatesAt(now).minute}`,
    put,
    load(stored) {
      for (const { home, calendar } of stored) put(home, calendar);
    },
    remove,
    removeAll(ids) {
      const entries = [...new Set(ids)].flatMap((id) => entryById.get(id) ?? []);
      partitions.removeAll(entries);
      for (const entry of entries) forget(entry);
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
