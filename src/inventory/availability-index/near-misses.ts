import type { Day } from '../../stay/day.ts';
import type { BookableDays } from './bookable-days.ts';
import {
  lastDepartureByRule,
  lastDepartureNotRefused,
  nextDayOpenToDeparture,
  shortestStayByRule,
} from './bookable-days.ts';
import { hasDay, nextDayIn, nextDayOutside } from './day-set.ts';

/** In the order in which they are lifted. The position of a rule is its bit in a set of broken rules. */
const RULES = [
  'minimum_stay',
  'maximum_stay',
  'closed_to_arrival',
  'closed_to_departure',
  'lead_time',
  'party_too_large',
  'nothing_free',
] as const;

type RuleCode = (typeof RULES)[number];

const FARTHEST_RANK = 2 * RULES.length - 1;

const TOO_SHORT = bitOf('minimum_stay');
const TOO_LONG = bitOf('maximum_stay');
const CLOSED_TO_ARRIVAL = bitOf('closed_to_arrival');
const CLOSED_TO_DEPARTURE = bitOf('closed_to_departure');
const TOO_SOON = bitOf('lead_time');
const PARTY_TOO_LARGE = bitOf('party_too_large');
const NOTHING_FREE = bitOf('nothing_free');

/**
 * The rank says when a stay becomes a match as rules are lifted: first the stays that break one rule, in the order of the
 * rules, then those that break several, by the last of them. Stays of one rank are compared by the severity of that rule,
 * which is the number it states, negative for a rule that is more lenient the larger the number is.
 */
export type NearMiss = { rank: number; severity: number };

/** One property, with the days on which a stay may begin, `[from, until)`, and end: `checkOut`, or any up to the horizon. */
export type Prospect = {
  readonly bookable: BookableDays;
  readonly from: Day;
  readonly until: Day;
  readonly checkOut: Day | null;
  readonly horizon: Day;
  readonly today: Day;
  readonly leadDays: number;
  readonly maxGuests: number;
  readonly sleepsParty: boolean;
};

/** With every rule lifted, all stays match. */
export function farthestMiss(): NearMiss {
  return { rank: FARTHEST_RANK, severity: 0 };
}

/** The rule to name as the reason, with the number it states. */
export function ruleBrokenBy({ rank, severity }: NearMiss): {
  readonly code: RuleCode;
  readonly fact: number;
} {
  return { code: ruleAt(rank), fact: Math.abs(severity) };
}

/** Replaces the nearest miss by each stay of the property that is nearer. None may be a match. */
export function approachMatch(nearest: NearMiss, prospect: Prospect): void {
  const { bookable, from, until, checkOut, horizon } = prospect;
  const { freeNights, closedToArrival } = bookable;
  if (checkOut !== null && checkOut > horizon) return;
  const firstArrival = prospect.today + prospect.leadDays;
  const brokenByParty = prospect.sleepsParty ? 0 : PARTY_TOO_LARGE;
  const isClosed = checkOut !== null && nextDayOpenToDeparture(bookable, checkOut) !== checkOut;
  const brokenByDeparture = isClosed ? CLOSED_TO_DEPARTURE : 0;
  let freeUntil = from;
  for (let day = from; day < until; day++) {
    // All its stays break this rule alike, so none can be nearer than one that breaks no other.
    if (brokenByParty !== 0 && !isNearer(rankOf(brokenByParty), day, prospect, nearest)) return;
    let broken = brokenByParty | brokenByDeparture;
    if (hasDay(freeNights, day)) {
      if (day >= freeUntil) freeUntil = nextDayOutside(freeNights, day);
    } else {
      broken |= NOTHING_FREE;
      if (nearest.rank <= rankOf(NOTHING_FREE)) {
        // This day is no nearer, nor is any before the next free night.
        const nextFree = nextDayIn(freeNights, day);
        if (nextFree <= day) return;
        day = nextFree - 1;
        continue;
      }
    }
    if (day < firstArrival) broken |= TOO_SOON;
    if (hasDay(closedToArrival, day)) broken |= CLOSED_TO_ARRIVAL;
    // No day of departure mends what is broken already.
    if (!isNearer(rankOf(broken), day, prospect, nearest)) continue;
    const rank =
      checkOut === null
        ? lowestRankOf(bookable, day, broken, freeUntil, horizon)
        : rankOf(broken | brokenByLength(bookable, day, checkOut, freeUntil));
    if (!isNearer(rank, day, prospect, nearest)) continue;
    nearest.rank = rank;
    nearest.severity = severityOf(rank, day, prospect);
  }
}

