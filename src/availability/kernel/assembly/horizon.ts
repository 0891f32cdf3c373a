import {
  HEAD_CHANGES,
  HEAD_FOLLOWED_TILES,
  HEAD_RING_START,
  HEAD_TILES,
  LATEST_EPOCH,
  LIST_COUNT,
  LIST_ENTRIES,
  QUERY_HORIZON,
  RULE_BYTES,
  RULE_MIN,
  TILE_ARRIVALS,
  TILE_CLOSED_DEPARTURES,
  TILE_HORIZON,
  TILE_INDEX,
  TILE_LATEST,
  TILE_LEADS,
  TILE_MINS,
  TILE_OCCUPIED,
  TILE_PLANE_BYTES,
  TILE_ROWS,
  TILE_RULES,
} from '../layout';
import { keepLead, todayOf } from './filter';
import { keepFreeNights, removeClosedDepartures, removeWithdrawn } from './matches';
import { hasRow, planeOf, ring, rowValue } from './planes';
import { refreshArrivals } from './rows';
import { admitNights, arrivalOffset, writeSelected } from './rules';
import {
  dayWords,
  filterPlane,
  leadPlane,
  matchPlane,
  openPlane,
  runPlane,
  selectedPlane,
  stayMarks,
} from './scratch';
import { copyOf, copyPlane, intersect, isEmpty, remove, unite } from './whole-planes';

/** Whether the arrivals of a tile before `until` are the same for its own horizon and for that of the date. */
export function isSettled(tile: u32, until: i32, horizon: i32): bool {
  const known = load<i32>(tile + TILE_HORIZON);
  return known === horizon || until <= known + 1 - longestFirstStay(tile) - closedDaysBefore(tile, known + 1);
}

/** A tile is ahead of the date when a clock was set back over midnight: then it has arrivals that are too late. */
export function moveBack(tile: u32, query: u32, horizon: i32): void {
  if (load<i32>(tile + TILE_HORIZON) > horizon) moveHorizon(tile, query, horizon);
}

function moveHorizon(tile: u32, query: u32, horizon: i32): void {
  if (load<i32>(tile + TILE_HORIZON) === horizon) return;
  noteMove(tile);
  if (load<i32>(tile + TILE_HORIZON) > horizon) retreat(tile, horizon);
  while (load<i32>(tile + TILE_HORIZON) < horizon) extend(tile, query);
}

/** Invalidates a snapshot that is being written, and no longer counts this tile among those that follow the date. */
function noteMove(tile: u32): void {
  store<u32>(HEAD_CHANGES, load<u32>(HEAD_CHANGES) + 1);
  store<u32>(HEAD_FOLLOWED_TILES, min(load<u32>(HEAD_FOLLOWED_TILES), load<u32>(tile + TILE_INDEX)));
}

/** Lets tiles follow the date, by index; returns the next one. Going back in time is slow, so the call ends after such a tile. */
export function moveTiles(from: u32, to: u32, query: u32): u32 {
  const tiles = load<u32>(HEAD_TILES + LIST_ENTRIES);
  for (let number = from; number < to; number++) {
    const tile = load<u32>(tiles + (number << 2));
    const horizon = todayOf(tile, query) + load<i32>(query + QUERY_HORIZON);
    const isAhead = load<i32>(tile + TILE_HORIZON) > horizon;
    moveHorizon(tile, query, horizon);
    if (isAhead) return number + 1;
  }
  return to;
}

/** Rare: only when a clock was set back over midnight. */
function retreat(tile: u32, horizon: i32): void {
  store<i32>(tile + TILE_HORIZON, horizon);
  for (let row: u32 = 0; row < load<u32>(tile + TILE_ROWS); row++)
    if (hasRow(load<u32>(tile + TILE_OCCUPIED), row)) refreshArrivals(tile, row, dayWords());
}

/** Advances the tile's horizon by a day and adds the arrivals whose first possible departure is that day. */
function extend(tile: u32, query: u32): void {
  const departure = load<i32>(tile + TILE_HORIZON) + 1;
  copyOf(runPlane(), load<u32>(tile + TILE_OCCUPIED), load<u32>(tile + TILE_PLANE_BYTES));
  lookAtFirstStays(tile, query, departure, ADD);
  store<i32>(tile + TILE_HORIZON, departure);
}

/** How to record the days on which a first stay begins. */
const ADD: i32 = 0;
const MATCH: i32 = 1;
const MARK: i32 = 2;

/** Limits the days to `[from, until)`, where not all of them are added. */
let from: i32 = 0;
let until: i32 = 0;
let today: i32 = 0;
let marks: u32 = 0;

/** Adds the filter's rows with a first stay after the horizon of their tile to the match plane. */
export function matchFirstStays(tile: u32, query: u32, fromDay: i32, untilDay: i32): void {
  from = fromDay;
  until = untilDay;
  lookBehindHorizon(tile, query, MATCH);
}

/** Marks the days of `[first, untilDay)`, a byte each, on which such a stay of the filter's rows begins. */
export function markFirstStays(tile: u32, query: u32, first: i32, untilDay: i32, found: u32): void {
  from = first;
  until = untilDay;
  marks = found;
  lookBehindHorizon(tile, query, MARK);
}

