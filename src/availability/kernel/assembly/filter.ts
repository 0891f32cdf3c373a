import {
  AMENITY_BYTES,
  AMENITY_NUMBER,
  AMENITY_PLANE,
  LIST_COUNT,
  LIST_ENTRIES,
  MAX_TILE_ROWS,
  QUERY_AMENITIES,
  QUERY_AMENITY_COUNT,
  QUERY_EXCLUDED,
  QUERY_EXCLUDED_COUNT,
  QUERY_PARTY,
  QUERY_TODAYS,
  SCOPE_BRAND,
  SCOPE_PLACE,
  SCOPE_TILE,
  TILE_AMENITIES,
  TILE_INDEX,
  TILE_LEADS,
  TILE_PARTIES,
  TILE_PLANE_BYTES,
  TILE_TIME_ZONE,
} from '../layout';
import { clearRow, rungsUpTo } from './planes';
import { filterPlane, leadPlane } from './scratch';
import { copyOf, copyPlane, intersect, isEmpty, keepRungs } from './whole-planes';

/** Writes the rows of a tile that fit the query, ignoring dates and party, into the filter plane. */
export function filterHomes(scope: u32, query: u32): bool {
  const tile = load<u32>(scope + SCOPE_TILE);
  const bytes = load<u32>(tile + TILE_PLANE_BYTES);
  const filter = filterPlane();
  copyOf(filter, load<u32>(scope + SCOPE_PLACE), bytes);
  const brand = load<u32>(scope + SCOPE_BRAND);
  if (brand !== 0) intersect(filter, brand, bytes);
  const amenities = load<i32>(query + QUERY_AMENITY_COUNT);
  for (let number = 0; number < amenities; number++) {
    const wanted = load<u32>(load<u32>(query + QUERY_AMENITIES) + (number << 2));
    const plane = amenityPlane(tile, wanted);
    if (plane === 0) return false;
    intersect(filter, plane, bytes);
  }
  leaveOut(filter, tile, query);
  return !isEmpty(filter, bytes);
}

/** The same, with only the rows that sleep the party. */
export function filterHomesForParty(scope: u32, query: u32): bool {
  if (!filterHomes(scope, query)) return false;
  const tile = load<u32>(scope + SCOPE_TILE);
  const bytes = load<u32>(tile + TILE_PLANE_BYTES);
  const ladder = tile + TILE_PARTIES;
  keepRungs(filterPlane(), ladder, rungsUpTo(ladder, load<i32>(query + QUERY_PARTY)), bytes);
  return !isEmpty(filterPlane(), bytes);
}

function leaveOut(filter: u32, tile: u32, query: u32): void {
  const excluded = load<i32>(query + QUERY_EXCLUDED_COUNT);
  const firstRow = load<u32>(tile + TILE_INDEX) * MAX_TILE_ROWS;
  for (let number = 0; number < excluded; number++) {
    const row = load<u32>(load<u32>(query + QUERY_EXCLUDED) + (number << 2)) - firstRow;
    if (row < <u32>MAX_TILE_ROWS) clearRow(filter, row);
  }
}

/** 0 when no home of the tile has the amenity. The list is sorted by number, so no entry has a position above its number. */
function amenityPlane(tile: u32, number: u32): u32 {
  const entries = load<u32>(tile + TILE_AMENITIES + LIST_ENTRIES);
  let entry = entries + min(number + 1, load<u32>(tile + TILE_AMENITIES + LIST_COUNT)) * AMENITY_BYTES;
  while (entry > entries) {
    entry -= AMENITY_BYTES;
    const found = load<u32>(entry + AMENITY_NUMBER);
    if (found <= number) return found === number ? load<u32>(entry + AMENITY_PLANE) : 0;
  }
  return 0;
}

export function todayOf(tile: u32, query: u32): i32 {
  return load<i32>(load<u32>(query + QUERY_TODAYS) + (load<u32>(tile + TILE_TIME_ZONE) << 2));
}

/** Writes the filter's rows that can still be booked for an arrival on the day. */
export function keepLead(tile: u32, day: i32, today: i32): void {
  const bytes = load<u32>(tile + TILE_PLANE_BYTES);
  const ladder = tile + TILE_LEADS;
  copyPlane(leadPlane(), filterPlane(), bytes);
  keepRungs(leadPlane(), ladder, rungsUpTo(ladder, day - today), bytes);
}

/** From this day on no lead time prevents an arrival. */
export function leadEnds(tile: u32, today: i32): i32 {
  const ladder = tile + TILE_LEADS;
  const count = load<i32>(ladder + LIST_COUNT);
  return count === 0 ? today : today + load<i32>(load<u32>(ladder + LIST_ENTRIES) + ((count - 1) << 2));
}
