import type { Calendar } from '../calendar.ts';

/** Real homes have a dozen. Each different rule of a home costs its tile a code. */
export const MAX_RULES_OF_HOME = 64;

/**
 * The calendar, if it has few different rules of arrival. Of one that has more, nights with the rarer ones are closed to arrival:
 * it offers less than it could, and an operator that makes up rules cannot fill the memory.
 */
export function withFewRules(calendar: Calendar): Calendar {
  const nightsOf = nightsByRule(calendar);
  if (nightsOf.size <= MAX_RULES_OF_HOME) return calendar;
  const rare = [...nightsOf.values()]
    .sort((one, other) => other.length - one.length)
    // One is left for nights that are closed.
    .slice(MAX_RULES_OF_HOME - 1)
    .flat();
  const closed = {
    ...calendar,
    minimumStay: calendar.minimumStay.slice(),
    maximumStay: calendar.maximumStay.slice(),
    closedToArrival: calendar.closedToArrival.slice(),
  };
  for (const night of rare) {
    closed.minimumStay[night] = 1;
    closed.maximumStay[night] = 0;
    closed.closedToArrival[night] = 1;
  }
  return closed;
}

/** How many different rules of arrival the nights have. */
export function countRules(calendar: Calendar): number {
  return nightsByRule(calendar).size;
}

function nightsByRule({
  minimumStay,
  maximumStay,
  closedToArrival,
}: Calendar): ReadonlyMap<number, number[]> {
  const nightsOf = new Map<number, number[]>();
  let [lastRule, ofLastRule]: [number, number[]] = [-1, []];
  for (let night = 0; night < minimumStay.length; night++) {
    const stays = (minimumStay[night] ?? 0) * 65_536 + (maximumStay[night] ?? 0);
    const rule = stays * 2 + (closedToArrival[night] ?? 0);
    if (rule !== lastRule) {
      ofLastRule = nightsOf.get(rule) ?? [];
      nightsOf.set(rule, ofLastRule);
      lastRule = rule;
    }
    ofLastRule.push(night);
  }
  return nightsOf;
}
