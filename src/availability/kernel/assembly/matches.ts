import {
  LATEST_EPOCH,
  MAX_TILE_ROWS,
  QUERY_CHECK_OUT,
  QUERY_FROM,
  QUERY_HORIZON,
  QUERY_UNTIL,
  QUERY_WITHDRAWN,
  QUERY_WITHDRAWN_COUNT,
  SCOPE_TILE,
  TILE_ARRIVALS,
  TILE_CLOSED_DEPARTURES,
  TILE_FREE,
  TILE_INDEX,
  TILE_LATEST,
  TILE_PLANE_BYTES,
  TILE_WITHDRAWN,
  WITHDRAWN_BYTES,
  WITHDRAWN_FROM,
  WITHDRAWN_ROW,
  WITHDRAWN_TO,
} from '../layout';
import { keepLead, leadEnds, todayOf } from './filter';
import { isSettled, matchFirstStays, moveBack } from './horizon';
import { clearRow, isEqual, none, planeOf, ring } from './planes';
import { firstWithdrawn } from './rows';
import { admitNights, arrivalOffset, nightsOfNextChange, writeSelected } from './rules';
import { filterPlane, leadPlane, matchPlane, openPlane, runPlane, selectedPlane } from './scratch';
import {
  copyPlane,
  fillPlane,
  intersect,
  isEmpty,
  keepCommon,
  remove,
  uniteAny,
  uniteCommon,
} from './whole-planes';

/** Writes the matching rows of the filter into the match plane. */
export function matchFiltered(scope: u32, query: u32): bool {
  const tile = load<u32>(scope + SCOPE_TILE);
  const bytes = load<u32>(tile + TILE_PLANE_BYTES);
  const today = todayOf(tile, query);
  const horizon = today + load<i32>(query + QUERY_HORIZON);
  const from = max(load<i32>(query + QUERY_FROM), today);
  const until = min(load<i32>(query + QUERY_UNTIL), horizon);
  const checkOut = load<i32>(query + QUERY_CHECK_OUT);
  fillPlane(matchPlane(), none(), bytes);
  if (from >= until) return false;
  if (checkOut === 0) matchOpenStays(tile, query, from, until, today, horizon);
  else if (checkOut <= horizon) matchStaysUntil(tile, query, from, until, checkOut, today);
  return !isEmpty(matchPlane(), bytes);
}

/** Stays that begin in `[from, until)` and may end on any day. */
function matchOpenStays(tile: u32, query: u32, from: i32, until: i32, today: i32, horizon: i32): void {
  moveBack(tile, query, horizon);
  if (from === today && until === horizon) matchLatest(tile, today);
  else matchArrivals(tile, from, until, today);
  if (!isSettled(tile, until, horizon)) matchFirstStays(tile, query, from, until);
}

function matchArrivals(tile: u32, from: i32, until: i32, today: i32): void {
  const bytes = load<u32>(tile + TILE_PLANE_BYTES);
  const arrivals = load<u32>(tile + TILE_ARRIVALS);
  const leads = leadEnds(tile, today);
  let day = from;
  // Days on which the lead time of some home prevents an arrival.
  for (; day < min(until, leads); day++) {
    keepLead(tile, day, today);
    uniteCommon(matchPlane(), leadPlane(), planeOf(arrivals, day, bytes), bytes);
  }
  while (day < until) {
    const days = min(ARRIVALS_AT_ONCE, min(until - day, ring() - (day % ring())));
    uniteAny(matchPlane(), filterPlane(), planeOf(arrivals, day, bytes), days, bytes);
    day += days;
    if (day < until && isEqual(matchPlane(), filterPlane(), bytes)) return;
  }
}

/** Interval of days at which to check whether all rows match already. */
const ARRIVALS_AT_ONCE: i32 = 8;

/** The whole future: a column has the last day on which each home can be booked for an arrival. */
function matchLatest(tile: u32, today: i32): void {
  const bytes = load<u32>(tile + TILE_PLANE_BYTES);
  const column = load<u32>(tile + TILE_LATEST);
  const before = i16x8.splat(<i16>(today - 1 - LATEST_EPOCH));
  for (let at: u32 = 0; at < bytes; at++) {
    const rows = i16x8.bitmask(i16x8.gt_s(v128.load(column + (at << 4)), before));
    store<u8>(matchPlane() + at, <u8>(rows & load<u8>(filterPlane() + at)));
  }
}

