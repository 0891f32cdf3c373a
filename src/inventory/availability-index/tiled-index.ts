import type { Day } from '../../stay/day.ts';
import { firstDayOf, type Month, monthOf } from '../../stay/month.ts';
import { AMENITY_LABELS } from '../amenities.ts';
import { HORIZON_NIGHTS } from '../calendar.ts';
import type { Network, PlaceId, PropertyId } from '../catalogue.ts';
import { ANY_STAY, type CompleteCriteria, type StayCriteria } from '../stay-criteria.ts';
import { createAmenityLabels } from './amenity-labels.ts';
import { createArena } from './arena.ts';
import type {
  AmenityCount,
  AvailabilityIndex,
  AvailabilityWriter,
  Matches,
  PlaceCount,
  WantedMatches,
} from './availability-index.ts';
import { createCheapest } from './cheapest.ts';
import { createHomeWriter } from './home-writer.ts';
import { everywhere, type IndexParts } from './index-parts.ts';
import { instantiateKernel } from './kernel/kernel.ts';
import {
  HEAD_AMENITY_NAMES,
  HEAD_BRAND_NAMES,
  HEAD_BRANDS,
  HEAD_LABELS,
  HEAD_PLACES,
  HEAD_RING_DAYS,
  HEAD_RING_START,
  SCOPE_BYTES,
  SCOPE_TILE,
} from './kernel/layout.ts';
import { createLocalDates, type LocalDates } from './local-dates.ts';
import { createNames } from './names.ts';
import { obstacleAmong } from './obstacles.ts';
import { createPlaceTree } from './place-tree.ts';
import { createQueries, type PreparedQuery } from './queries.ts';
import { createRowsById } from './rows-by-id.ts';
import { createScopes } from './scopes.ts';
import { createTiles } from './tiles.ts';

/** Days that the ring holds: the horizon, a day to either side for time zones, and some to spare. */
const RING_DAYS = 560;
/** The ring moves on when fewer days are left behind the horizon: homes are put again long before as many have passed. */
const MIN_SPARE_DAYS = 8;
/** As many move in less than a millisecond. */
const TILES_A_TURN = 20;
const NOBODY: readonly PropertyId[] = [];

type TiledIndex = AvailabilityIndex &
  AvailabilityWriter & {
    /** Of its memory, which no figure of Node counts. */
    readonly usedBytes: number;
  };

