import {
  CLOSED_TO_ARRIVAL,
  CLOSED_TO_DEPARTURE,
  LEAD_TIME,
  LIST_COUNT,
  LIST_ENTRIES,
  MAX_STAY,
  MIN_STAY,
  NOT_FREE,
  PARTY,
  QUERY_CHECK_OUT,
  QUERY_FROM,
  QUERY_HORIZON,
  QUERY_PARTY,
  QUERY_UNTIL,
  RULE_BYTES,
  RULE_KINDS,
  RULE_MAX,
  RULE_MIN,
  SCOPE_TILE,
  TILE_CLOSED_DEPARTURES,
  TILE_FREE,
  TILE_LEADS,
  TILE_MAXES,
  TILE_MINS,
  TILE_PARTIES,
  TILE_PLANE_BYTES,
  TILE_RULES,
} from '../layout';
import { filterHomes, keepLead, todayOf } from './filter';
import { removeWithdrawn } from './matches';
import { atMost, none, planeOf, rungsUpTo } from './planes';
import { arrivalOffset, breakRule, writeSelected } from './rules';
import { filterPlane, leadPlane, runPlane, selectedPlane, sparePlane } from './scratch';
import { copyPlane, fillPlane, intersect, invert, keepRungs } from './whole-planes';

/** Without a requested rank, ranks the stays; otherwise finds the most lenient fact among stays of that rank. */
let wantedRank: i32 = -1;
let ranks: i32 = 0;
let leastSeverity: i32 = i32.MAX_VALUE;

/** Planes of rows that break a rule, by rule. */
function broken(rule: i32): u32 {
  return sparePlane(rule);
}

/** Rows for which longer stays break no fewer rules than those examined. */
function settledPlane(): u32 {
  return sparePlane(RULE_KINDS);
}

/** The ranks of the stays of a tile without a match, a bit for each. A rank is the only rule that a stay breaks, or `RULE_KINDS` plus the last of several. */
export function missesOf(scope: u32, query: u32): i32 {
  wantedRank = -1;
  ranks = 0;
  lookAtStays(scope, query);
  return ranks;
}

/** The most lenient fact among the stays of a tile with the rank: the lowest value of the rule, negative where more is more lenient. */
export function leastFactOf(scope: u32, query: u32, rank: i32): i32 {
  wantedRank = rank;
  leastSeverity = i32.MAX_VALUE;
  lookAtStays(scope, query);
  return leastSeverity;
}

function lookAtStays(scope: u32, query: u32): void {
  if (!filterHomes(scope, query)) return;
  const tile = load<u32>(scope + SCOPE_TILE);
  const bytes = load<u32>(tile + TILE_PLANE_BYTES);
  const today = todayOf(tile, query);
  const horizon = today + load<i32>(query + QUERY_HORIZON);
  const from = max(load<i32>(query + QUERY_FROM), today);
  const checkOut = load<i32>(query + QUERY_CHECK_OUT);
  const until = min(load<i32>(query + QUERY_UNTIL), horizon);
  if (checkOut > horizon) return;
  copyPlane(broken(PARTY), filterPlane(), bytes);
  keepRungs(
    broken(PARTY),
    tile + TILE_PARTIES,
    rungsUpTo(tile + TILE_PARTIES, load<i32>(query + QUERY_PARTY)),
    bytes,
  );
  invert(broken(PARTY), bytes);
  for (let day = from; day < until; day++) {
    if (checkOut !== 0 && day >= checkOut) return;
    keepLead(tile, day, today);
    copyPlane(broken(LEAD_TIME), leadPlane(), bytes);
    invert(broken(LEAD_TIME), bytes);
    writeBroken(tile, CLOSED_TO_ARRIVAL, day, 0);
    copyPlane(runPlane(), filterPlane(), bytes);
    if (checkOut !== 0) lookAtStay(tile, query, day, checkOut);
    else lookAtOpenStays(tile, query, day, horizon);
  }
}

function lookAtStay(tile: u32, query: u32, checkIn: i32, checkOut: i32): void {
  for (let day = checkIn; day < checkOut; day++) keepNight(tile, day);
  removeWithdrawn(tile, query, runPlane(), checkIn, checkOut);
  writeBroken(tile, MIN_STAY, checkIn, checkOut - checkIn);
  writeBroken(tile, MAX_STAY, checkIn, checkOut - checkIn);
  judge(tile, checkIn, checkOut);
}

/** A stay that reaches the minimum and ends on an open day breaks no more rules than any longer one. */
function lookAtOpenStays(tile: u32, query: u32, checkIn: i32, horizon: i32): void {
  const bytes = load<u32>(tile + TILE_PLANE_BYTES);
  fillPlane(settledPlane(), none(), bytes);
  for (let checkOut = checkIn + 1; checkOut <= horizon; checkOut++) {
    keepNight(tile, checkOut - 1);
    removeWithdrawn(tile, query, runPlane(), checkIn, checkOut);
    writeBroken(tile, MIN_STAY, checkIn, checkOut - checkIn);
    writeBroken(tile, MAX_STAY, checkIn, checkOut - checkIn);
    judge(tile, checkIn, checkOut);
    const closed = closedPlane(tile, checkOut);
    let open = none();
    for (let at: u32 = 0; at < bytes; at += 16) {
      let unsettled = v128.load(broken(MIN_STAY) + at);
      if (closed !== 0) unsettled = v128.or(unsettled, v128.load(closed + at));
      const settled = v128.or(v128.load(settledPlane() + at), v128.not(unsettled));
      v128.store(settledPlane() + at, settled);
      open = v128.or(open, v128.andnot(v128.load(filterPlane() + at), settled));
    }
    if (!v128.any_true(open)) return;
  }
}