/** Stays that begin in `[from, until)` and end on the day of check-out, the shortest first. */
function matchStaysUntil(tile: u32, query: u32, from: i32, until: i32, checkOut: i32, today: i32): void {
  const bytes = load<u32>(tile + TILE_PLANE_BYTES);
  const run = runPlane();
  const leads = leadEnds(tile, today);
  const last = min(until, checkOut) - 1;
  if (last < from) return;
  copyPlane(run, filterPlane(), bytes);
  removeClosedDepartures(tile, run, checkOut);
  if (!keepFreeNights(tile, run, last, checkOut)) return;
  for (let day = last; day >= from; day--) {
    if (day < last && !keepFreeNights(tile, run, day, day + 1)) return;
    removeWithdrawn(tile, query, run, day, checkOut);
    admitNights(tile, checkOut - day);
    writeSelected(arrivalOffset(tile, day));
    if (day < leads) {
      keepLead(tile, day, today);
      intersect(selectedPlane(), leadPlane(), bytes);
    }
    uniteCommon(matchPlane(), run, selectedPlane(), bytes);
  }
}

/** Keeps the rows with all nights of `[from, to)` free; returns whether there are any. */
export function keepFreeNights(tile: u32, run: u32, from: i32, to: i32): bool {
  const bytes = load<u32>(tile + TILE_PLANE_BYTES);
  const free = load<u32>(tile + TILE_FREE);
  const first = from % ring();
  const beforeWrap = min(to - from, ring() - first);
  return (
    keepThrough(run, free + first * bytes, beforeWrap, bytes) &&
    (beforeWrap === to - from || keepThrough(run, free, to - from - beforeWrap, bytes))
  );
}

/** For many nights, tests distant ones first: neighbours are mostly booked together, and few rows are free for long. */
function keepThrough(run: u32, firstNight: u32, nights: i32, bytes: u32): bool {
  if (nights > SAMPLED_NIGHTS) {
    const sample = firstNight + SAMPLED_NIGHTS * bytes;
    keepCommon(run, sample, (nights - 1) / SAMPLED_NIGHTS, SAMPLED_NIGHTS * bytes, bytes);
    if (isEmpty(run, bytes)) return false;
  }
  keepCommon(run, firstNight, nights, bytes, bytes);
  return !isEmpty(run, bytes);
}

const SAMPLED_NIGHTS: i32 = 16;

export function removeClosedDepartures(tile: u32, run: u32, checkOut: i32): void {
  const closed = load<u32>(tile + TILE_CLOSED_DEPARTURES);
  if (closed === 0) return;
  const bytes = load<u32>(tile + TILE_PLANE_BYTES);
  remove(run, planeOf(closed, checkOut, bytes), bytes);
}

/** Rows with a withdrawn stay within these days. */
export function removeWithdrawn(tile: u32, query: u32, run: u32, checkIn: i32, checkOut: i32): void {
  if (load<u32>(tile + TILE_WITHDRAWN) === 0) return;
  const firstRow = load<u32>(tile + TILE_INDEX) * MAX_TILE_ROWS;
  const entries = load<u32>(query + QUERY_WITHDRAWN);
  const count = load<u32>(query + QUERY_WITHDRAWN_COUNT);
  for (let number = firstWithdrawn(entries, count, firstRow); number < count; number++) {
    const entry = entries + number * WITHDRAWN_BYTES;
    const row = load<u32>(entry + WITHDRAWN_ROW) - firstRow;
    if (row >= <u32>MAX_TILE_ROWS) return;
    if (checkIn <= load<i32>(entry + WITHDRAWN_FROM) && load<i32>(entry + WITHDRAWN_TO) <= checkOut)
      clearRow(run, row);
  }
}

/**
 * Marks the possible numbers of nights of stays of the lead plane's rows that begin on the day, a byte each. Skips numbers that
 * another tile has marked.
 */
export function markDeparturesOf(
  tile: u32,
  query: u32,
  checkIn: i32,
  minNights: i32,
  maxNights: i32,
  found: u32,
): void {
  const bytes = load<u32>(tile + TILE_PLANE_BYTES);
  const closed = load<u32>(tile + TILE_CLOSED_DEPARTURES);
  const run = runPlane();
  const arrival = arrivalOffset(tile, checkIn);
  let rulesChangeAt = 0;
  let reached = 0;
  copyPlane(run, leadPlane(), bytes);
  for (let nights = minNights; nights <= maxNights; nights++) {
    if (load<u8>(found + nights) !== 0) continue;
    if (!keepFreeNights(tile, run, checkIn + reached, checkIn + nights)) return;
    reached = nights;
    removeWithdrawn(tile, query, run, checkIn, checkIn + nights);
    if (nights >= rulesChangeAt) {
      admitNights(tile, nights);
      rulesChangeAt = nightsOfNextChange();
      writeSelected(arrival);
      copyPlane(openPlane(), selectedPlane(), bytes);
    }
    const departure = closed === 0 ? 0 : planeOf(closed, checkIn + nights, bytes);
    for (let at: u32 = 0; at < bytes; at += 16) {
      let rows = v128.and(v128.load(run + at), v128.load(openPlane() + at));
      if (departure !== 0) rows = v128.andnot(rows, v128.load(departure + at));
      if (!v128.any_true(rows)) continue;
      store<u8>(found + nights, 1);
      break;
    }
  }
}
