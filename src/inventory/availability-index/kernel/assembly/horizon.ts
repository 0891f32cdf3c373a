import {
  LATEST_EPOCH,
  LIST_COUNT,
  LIST_ENTRIES,
  RULE_BYTES,
  RULE_MIN,
  TILE_ARRIVALS,
  TILE_CLOSED_DEPARTURES,
  TILE_HORIZON,
  TILE_LATEST,
  TILE_LEADS,
  TILE_MINS,
  TILE_OCCUPIED,
  TILE_PLANE_BYTES,
  TILE_RULES,
} from '../layout';
import { keepFreeNights, removeClosedDepartures, removeWithdrawn } from './matches';
import { copyPlane, hasRow, intersect, isEmpty, planeOf, rowValue } from './planes';
import { admitNights, arrivalOffset, selected } from './rules';
import { openPlane, runPlane } from './scratch';

/** Adds the arrivals whose first possible departure is the day after the tile's horizon, which becomes its horizon. */
export function extendHorizon(tile: u32, query: u32, firstDay: i32): void {
  const bytes = load<u32>(tile + TILE_PLANE_BYTES);
  const arrivals = load<u32>(tile + TILE_ARRIVALS);
  const departure = load<i32>(tile + TILE_HORIZON) + 1;
  const first = max(firstDay, departure - longestFirstStay(tile, departure));
  store<i32>(tile + TILE_HORIZON, departure);
  copyPlane(runPlane(), load<u32>(tile + TILE_OCCUPIED), bytes);
  removeClosedDepartures(tile, runPlane(), departure);
  for (let day = departure - 1; day >= first; day--) {
    if (!keepFreeNights(tile, runPlane(), day, day + 1)) return;
    removeWithdrawn(tile, query, runPlane(), day, departure);
    admitNights(tile, departure - day);
    const arrival = arrivalOffset(tile, day);
    const plane = planeOf(arrivals, day, bytes);
    for (let at: u32 = 0; at < bytes; at += 16) {
      const known = v128.load(plane + at);
      const fresh = v128.andnot(v128.and(v128.load(runPlane() + at), selected(at, arrival)), known);
      if (!v128.any_true(fresh)) continue;
      v128.store(plane + at, v128.or(known, fresh));
      v128.store(openPlane(), fresh);
      for (let row: u32 = 0; row < 128; row++)
        if (hasRow(openPlane(), row)) noteArrival(tile, (at << 3) + row, day);
    }
  }
}

/** No arrival has its first departure so late for another reason than a minimum stay, or departures that are closed until then. */
function longestFirstStay(tile: u32, departure: i32): i32 {
  const mins = tile + TILE_MINS;
  const rules = tile + TILE_RULES;
  const count = load<i32>(mins + LIST_COUNT);
  let longest = count === 0 ? 1 : load<i32>(load<u32>(mins + LIST_ENTRIES) + ((count - 1) << 2));
  for (let code = 0; code < load<i32>(rules + LIST_COUNT); code++) {
    longest = max(longest, load<i32>(load<u32>(rules + LIST_ENTRIES) + code * RULE_BYTES + RULE_MIN));
  }
  return longest + closedDaysBefore(tile, departure);
}

function closedDaysBefore(tile: u32, departure: i32): i32 {
  const closed = load<u32>(tile + TILE_CLOSED_DEPARTURES);
  if (closed === 0) return 0;
  const bytes = load<u32>(tile + TILE_PLANE_BYTES);
  copyPlane(openPlane(), load<u32>(tile + TILE_OCCUPIED), bytes);
  let days = 0;
  while (days < MAX_CLOSED_DAYS) {
    intersect(openPlane(), planeOf(closed, departure - 1 - days, bytes), bytes);
    if (isEmpty(openPlane(), bytes)) return days;
    days++;
  }
  return days;
}

/** More days than a calendar has. */
const MAX_CLOSED_DAYS = 600;

function noteArrival(tile: u32, row: u32, day: i32): void {
  const latest = load<u32>(tile + TILE_LATEST) + (row << 1);
  const withLead = day - rowValue(tile + TILE_LEADS, row) - LATEST_EPOCH;
  if (withLead > <i32>load<i16>(latest)) store<i16>(latest, <i16>withLead);
}