/**
 * Minimum stay and closed departures are the only rules that a later departure can keep and an earlier one breaks. So the
 * nearest stay ends on the first day that keeps both, either or neither of them.
 */
function lowestRankOf(
  bookable: BookableDays,
  checkIn: Day,
  broken: number,
  freeUntil: Day,
  horizon: Day,
): number {
  const soonest = lowestRankFrom(bookable, checkIn, checkIn + 1, broken, freeUntil, horizon);
  const shortest = shortestStayByRule(bookable, checkIn);
  if (shortest === 1) return soonest;
  return Math.min(soonest, lowestRankFrom(bookable, checkIn, checkIn + shortest, broken, freeUntil, horizon));
}

function lowestRankFrom(
  bookable: BookableDays,
  checkIn: Day,
  checkOut: Day,
  broken: number,
  freeUntil: Day,
  horizon: Day,
): number {
  if (checkOut > horizon) return FARTHEST_RANK;
  const open = nextDayOpenToDeparture(bookable, checkOut);
  if (open === checkOut) return rankOf(broken | brokenByLength(bookable, checkIn, checkOut, freeUntil));
  const closed = broken | CLOSED_TO_DEPARTURE;
  const rank = rankOf(closed | brokenByLength(bookable, checkIn, checkOut, freeUntil));
  if (open > horizon) return rank;
  return Math.min(rank, rankOf(broken | brokenByLength(bookable, checkIn, open, freeUntil)));
}

function brokenByLength(bookable: BookableDays, checkIn: Day, checkOut: Day, freeUntil: Day): number {
  let broken = 0;
  if (checkOut < checkIn + shortestStayByRule(bookable, checkIn)) broken |= TOO_SHORT;
  if (checkOut > lastDepartureByRule(bookable, checkIn)) broken |= TOO_LONG;
  if (checkOut > freeUntil || checkOut > lastDepartureNotRefused(bookable, checkIn)) broken |= NOTHING_FREE;
  return broken;
}

/** Of no broken rule: the lowest rank, which what else a stay breaks can only raise. */
function rankOf(broken: number): number {
  const last = Math.max(0, 31 - Math.clz32(broken));
  const isOne = (broken & (broken - 1)) === 0;
  return isOne ? last : RULES.length + last;
}

function isNearer(rank: number, checkIn: Day, prospect: Prospect, nearest: NearMiss): boolean {
  if (rank !== nearest.rank) return rank < nearest.rank;
  return severityOf(rank, checkIn, prospect) < nearest.severity;
}

function severityOf(rank: number, checkIn: Day, { bookable, leadDays, maxGuests }: Prospect): number {
  switch (ruleAt(rank)) {
    case 'minimum_stay':
      return shortestStayByRule(bookable, checkIn);
    case 'maximum_stay':
      return checkIn - lastDepartureByRule(bookable, checkIn);
    case 'lead_time':
      return leadDays;
    case 'party_too_large':
      return -maxGuests;
    default:
      return 0;
  }
}

function ruleAt(rank: number): RuleCode {
  return RULES[rank % RULES.length] ?? 'nothing_free';
}

function bitOf(rule: RuleCode): number {
  return 1 << RULES.indexOf(rule);
}
