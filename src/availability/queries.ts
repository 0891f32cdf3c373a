import { HORIZON_NIGHTS } from '../catalogue/calendar.ts';
import type { StayCriteria } from '../catalogue/stay-criteria.ts';
import type { Day } from '../stay/day.ts';
import { firstDayOf } from '../stay/day.ts';
import type { AmenityLabels } from './amenity-labels.ts';
import { type Arena, createScratchBuffers } from './arena.ts';
import type { Obstacle } from './availability-index.ts';
import type { Kernel } from './kernel/kernel.ts';
import {
  CLOSED_TO_ARRIVAL,
  CLOSED_TO_DEPARTURE,
  HEAD_CLOSED,
  HEAD_RING_DAYS,
  HEAD_RING_START,
  HEAD_TILES,
  HEAD_WITHDRAWN,
  LEAD_TIME,
  LIST_COUNT,
  LIST_ENTRIES,
  MIN_STAY,
  NOT_FREE,
  PARTY,
  QUERY_AMENITIES,
  QUERY_AMENITY_COUNT,
  QUERY_BYTES,
  QUERY_CHECK_OUT,
  QUERY_EXCLUDED,
  QUERY_EXCLUDED_COUNT,
  QUERY_FROM,
  QUERY_HORIZON,
  QUERY_PARTY,
  QUERY_TODAYS,
  QUERY_UNTIL,
  QUERY_WITHDRAWN,
  QUERY_WITHDRAWN_COUNT,
  RULE_KINDS,
  SCOPE_BRAND,
  SCOPE_BYTES,
  SCOPE_PLACE,
  SCOPE_TILE,
  SCRATCH_BYTES,
  TILE_INDEX,
  TILE_TIME_ZONE,
} from './kernel/layout.ts';
import type { Names } from './names.ts';
import type { LocalDates, PlaceTree } from './place-tree.ts';
import type { RowsById } from './rows-by-id.ts';
import type { ScopeList, Scopes } from './scopes.ts';
import type { Tiles } from './tiles.ts';

/** The parts of the index that writing and querying share. */
export type IndexParts = {
  readonly arena: Arena;
  readonly kernel: Kernel;
  readonly tiles: Tiles;
  readonly tree: PlaceTree;
  readonly rows: RowsById;
  readonly brandNames: Names;
  readonly amenityNames: Names;
  readonly labels: AmenityLabels;
  readonly places: Scopes;
  readonly brands: Scopes;
};

/** Addresses of a query and of its tiles, valid until the next one is prepared. */
export type PreparedQuery = {
  readonly address: number;
  readonly scopes: number;
  readonly count: number;
  /** The days on which a stay may begin: `[from, until)`. */
  readonly from: Day;
  readonly until: Day;
};

type Queries = {
  /** Prepares a query about all rows except `without`. Undefined when no home can match with any calendar. */
  prepare(criteria: StayCriteria, dates: LocalDates, without?: readonly number[]): PreparedQuery | undefined;
  tileCount(): number;
  clearedPlaceCounts(): number;
  clearedDays(): number;
  /** The marked days among so many days from `first` on. */
  daysFound(first: Day, days: number): readonly Day[];
};

const ANY_PARTY = 0x7fffffff;
const UNKNOWN = 0xffff_ffff;

