import type { Calendar } from '../calendar.ts';

/** What the rules of a calendar have in common. */
export type StayRules = {
  /** The minimum stay that most nights have, at least 1; the smaller of equally frequent ones. Days outside the calendar count as having it. */
  readonly usualMinimum: number;
  /** The same of the maximum stay; 0 when there is none. */
  readonly usualMaximum: number;
  readonly hasClosedDepartures: boolean;
  /** All nights have the usual stays, and every day is open. */
  readonly arePlain: boolean;
};

export function stayRulesOf({
  minimumStay,
  maximumStay,
  closedToArrival,
  closedToDeparture,
}: Calendar): StayRules {
  const hasClosedDepartures = closedToDeparture.includes(1);
  const areStaysUsual = areEqual(minimumStay) && areEqual(maximumStay);
  return {
    usualMinimum: Math.max(1, mostFrequent(minimumStay)),
    usualMaximum: mostFrequent(maximumStay),
    hasClosedDepartures,
    arePlain: areStaysUsual && !hasClosedDepartures && !closedToArrival.includes(1),
  };
}

function areEqual(values: Uint16Array): boolean {
  const [first = 0] = values;
  for (let position = 1; position < values.length; position++) if (values[position] !== first) return false;
  return true;
}

function mostFrequent(values: Uint16Array): number {
  const [first = 0] = values;
  if (areEqual(values)) return first;
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  let usual = first;
  for (const [value, count] of counts) {
    const most = counts.get(usual) ?? 0;
    if (count > most || (count === most && value < usual)) usual = value;
  }
  return usual;
}
