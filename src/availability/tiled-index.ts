import { AMENITY_LABELS } from '../catalogue/amenities.ts';
import { HORIZON_NIGHTS } from '../catalogue/calendar.ts';
import type { Network, PropertyId } from '../catalogue/catalogue.ts';
import { ANY_STAY, type CompleteCriteria, type StayCriteria } from '../catalogue/stay-criteria.ts';
import type { Day } from '../stay/day.ts';
import { firstDayOf, type Month, monthOf } from '../stay/day.ts';
import { createAmenityLabels } from './amenity-labels.ts';
import { type Arena, createArena, createScratchBuffers } from './arena.ts';
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
import { instantiateKernel } from './kernel/kernel.ts';
import {
  FOUND_TOTAL,
  FOUND_UNPUBLISHED,
  HEAD_AMENITY_NAMES,
  HEAD_BRAND_NAMES,
  HEAD_BRANDS,
  HEAD_CHANGES,
  HEAD_CLOSED,
  HEAD_FOLLOWED,
  HEAD_FOLLOWED_TILES,
  HEAD_LABELS,
  HEAD_PLACES,
  HEAD_RING_DAYS,
  HEAD_RING_START,
  KEY_BYTES,
  KEY_HIGH,
  KEY_LOW,
  TILE_PLANE_BYTES,
} from './kernel/layout.ts';
import { createNameRanks, createNames } from './names.ts';
import {
  createLocalDates,
  createPlaceCounts,
  createPlaceTree,
  type LocalDates,
  MINUTE_MS,
} from './place-tree.ts';
import { createQueries, type IndexParts, obstacleAmong, type PreparedQuery } from './queries.ts';
import { createRowsById } from './rows-by-id.ts';
import { createScopes } from './scopes.ts';
import { createTiles } from './tiles.ts';

/** Days of the ring: the horizon, a day on either side for time zones, and some spare ones. */
export const RING_DAYS = 560;
/** The ring advances when fewer spare days are left. Homes are put again long before these have passed. */
const MIN_SPARE_DAYS = 8;
/** So many tiles move in about a millisecond. */
const TILES_A_TURN = 10;
const NO_ROW = 0xffff_ffff;

export type TiledIndex = AvailabilityIndex &
  AvailabilityWriter & {
    /** Size of its memory, which Node's own figures do not include. */
    readonly usedBytes: number;
    /** For snapshots. */
    readonly arena: Arena;
    /** Number of changes to data of homes. */
    readonly changes: number;
    /** Makes the homes of a snapshot findable, after the caller has compared them with the store. */
    open(): void;
  };

/**
 * Holds all homes in one memory: a query reads a bit for each of its homes and nights. `restored` continues with the memory of a
 * snapshot of the same network, and finds nothing until it is opened.
 */