/** Queries do not write: until the tile follows the date, each examines the stays of the homes that it matches. */
function lookBehindHorizon(tile: u32, query: u32, purpose: i32): void {
  const bytes = load<u32>(tile + TILE_PLANE_BYTES);
  today = todayOf(tile, query);
  const horizon = today + load<i32>(query + QUERY_HORIZON);
  for (let departure = load<i32>(tile + TILE_HORIZON) + 1; departure <= horizon; departure++) {
    copyPlane(runPlane(), filterPlane(), bytes);
    if (purpose === MATCH) remove(runPlane(), matchPlane(), bytes);
    lookAtFirstStays(tile, query, departure, purpose);
  }
}

/**
 * Examines stays of the run plane's rows that end on a day on which none could end before. Only a minimum stay, or departures closed
 * until then, can be the reason, so stays of other lengths are skipped.
 */
function lookAtFirstStays(tile: u32, query: u32, departure: i32, purpose: i32): void {
  const run = runPlane();
  if (!keepFreeNights(tile, run, departure - 1, departure)) return;
  const longest = longestFirstStay(tile);
  const closedDays = closedDaysBefore(tile, departure);
  const most = min(longest + closedDays, departure - load<i32>(HEAD_RING_START));
  removeClosedDepartures(tile, run, departure);
  let reached = 1;
  let lastMinimum = -ring();
  for (let nights = 1; nights <= most; nights++) {
    if (nights <= longest && load<u8>(stayMarks() + nights) !== 0) lastMinimum = nights;
    if (nights - lastMinimum > closedDays) continue;
    const day = departure - nights;
    if (purpose !== ADD && day < max(from, today)) return;
    if (!keepFreeNights(tile, run, day, departure - reached)) return;
    reached = nights;
    removeWithdrawn(tile, query, run, day, departure);
    admitNights(tile, nights);
    if (purpose === ADD) addArrivals(tile, day);
    else if (day < until) findArrivals(tile, day, purpose);
  }
}

function findArrivals(tile: u32, day: i32, purpose: i32): void {
  const bytes = load<u32>(tile + TILE_PLANE_BYTES);
  keepLead(tile, day, today);
  intersect(leadPlane(), runPlane(), bytes);
  if (isEmpty(leadPlane(), bytes)) return;
  writeSelected(arrivalOffset(tile, day));
  intersect(leadPlane(), selectedPlane(), bytes);
  if (purpose === MATCH) unite(matchPlane(), leadPlane(), bytes);
  else if (!isEmpty(leadPlane(), bytes)) store<u8>(marks + (day - from), 1);
}

function addArrivals(tile: u32, day: i32): void {
  const bytes = load<u32>(tile + TILE_PLANE_BYTES);
  const plane = planeOf(load<u32>(tile + TILE_ARRIVALS), day, bytes);
  copyPlane(openPlane(), runPlane(), bytes);
  remove(openPlane(), plane, bytes);
  if (isEmpty(openPlane(), bytes)) return;
  writeSelected(arrivalOffset(tile, day));
  intersect(openPlane(), selectedPlane(), bytes);
  for (let at: u32 = 0; at < bytes; at += 16) {
    const fresh = v128.load(openPlane() + at);
    v128.store(plane + at, v128.or(v128.load(plane + at), fresh));
    noteArrivals(tile, i64x2.extract_lane(fresh, 0), at << 3, day);
    noteArrivals(tile, i64x2.extract_lane(fresh, 1), (at << 3) + 64, day);
  }
}

function noteArrivals(tile: u32, rows: u64, firstRow: u32, day: i32): void {
  const column = load<u32>(tile + TILE_LATEST);
  for (; rows !== 0; rows &= rows - 1) {
    const row = firstRow + <u32>ctz(rows);
    const latest = column + (row << 1);
    const withLead = day - rowValue(tile + TILE_LEADS, row) - LATEST_EPOCH;
    if (withLead > <i32>load<i16>(latest)) store<i16>(latest, <i16>withLead);
  }
}

/** The longest minimum stay. Marks those that some home has, a byte each. */
function longestFirstStay(tile: u32): i32 {
  const mins = tile + TILE_MINS;
  const rules = tile + TILE_RULES;
  memory.fill(stayMarks(), 0, ring() + 1);
  let longest = 1;
  for (let rung = 0; rung < load<i32>(mins + LIST_COUNT); rung++)
    longest = markMinimum(load<i32>(load<u32>(mins + LIST_ENTRIES) + (rung << 2)), longest);
  for (let code = 0; code < load<i32>(rules + LIST_COUNT); code++)
    longest = markMinimum(load<i32>(load<u32>(rules + LIST_ENTRIES) + code * RULE_BYTES + RULE_MIN), longest);
  return longest;
}

function markMinimum(minimum: i32, longest: i32): i32 {
  if (minimum > ring()) return longest;
  store<u8>(stayMarks() + minimum, 1);
  return max(longest, minimum);
}

/** The number of consecutive days before this one on which some home is closed to departure. */
function closedDaysBefore(tile: u32, departure: i32): i32 {
  const closed = load<u32>(tile + TILE_CLOSED_DEPARTURES);
  if (closed === 0) return 0;
  const bytes = load<u32>(tile + TILE_PLANE_BYTES);
  copyOf(openPlane(), load<u32>(tile + TILE_OCCUPIED), bytes);
  let days = 0;
  for (; days < ring(); days++) {
    intersect(openPlane(), planeOf(closed, departure - 1 - days, bytes), bytes);
    if (isEmpty(openPlane(), bytes)) break;
  }
  return days;
}