/** Holds all homes in one memory: a query reads a bit for each home and night that it is about. */
export function createAvailabilityIndex(
  network: Network,
  {
    now: start,
    ringDays = RING_DAYS,
    maxPages,
  }: {
    readonly now: number;
    readonly ringDays?: number;
    /** Of its memory, of 64 KiB each. */
    readonly maxPages?: number;
  },
): TiledIndex {
  const arena = createArena(maxPages);
  arena.u32[HEAD_RING_DAYS >>> 2] = ringDays;
  const kernel = instantiateKernel(arena.memory);
  kernel.setRing(ringDays);
  const tree = createPlaceTree(network);
  const datesAt = createLocalDates(tree.timeZones);
  let latest = datesAt(start);
  arena.i32[HEAD_RING_START >>> 2] = latest.start;
  const tiles = createTiles(arena);
  const amenityNames = createNames(arena, HEAD_AMENITY_NAMES);
  const parts: IndexParts = {
    arena,
    kernel,
    tiles,
    tree,
    rows: createRowsById(arena, tiles),
    brandNames: createNames(arena, HEAD_BRAND_NAMES),
    amenityNames,
    labels: createAmenityLabels(amenityNames, createNames(arena, HEAD_LABELS)),
    places: createScopes(arena, tiles, HEAD_PLACES),
    brands: createScopes(arena, tiles, HEAD_BRANDS),
  };
  // Those that all operators share can be asked for, whoever else makes up amenities.
  for (const amenity of Object.keys(AMENITY_LABELS)) parts.amenityNames.intern(amenity);
  const writer = createHomeWriter(parts, ({ timeZone }) => (latest.todays[timeZone] ?? 0) + HORIZON_NIGHTS);
  const queries = createQueries(parts);
  const cheapest = createCheapest(parts);
  const orderById = orderOf(tree.places);

  /** How many tiles follow the dates of this edition: those made since then begin with it. */
  let followed = { edition: latest.edition, tiles: 0 };

  function localDates(now: number): LocalDates {
    const dates = datesAt(now);
    if (dates === latest) return dates;
    latest = dates;
    const start = arena.i32[HEAD_RING_START >>> 2] ?? 0;
    const spare = start + ringDays - dates.end;
    if (spare < MIN_SPARE_DAYS) writer.advanceTo(Math.min(dates.start, start + MIN_SPARE_DAYS - spare));
    return dates;
  }

  function prepare(
    criteria: StayCriteria,
    now: number,
    without: readonly PropertyId[] = NOBODY,
  ): PreparedQuery | undefined {
    return queries.prepare(criteria, localDates(now), without);
  }

  function matches(criteria: CompleteCriteria, now: number, { without, ...wanted }: WantedMatches): Matches {
    const query = prepare(criteria, now, without);
    if (!query) return { total: 0, unpublishedAmenities: 0, amenities: [], candidates: [] };
    const counts = queries.clearedAmenityCounts();
    let total = 0;
    let unpublishedAmenities = 0;
    cheapest.begin();
    for (let scope = query.scopes; scope < query.scopes + query.count * SCOPE_BYTES; scope += SCOPE_BYTES) {
      const found = kernel.matchTile(scope, query.address);
      if (found === 0) continue;
      const tile = arena.u32[(scope + SCOPE_TILE) >>> 2] ?? 0;
      total += found;
      unpublishedAmenities += kernel.countUnpublished(tile);
      kernel.countAmenities(tile, counts);
      kernel.listMatches(tile, query.address, cheapest.list);
      cheapest.take(found);
    }
    return {
      total,
      unpublishedAmenities,
      amenities: amenityCounts(counts),
      candidates: cheapest.end(wanted),
    };
  }

  function amenityCounts(address: number): readonly AmenityCount[] {
    const counts: AmenityCount[] = [];
    for (let number = 0; number < parts.amenityNames.size; number++) {
      const properties = arena.u32[(address >>> 2) + number] ?? 0;
      if (properties > 0) counts.push({ amenity: parts.amenityNames.nameOf(number), properties });
    }
    return counts.sort(
      (one, other) => other.properties - one.properties || (one.amenity < other.amenity ? -1 : 1),
    );
  }

  function destinations(criteria: StayCriteria, now: number): readonly PlaceCount[] {
    const query = prepare({ ...criteria, place: null }, now);
    if (!query) return [];
    const counts = queries.clearedPlaceCounts();
    const planes = queries.clearedTilePlanes();
    kernel.matchTiles(query.scopes, query.count, query.address, planes);
    kernel.countByPlace(HEAD_PLACES, queries.cities, tree.cityNumbers.length, planes, counts);
    const byPlace = new Uint32Array(tree.places.length);
    for (const city of tree.cityNumbers) {
      const properties = arena.u32[(counts >>> 2) + city] ?? 0;
      if (properties === 0) continue;
      for (const place of tree.cities[city]?.places ?? [])
        byPlace[place] = (byPlace[place] ?? 0) + properties;
    }
    return inOrderOfCounts(byPlace);
  }

  /** Most first, then by id: as numbers, because sorting thousands of objects takes longer than counting a million homes. */
  function inOrderOfCounts(byPlace: Uint32Array): readonly PlaceCount[] {
    const places = tree.places.length;
    const keys: number[] = [];
    for (let place = 0; place < places; place++) {
      const properties = byPlace[place] ?? 0;
      if (properties > 0) keys.push(-properties * places + (orderById.ranks[place] ?? 0));
    }
    const sorted = Float64Array.from(keys).sort();
    const counts: PlaceCount[] = [];
    for (let position = 0; position < sorted.length; position++) {
      const key = sorted[position] ?? 0;
      const properties = Math.ceil(-key / places);
      counts.push({ place: orderById.places[key + properties * places] ?? '', properties });
    }
    return counts;
  }

  function checkInDays(criteria: StayCriteria, now: number): readonly Day[] {
    const query = prepare({ ...criteria, checkIn: null, checkOut: null }, now);
    if (!query) return [];
    kernel.markArrivals(query.scopes, query.count, query.address, queries.clearedDays());
    return queries.daysFound(query.from, query.until - query.from);
  }

  return {
    hasMatch(criteria, now) {
      const query = prepare(criteria, now);
      return query !== undefined && kernel.hasMatch(query.scopes, query.count, query.address) === 1;
    },
    obstacle(criteria, now) {
      const query = prepare(criteria, now);
      if (query && kernel.hasMatch(query.scopes, query.count, query.address) === 1) return null;
      return obstacleAmong(parts, queries, criteria, localDates(now));
    },
    destinations,
    checkInMonths: (criteria, now) => monthsOf(checkInDays({ ...criteria, checkInMonth: null }, now)),
    checkInDays,
    checkOutDays(criteria, now) {
      if (criteria.checkIn === null) return [];
      const query = prepare({ ...criteria, checkOut: null }, now);
      if (!query) return [];
      const found = queries.clearedDays();
      kernel.markDepartures(query.scopes, query.count, query.address, found);
      return queries.daysFound(criteria.checkIn, HORIZON_NIGHTS + 1);
    },
    largestParty(criteria, now) {
      const query = prepare({ ...criteria, guests: null }, now);
      return query ? Math.abs(kernel.largestParty(query.scopes, query.count, query.address)) : 0;
    },
    matches,
    bookableStays: (criteria, asked, now) =>
      asked
        .filter(({ stay, without }) => {
          const query = prepare({ ...criteria, checkInMonth: null, ...stay }, now, without);
          return query !== undefined && kernel.hasMatch(query.scopes, query.count, query.address) === 1;
        })
        .map(({ stay }) => stay),
    amenityLabels: parts.labels.of,
    has: (id) => parts.rows.find(id) !== undefined,
    revision({ brand, place }, now) {
      const placeNumber = place === null ? everywhere(tree) : tree.numberOf(place);
      const ofPlace = placeNumber === undefined ? 0 : parts.places.changeOf(placeNumber);
      const brandNumber = brand === null ? undefined : parts.brandNames.numberOf(brand);
      const ofBrand = brandNumber === undefined ? 0 : parts.brands.changeOf(brandNumber);
      const change = brand === null ? ofPlace : place === null ? ofBrand : `${ofPlace}.${ofBrand}`;
      return `${change}@${localDates(now).edition}`;
    },
    followDate(now) {
      const { edition } = localDates(now);
      if (followed.edition !== edition) followed = { edition, tiles: 0 };
      const query = prepare(ANY_STAY, now);
      const { tiles: from } = followed;
      followed.tiles = Math.min(queries.tileCount(), from + TILES_A_TURN);
      if (query) kernel.moveTiles(from, followed.tiles, query.address);
      return followed.tiles < queries.tileCount();
    },
    put: writer.put,
    load: writer.load,
    remove: writer.remove,
    removeAll: writer.removeAll,
    withdraw: writer.withdraw,
    get usedBytes() {
      return arena.usedBytes;
    },
    get propertyCount() {
      return writer.propertyCount;
    },
  };
}

/** The months of days that ascend. */
function monthsOf(days: readonly Day[]): readonly Month[] {
  const months: Month[] = [];
  let until = Number.NEGATIVE_INFINITY;
  for (const day of days) {
    if (day < until) continue;
    const month = monthOf(day);
    months.push(month);
    until = firstDayOf(month + 1);
  }
  return months;
}

/** The places in the order of their ids, and the rank of each by its number. */
function orderOf(ids: readonly PlaceId[]) {
  const places = ids.toSorted();
  const rankById = new Map(places.map((id, rank) => [id, rank]));
  return { places, ranks: ids.map((id) => rankById.get(id) ?? 0) };
}