export function createAvailabilityIndex(
  network: Network,
  {
    now: start,
    ringDays: daysWanted = RING_DAYS,
    maxPages,
    restored,
  }: {
    readonly now: number;
    readonly ringDays?: number;
    /** Limit of its memory, in pages of 64 KiB. */
    readonly maxPages?: number;
    readonly restored?: Arena;
  },
): TiledIndex {
  const arena = restored ?? createArena(maxPages);
  const word = (address: number) => arena.u32[address >>> 2] ?? 0;
  if (!restored) arena.u32[HEAD_RING_DAYS >>> 2] = daysWanted;
  const ringDays = word(HEAD_RING_DAYS);
  const kernel = instantiateKernel(arena.memory);
  kernel.setRing(ringDays);
  const tree = createPlaceTree(network);
  const datesAt = createLocalDates(tree.timeZones);
  let latest = datesAt(start);
  /** Since the epoch, of the latest dates: nearly all questions come in the same minute as the one before. */
  let minute = Number.NaN;
  if (!restored) arena.i32[HEAD_RING_START >>> 2] = latest.start;
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
    brands: createScopes(arena, { ...tiles, takePlane: planeApart }, HEAD_BRANDS),
  };
  /** Stores the planes of brands apart: brands are many and rarely queried, so they would only separate the other planes. */
  function planeApart(tile: number): number {
    return arena.allocate(word(tile + TILE_PLANE_BYTES));
  }

  // Registers the shared amenities first, so that operators' own ones cannot displace them.
  if (!restored) for (const amenity of Object.keys(AMENITY_LABELS)) parts.amenityNames.intern(amenity);
  const writer = createHomeWriter(parts, () => latest);
  const queries = createQueries(parts);
  const cheapest = createCheapest(parts);
  const amenityCounts = createAmenityCounts(parts);
  const placeCounts = createPlaceCounts(tree);

  if (restored) {
    arena.u32[HEAD_CLOSED >>> 2] = 1;
    writer.forgetRefusals();
    advanceRing(latest);
  }
  beginToFollow(latest);

  function localDates(now: number): LocalDates {
    const asked = Math.floor(now / MINUTE_MS);
    if (asked === minute) return latest;
    minute = asked;
    const dates = datesAt(now);
    if (dates === latest) return dates;
    latest = dates;
    advanceRing(dates);
    return dates;
  }

  function advanceRing(dates: LocalDates): void {
    const start = arena.i32[HEAD_RING_START >>> 2] ?? 0;
    const spare = start + ringDays - dates.end;
    if (spare < MIN_SPARE_DAYS) writer.advanceTo(Math.min(dates.start, start + MIN_SPARE_DAYS - spare));
  }

  function prepare(
    criteria: StayCriteria,
    now: number,
    without?: readonly number[],
  ): PreparedQuery | undefined {
    return queries.prepare(criteria, localDates(now), without);
  }

  /** Looks up the row of each home once, even if many stays leave it out. */
  function createRowFinder(): (id: PropertyId) => number {
    const rowById = new Map<PropertyId, number>();
    return (id) => {
      const known = rowById.get(id);
      if (known !== undefined) return known;
      const place = parts.rows.find(id);
      const row = place ? tiles.globalRowOf(place) : NO_ROW;
      rowById.set(id, row);
      return row;
    };
  }

  /** Starts counting the tiles that follow these dates. */
  function beginToFollow({ edition }: LocalDates): void {
    arena.u32[HEAD_FOLLOWED >>> 2] = edition;
    arena.u32[HEAD_FOLLOWED_TILES >>> 2] = 0;
  }

  function doAllFollow({ edition }: LocalDates): boolean {
    return word(HEAD_FOLLOWED) === edition && word(HEAD_FOLLOWED_TILES) === queries.tileCount();
  }

  function matches(criteria: CompleteCriteria, now: number, { without, ...wanted }: WantedMatches): Matches {
    const query = prepare(criteria, now, without.map(createRowFinder()));
    if (!query) return { total: 0, unpublishedAmenities: 0, amenities: [], candidates: [] };
    const found = cheapest.begin(wanted, query.count, amenityCounts.begin());
    kernel.findMatches(query.scopes, query.count, query.address, found);
    return {
      total: arena.u32[(found + FOUND_TOTAL) >>> 2] ?? 0,
      unpublishedAmenities: arena.u32[(found + FOUND_UNPUBLISHED) >>> 2] ?? 0,
      amenities: amenityCounts.end(),
      candidates: cheapest.end(wanted),
    };
  }

  function destinations(criteria: StayCriteria, now: number): readonly PlaceCount[] {
    const query = prepare({ ...criteria, place: null }, now);
    if (!query) return [];
    const counts = queries.clearedPlaceCounts();
    kernel.countByCity(query.scopes, query.count, query.address, counts);
    return placeCounts(arena.u32.subarray(counts >>> 2, (counts >>> 2) + tree.places.length));
  }

  function checkInDays(criteria: StayCriteria, now: number): readonly Day[] {
    const query = prepare({ ...criteria, checkIn: null, checkOut: null }, now);
    if (!query) return [];
    kernel.markArrivals(query.scopes, query.count, query.address, queries.clearedDays());
    return queries.daysFound(query.from, query.until - query.from);
  }

  return {
    hasMatch(criteria, now) {
      const query = queries.prepare(criteria, localDates(now));
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
    bookableStays(criteria, asked, now) {
      const rowOf = createRowFinder();
      return asked
        .filter(({ stay, without }) => {
          const query = prepare({ ...criteria, checkInMonth: null, ...stay }, now, without.map(rowOf));
          return query !== undefined && kernel.hasMatch(query.scopes, query.count, query.address) === 1;
        })
        .map(({ stay }) => stay);
    },
    amenityLabels: parts.labels.of,
    isCommonAmenity: parts.labels.isCommon,
    has: writer.has,
    revision({ brand, place }, now) {
      if (arena.u32[HEAD_CLOSED >>> 2] === 1) return 'closed';
      const placeNumber = place === null ? tree.everywhere : tree.numberOf(place);
      const ofPlace = placeNumber === undefined ? 0 : parts.places.changeOf(placeNumber);
      const brandNumber = brand === null ? undefined : parts.brandNames.numberOf(brand);
      const ofBrand = brandNumber === undefined ? 0 : parts.brands.changeOf(brandNumber);
      const change = brand === null ? ofPlace : place === null ? ofBrand : `${ofPlace}.${ofBrand}`;
      return `${change}@${localDates(now).edition}`;
    },
    followDate(now) {
      const dates = localDates(now);
      if (word(HEAD_FOLLOWED) !== dates.edition) beginToFollow(dates);
      // No query runs while the homes of a snapshot are compared with the store.
      const query = doAllFollow(dates) ? undefined : prepare(ANY_STAY, now);
      if (!query) return false;
      const from = word(HEAD_FOLLOWED_TILES);
      const to = Math.min(queries.tileCount(), from + TILES_A_TURN);
      arena.u32[HEAD_FOLLOWED_TILES >>> 2] = kernel.moveTiles(from, to, query.address);
      return !doAllFollow(dates);
    },
    daysLost(now) {
      const { start } = Math.floor(now / MINUTE_MS) === minute ? latest : datesAt(now);
      return Math.max(0, (arena.i32[HEAD_RING_START >>> 2] ?? 0) - start);
    },
    rewind(now) {
      localDates(now);
      writer.rewind();
    },
    put: writer.put,
    remove: writer.remove,
    removeAll: writer.removeAll,
    hideBrand: writer.hideBrand,
    withdraw: writer.withdraw,
    holds: writer.holds,
    homes: writer.homes,
    open() {
      arena.u32[HEAD_CLOSED >>> 2] = 0;
    },
    arena,
    get changes() {
      return arena.u32[HEAD_CHANGES >>> 2] ?? 0;
    },
    get usedBytes() {
      return arena.usedBytes();
    },
    get propertyCount() {
      return writer.propertyCount;
    },
  };
}

