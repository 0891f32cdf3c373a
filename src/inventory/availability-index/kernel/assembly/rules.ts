import { LIST_COUNT, LIST_ENTRIES, MAX_STAY, MIN_STAY, RULE_BYTES, RULE_CLOSED, RULE_MAX, RULE_MIN } from '../layout';
import { all, atMost, none } from './planes';
import { rangeList } from './scratch';

/** How many ranges of codes are admitted at present, and whether they are all codes. */
let ranges: i32 = 0;
let isEveryCode: bool = false;
/** The number of nights from which on other rules are admitted. */
let changesAt: i32 = 0;

/** Prepares `admitted` for stays of as many nights: the arrival is open, and the nights are within minimum and maximum. */
export function admitNights(ladder: u32, nights: i32): void {
  const count = load<i32>(ladder + LIST_COUNT);
  let rule = load<u32>(ladder + LIST_ENTRIES);
  let first = -1;
  ranges = 0;
  changesAt = i32.MAX_VALUE;
  for (let code = 0; code < count; code++, rule += RULE_BYTES) {
    const min = load<i32>(rule + RULE_MIN);
    const max = load<i32>(rule + RULE_MAX);
    if (min > nights && min < changesAt) changesAt = min;
    if (max >= nights && max < changesAt - 1) changesAt = max + 1;
    const isAdmitted = load<i32>(rule + RULE_CLOSED) === 0 && min <= nights && nights <= max;
    if (isAdmitted && first < 0) first = code;
    if (!isAdmitted && first >= 0) {
      addRange(first, code - 1);
      first = -1;
    }
  }
  if (first >= 0) addRange(first, count - 1);
  isEveryCode = ranges === 1 && load<i32>(rangeList()) === 0 && load<i32>(rangeList() + 4) === count - 1;
}

/** Prepares `admitted` for the rules that stays of as many nights break: one of minimum stay, maximum stay, closed to arrival. */
export function breakRule(ladder: u32, kind: i32, nights: i32): void {
  const count = load<i32>(ladder + LIST_COUNT);
  let rule = load<u32>(ladder + LIST_ENTRIES);
  let first = -1;
  ranges = 0;
  for (let code = 0; code < count; code++, rule += RULE_BYTES) {
    const isBroken = breaks(rule, kind, nights);
    if (isBroken && first < 0) first = code;
    if (!isBroken && first >= 0) {
      addRange(first, code - 1);
      first = -1;
    }
  }
  if (first >= 0) addRange(first, count - 1);
  isEveryCode = ranges === 1 && load<i32>(rangeList()) === 0 && load<i32>(rangeList() + 4) === count - 1;
}

function breaks(rule: u32, kind: i32, nights: i32): bool {
  if (kind === MIN_STAY) return load<i32>(rule + RULE_MIN) > nights;
  if (kind === MAX_STAY) return load<i32>(rule + RULE_MAX) < nights;
  return load<i32>(rule + RULE_CLOSED) !== 0;
}

export function nightsOfNextChange(): i32 {
  return changesAt;
}

function addRange(first: i32, last: i32): void {
  const range = rangeList() + (ranges << 3);
  store<i32>(range, first);
  store<i32>(range + 4, last);
  ranges++;
}

/** The rows, 128 at once, whose rule on that day is within the ranges. `at` is where the day and the rows are in a calendar plane. */
export function admitted(ladder: u32, at: u32): v128 {
  if (isEveryCode) return all();
  let rows = none();
  for (let number = 0; number < ranges; number++) {
    const range = rangeList() + (number << 3);
    const first = load<i32>(range);
    let within = atMost(ladder, load<i32>(range + 4), at);
    if (first > 0) within = v128.andnot(within, atMost(ladder, first - 1, at));
    rows = v128.or(rows, within);
  }
  return rows;
}

export function admitsNone(): bool {
  return ranges === 0;
}