function keepNight(tile: u32, day: i32): void {
  const bytes = load<u32>(tile + TILE_PLANE_BYTES);
  intersect(runPlane(), planeOf(load<u32>(tile + TILE_FREE), day, bytes), bytes);
}

function writeBroken(tile: u32, rule: i32, checkIn: i32, nights: i32): void {
  breakRule(tile, rule, nights);
  writeSelected(arrivalOffset(tile, checkIn));
  copyPlane(broken(rule), selectedPlane(), load<u32>(tile + TILE_PLANE_BYTES));
}

function closedPlane(tile: u32, checkOut: i32): u32 {
  const closed = load<u32>(tile + TILE_CLOSED_DEPARTURES);
  return closed === 0 ? 0 : planeOf(closed, checkOut, load<u32>(tile + TILE_PLANE_BYTES));
}

/** Ranks one stay in all rows of the tile, 128 at a time. */
function judge(tile: u32, checkIn: i32, checkOut: i32): void {
  const bytes = load<u32>(tile + TILE_PLANE_BYTES);
  const closed = closedPlane(tile, checkOut);
  for (let at: u32 = 0; at < bytes; at += 16) {
    const rows = v128.load(filterPlane() + at);
    const short = v128.load(broken(MIN_STAY) + at);
    const long = v128.load(broken(MAX_STAY) + at);
    const arrival = v128.load(broken(CLOSED_TO_ARRIVAL) + at);
    const departure = closed === 0 ? none() : v128.load(closed + at);
    const lead = v128.load(broken(LEAD_TIME) + at);
    const party = v128.load(broken(PARTY) + at);
    const taken = v128.not(v128.load(runPlane() + at));
    let once = short;
    let twice = none();
    twice = v128.or(twice, v128.and(once, long));
    once = v128.or(once, long);
    twice = v128.or(twice, v128.and(once, arrival));
    once = v128.or(once, arrival);
    twice = v128.or(twice, v128.and(once, departure));
    once = v128.or(once, departure);
    twice = v128.or(twice, v128.and(once, lead));
    once = v128.or(once, lead);
    twice = v128.or(twice, v128.and(once, party));
    once = v128.or(once, party);
    twice = v128.or(twice, v128.and(once, taken));
    const alone = v128.andnot(rows, twice);
    let several = v128.and(rows, twice);
    several = rank(tile, NOT_FREE, alone, several, taken, checkIn, at);
    several = rank(tile, PARTY, alone, several, party, checkIn, at);
    several = rank(tile, LEAD_TIME, alone, several, lead, checkIn, at);
    several = rank(tile, CLOSED_TO_DEPARTURE, alone, several, departure, checkIn, at);
    several = rank(tile, CLOSED_TO_ARRIVAL, alone, several, arrival, checkIn, at);
    several = rank(tile, MAX_STAY, alone, several, long, checkIn, at);
    rank(tile, MIN_STAY, alone, several, short, checkIn, at);
  }
}

/** Records the rows that break only this rule, and those where it is the last; returns the other rows that break several. */
function rank(tile: u32, rule: i32, alone: v128, several: v128, breaking: v128, checkIn: i32, at: u32): v128 {
  const onlyThis = v128.and(alone, breaking);
  const thisLast = v128.and(several, breaking);
  if (wantedRank < 0) {
    if (v128.any_true(onlyThis)) ranks |= 1 << rule;
    if (v128.any_true(thisLast)) ranks |= 1 << (RULE_KINDS + rule);
  } else if (wantedRank === rule) seekFact(tile, rule, onlyThis, checkIn, at);
  else if (wantedRank === RULE_KINDS + rule) seekFact(tile, rule, thisLast, checkIn, at);
  return v128.andnot(several, breaking);
}

function seekFact(tile: u32, rule: i32, rows: v128, checkIn: i32, at: u32): void {
  if (!v128.any_true(rows)) return;
  if (rule === PARTY) seekRung(tile + TILE_PARTIES, rows, at);
  else if (rule === LEAD_TIME) seekRung(tile + TILE_LEADS, rows, at);
  else if (rule === MIN_STAY || rule === MAX_STAY) seekRule(tile, rule, rows, checkIn, at);
}

function seekRung(ladder: u32, rows: v128, at: u32): void {
  const count = load<i32>(ladder + LIST_COUNT);
  for (let rung = 0; rung < count; rung++) {
    const value = load<i32>(load<u32>(ladder + LIST_ENTRIES) + (rung << 2));
    if (value >= leastSeverity) return;
    if (!v128.any_true(v128.and(rows, atMost(ladder, rung, at)))) continue;
    leastSeverity = value;
    return;
  }
}

function seekRule(tile: u32, rule: i32, rows: v128, checkIn: i32, at: u32): void {
  const ladder = tile + TILE_RULES;
  const usual = tile + (rule === MIN_STAY ? TILE_MINS : TILE_MAXES);
  const arrival = arrivalOffset(tile, checkIn) + at;
  for (let code = 0; code < load<i32>(ladder + LIST_COUNT); code++) {
    const entry = load<u32>(ladder + LIST_ENTRIES) + code * RULE_BYTES;
    const severity = rule === MIN_STAY ? load<i32>(entry + RULE_MIN) : -load<i32>(entry + RULE_MAX);
    const isUsual = severity === 0;
    if (!isUsual && severity >= leastSeverity) continue;
    let having = v128.and(rows, atMost(ladder, code, arrival));
    if (code > 0) having = v128.andnot(having, atMost(ladder, code - 1, arrival));
    if (isUsual) seekRung(usual, having, at);
    else if (v128.any_true(having)) leastSeverity = severity;
  }
}