/** The months of ascending days. */
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

/** The number of matches with each amenity, counted by the kernels. */
type AmenityCounts = {
  /** The address of the counters, by number of the amenity, all zero. */
  begin(): number;
  /** Most first, then by key. */
  end(): readonly AmenityCount[];
};

function createAmenityCounts({ arena, kernel, amenityNames }: IndexParts): AmenityCounts {
  const buffer = createScratchBuffers(arena);
  const nameRanks = createNameRanks(amenityNames, arena);
  const countsBuffer = () => buffer('counts', amenityNames.size * 4);
  const keysBuffer = () => buffer('keys', amenityNames.size * KEY_BYTES);

  return {
    begin() {
      // Allocates all memory first: a failure during counting would leave counts behind for the next answer.
      nameRanks();
      keysBuffer();
      return countsBuffer();
    },
    end() {
      const { ranks, sorted } = nameRanks();
      const keys = keysBuffer();
      const listed = kernel.orderCounts(countsBuffer(), sorted.length, ranks, keys);
      const { u32 } = arena;
      const counts: AmenityCount[] = [];
      for (let key = keys; key < keys + listed * KEY_BYTES; key += KEY_BYTES) {
        const amenity = sorted[u32[(key + KEY_LOW) >>> 2] ?? 0] ?? '';
        counts.push({ amenity, properties: ~(u32[(key + KEY_HIGH) >>> 2] ?? 0) >>> 0 });
      }
      return counts;
    },
  };
}
