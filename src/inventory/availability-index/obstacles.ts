import type { Day } from '../../stay/day.ts';
import type { StayCriteria } from '../stay-criteria.ts';
import type { Obstacle } from './availability-index.ts';
import type { LocalDates } from './local-dates.ts';
import type { NearMiss } from './near-misses.ts';
import { approachMatch, farthestMiss, ruleBrokenBy } from './near-misses.ts';
import type { ArrivalWindow, Selection } from './stay-queries.ts';
import { arrivalWindowOf, hasMatchAmong, horizonOf, suits, todayOf } from './stay-queries.ts';

/** Asks for a match first, so that it can never disagree with `hasMatchAmong`. */
export function obstacleAmong(
  selection: Selection,
  criteria: StayCriteria,
  dates: LocalDates,
): Obstacle | null {
  if (hasMatchAmong(selection, criteria, dates)) return null;
  const { columns } = selection;
  const anyParty = { ...criteria, guests: null };
  const suitable = { columns, rows: selection.rows.filter((row) => suits(columns, row, anyParty)) };
  if (suitable.rows.length === 0) return { code: 'no_properties' };
  const arrivals = arrivalWindowOf(criteria, {
    start: Number.NEGATIVE_INFINITY,
    end: criteria.checkOut ?? Number.POSITIVE_INFINITY,
  });
  // Not `>=`, because a month that no date can express has no first day.
  if (!(arrivals.from < arrivals.until)) return { code: 'no_nights' };
  return (
    obstacleOfDates(suitable, criteria, arrivals, dates) ??
    obstacleOfRules(suitable, criteria, arrivals, dates)
  );
}

function obstacleOfDates(
  { columns, rows }: Selection,
  { checkOut }: StayCriteria,
  arrivals: ArrivalWindow,
  dates: LocalDates,
): Obstacle | null {
  let isPast = true;
  let lastDay: Day = Number.NEGATIVE_INFINITY;
  for (const row of rows) {
    const today = todayOf(columns, row, dates);
    const horizon = horizonOf(columns, row, dates);
    lastDay = Math.max(lastDay, horizon);
    if (today >= arrivals.until) continue;
    isPast = false;
    const firstDeparture = checkOut ?? Math.max(arrivals.from, today) + 1;
    if (firstDeparture <= horizon) return null;
  }
  return isPast ? { code: 'in_the_past' } : { code: 'beyond_horizon', lastDay };
}

function obstacleOfRules(
  { columns, rows }: Selection,
  { checkOut, guests }: StayCriteria,
  arrivals: ArrivalWindow,
  dates: LocalDates,
): Obstacle {
  const nearest = farthestMiss();
  for (const row of rows) {
    const bookable = columns.entries[row]?.bookable;
    if (!bookable) continue;
    const today = todayOf(columns, row, dates);
    const horizon = horizonOf(columns, row, dates);
    approachMatch(nearest, {
      bookable,
      from: Math.max(arrivals.from, today),
      until: Math.min(arrivals.until, horizon),
      checkOut,
      horizon,
      today,
      leadDays: columns.leadDays[row] ?? 0,
      maxGuests: columns.maxGuests[row] ?? 0,
      sleepsParty: guests === null || (columns.maxGuests[row] ?? 0) >= guests,
    });
  }
  return obstacleOf(nearest);
}

function obstacleOf(miss: NearMiss): Obstacle {
  const { code, fact } = ruleBrokenBy(miss);
  switch (code) {
    case 'minimum_stay':
    case 'maximum_stay':
      return { code, nights: fact };
    case 'lead_time':
      return { code, days: fact };
    case 'party_too_large':
      return { code, largest: fact };
    default:
      return { code };
  }
}
