import { HORIZON_NIGHTS } from '../catalogue/calendar.ts';
import type { StayCriteria } from '../catalogue/stay-criteria.ts';
import type { Day } from '../stay/day.ts';
import type { Obstacle } from './availability-index.ts';
import type { IndexParts } from './index-parts.ts';
import {
  CLOSED_TO_ARRIVAL,
  CLOSED_TO_DEPARTURE,
  LEAD_TIME,
  MIN_STAY,
  NOT_FREE,
  PARTY,
  RULE_KINDS,
  SCOPE_BYTES,
  SCOPE_TILE,
  TILE_TIME_ZONE,
} from './kernel/layout.ts';
import type { LocalDates } from './local-dates.ts';
import { arrivalWindowOf, type PreparedQuery, type Queries } from './queries.ts';

/** Why nothing matches: the caller has made sure of that. */
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
  // Not `>=`, because a month that no date can express has no first day.
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