export function createQueries(parts: IndexParts): Queries {
  const { arena, kernel, tree, brandNames, amenityNames, places, brands } = parts;
  const word = (address: number) => arena.u32[address >>> 2] ?? 0;
  const buffer = createScratchBuffers(arena);
  kernel.setScratch(arena.allocateScratch(SCRATCH_BYTES));
  const address = arena.allocateScratch(QUERY_BYTES);
  const todays = arena.allocateScratch(Math.max(1, tree.timeZones.length) * 4);
  const days = arena.allocateScratch(word(HEAD_RING_DAYS) + 1);
  const placeCounts = arena.allocateScratch((tree.places.length + 1) * 4);
  let edition = -1;

  /** The tiles of a place, or of all places, with rows of a brand, or of any. */
  function scopesOf(brand: number | null, place: number): ScopeList {
    const ofPlace = places.listOf(place);
    if (brand === null || ofPlace.count === 0) return ofPlace;
    const ofBrand = brands.listOf(brand);
    return place === tree.everywhere || ofBrand.count === 0 ? ofBrand : common(ofPlace, ofBrand);
  }

  function common(ofPlace: ScopeList, ofBrand: ScopeList): ScopeList {
    const [few, many] = ofPlace.count < ofBrand.count ? [ofPlace, ofBrand] : [ofBrand, ofPlace];
    const scopes = buffer('scopes', few.count * SCOPE_BYTES + SCOPE_BYTES);
    let count = 0;
    for (let one = few.scopes; one < few.scopes + few.count * SCOPE_BYTES; one += SCOPE_BYTES) {
      const other = entryOf(many, word(one + SCOPE_TILE));
      if (other === undefined) continue;
      const scope = (scopes + count * SCOPE_BYTES) >>> 2;
      arena.u32[scope + (SCOPE_TILE >>> 2)] = word(one + SCOPE_TILE);
      arena.u32[scope + (SCOPE_PLACE >>> 2)] = word(one + SCOPE_PLACE);
      arena.u32[scope + (SCOPE_BRAND >>> 2)] = word(other + SCOPE_PLACE);
      count += 1;
    }
    return { scopes, count };
  }

  /** The position of a tile in a sorted list of tiles. */
  function entryOf({ scopes, count }: ScopeList, tile: number): number | undefined {
    const wanted = word(tile + TILE_INDEX);
    let [low, high] = [0, count];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const entry = scopes + middle * SCOPE_BYTES;
      const index = word(word(entry + SCOPE_TILE) + TILE_INDEX);
      if (index === wanted) return entry;
      if (index < wanted) low = middle + 1;
      else high = middle;
    }
    return undefined;
  }

  return {
    prepare(criteria, dates, without = []) {
      const { brand, place, checkInMonth, checkIn, checkOut, guests, amenities, ...forgotten } = criteria;
      // A new criterion does not compile until its test is added here.
      forgotten satisfies Record<string, never>;
      if (arena.u32[HEAD_CLOSED >>> 2] === 1) return undefined;
      const { from, until } = arrivalWindowOf(criteria, dates);
      const start = arena.i32[HEAD_RING_START >>> 2] ?? 0;
      if (!(from < until) || !(start < until)) return undefined;
      if (checkOut !== null && !(checkOut > from && checkOut <= dates.end)) return undefined;
      const brandNumber = brand === null ? null : brandNames.numberOf(brand);
      const placeNumber = place === null ? tree.everywhere : tree.numberOf(place);
      if (brandNumber === undefined || placeNumber === undefined) return undefined;
      const amenityList = amenities.length === 0 ? 0 : buffer('amenities', amenities.length * 4);
      const excludedList = without.length === 0 ? 0 : buffer('excluded', without.length * 4);
      const { scopes, count } = scopesOf(brandNumber, placeNumber);
      for (const [position, amenity] of amenities.entries()) {
        arena.u32[(amenityList >>> 2) + position] = amenityNames.numberOf(amenity) ?? UNKNOWN;
      }
      if (without.length > 0) arena.u32.set(without, excludedList >>> 2);
      if (edition !== dates.edition) arena.i32.set(dates.todays, todays >>> 2);
      edition = dates.edition;
      const query = arena.i32;
      const at = address >>> 2;
      query[at + (QUERY_FROM >>> 2)] = Math.max(from, start);
      query[at + (QUERY_UNTIL >>> 2)] = until;
      query[at + (QUERY_CHECK_OUT >>> 2)] = checkOut ?? 0;
      query[at + (QUERY_PARTY >>> 2)] = guests === null ? ANY_PARTY : -guests;
      query[at + (QUERY_AMENITY_COUNT >>> 2)] = amenities.length;
      query[at + (QUERY_AMENITIES >>> 2)] = amenityList;
      query[at + (QUERY_EXCLUDED_COUNT >>> 2)] = without.length;
      query[at + (QUERY_EXCLUDED >>> 2)] = excludedList;
      query[at + (QUERY_TODAYS >>> 2)] = todays;
      query[at + (QUERY_HORIZON >>> 2)] = HORIZON_NIGHTS;
      query[at + (QUERY_WITHDRAWN_COUNT >>> 2)] = query[(HEAD_WITHDRAWN + LIST_COUNT) >>> 2] ?? 0;
      query[at + (QUERY_WITHDRAWN >>> 2)] = query[(HEAD_WITHDRAWN + LIST_ENTRIES) >>> 2] ?? 0;
      return { address, scopes, count, from: Math.max(from, start), until };
    },
    tileCount: () => word(HEAD_TILES + LIST_COUNT),
    clearedPlaceCounts() {
      arena.u8.fill(0, placeCounts, placeCounts + (tree.places.length + 1) * 4);
      return placeCounts;
    },
    clearedDays() {
      arena.u8.fill(0, days, days + word(HEAD_RING_DAYS) + 1);
      return days;
    },
    daysFound(first, count) {
      const found: Day[] = [];
      const { u8 } = arena;
      for (let day = 0; day < count; day++) if (u8[days + day] === 1) found.push(first + day);
      return found;
    },
  };
}

/** The days on which a stay may begin by the criteria: `[from, until)`. */
function arrivalWindowOf(
  { checkInMonth, checkIn }: StayCriteria,
  bounds: Pick<LocalDates, 'start' | 'end'>,
): { readonly from: Day; readonly until: Day } {
  let [from, until] = [bounds.start, bounds.end];
  if (checkInMonth !== null) {
    from = Math.max(from, firstDayOf(checkInMonth));
    until = Math.min(until, firstDayOf(checkInMonth + 1));
  }
  if (checkIn !== null) {
    from = Math.max(from, checkIn);
    until = Math.min(until, checkIn + 1);
  }
  return { from, until };
}

/** The obstacle of criteria that, as the caller has checked, match nothing. */
export function obstacleAmong(
  { arena, kernel }: IndexParts,
  queries: Queries,
  criteria: StayCriteria,
  dates: LocalDates,
): Obstacle {
  const { checkOut } = criteria;
  const anytime = queries.prepare({ ...criteria, checkInMonth: null, checkIn: null, checkOut: null }, dates);
  const suitable = anytime ? scopesWithHomes(anytime) : [];
  if (suitable.length === 0) return { code: 'no_properties' };
  const arrivals = arrivalWindowOf(criteria, {
    start: Number.NEGATIVE_INFINITY,
    end: checkOut ?? Number.POSITIVE_INFINITY,
  });
  // Not `>=`: a month outside the range of dates has NaN as its first day.
  if (!(arrivals.from < arrivals.until)) return { code: 'no_nights' };
  const ofDates = obstacleOfDates();
  if (ofDates) return ofDates;
  const query = queries.prepare(criteria, dates);
  return query ? obstacleOfRules(query) : { code: 'nothing_free' };

  function scopesWithHomes({ scopes, count, address }: PreparedQuery): readonly number[] {
    const addresses = Array.from({ length: count }, (_, number) => scopes + number * SCOPE_BYTES);
    return addresses.filter((scope) => kernel.hasHomes(scope, address) === 1);
  }

  function todayOf(scope: number): Day {
    const tile = arena.u32[(scope + SCOPE_TILE) >>> 2] ?? 0;
    return dates.todays[arena.u32[(tile + TILE_TIME_ZONE) >>> 2] ?? 0] ?? 0;
  }

  function obstacleOfDates(): Obstacle | null {
    let isPast = true;
    let lastDay: Day = Number.NEGATIVE_INFINITY;
    for (const today of new Set(suitable.map(todayOf))) {
      lastDay = Math.max(lastDay, today + HORIZON_NIGHTS);
      if (today >= arrivals.until) continue;
      isPast = false;
      const firstDeparture = checkOut ?? Math.max(arrivals.from, today) + 1;
      if (firstDeparture <= today + HORIZON_NIGHTS) return null;
    }
    return isPast ? { code: 'in_the_past' } : { code: 'beyond_horizon', lastDay };
  }

  function obstacleOfRules({ address, scopes, count }: PreparedQuery): Obstacle {
    const end = scopes + count * SCOPE_BYTES;
    let ranks = 0;
    for (let scope = scopes; scope < end; scope += SCOPE_BYTES) ranks |= kernel.missesOf(scope, address);
    if (ranks === 0) return { code: 'nothing_free' };
    const rank = 31 - Math.clz32(ranks & -ranks);
    const rule = rank % RULE_KINDS;
    if (rule === CLOSED_TO_ARRIVAL) return { code: 'closed_to_arrival' };
    if (rule === CLOSED_TO_DEPARTURE) return { code: 'closed_to_departure' };
    if (rule === NOT_FREE) return { code: 'nothing_free' };
    let least = Number.POSITIVE_INFINITY;
    for (let scope = scopes; scope < end; scope += SCOPE_BYTES) {
      least = Math.min(least, kernel.leastFactOf(scope, address, rank));
    }
    return obstacleWith(rule, Math.abs(least));
  }
}

function obstacleWith(rule: number, fact: number): Obstacle {
  if (rule === LEAD_TIME) return { code: 'lead_time', days: fact };
  if (rule === PARTY) return { code: 'party_too_large', largest: fact };
  return { code: rule === MIN_STAY ? 'minimum_stay' : 'maximum_stay', nights: fact };
}
