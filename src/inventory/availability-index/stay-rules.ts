import type { Calendar } from '../calendar.ts';

/** A rule of arrival that some nights of a calendar have. */
export type ArrivalRule = {
  /** At least 1. */
  readonly minimumStay: number;
  /** 0 when there is none. */
  readonly maximumStay: number;
  readonly isClosed: boolean;
};

/** The rules of a calendar, each once. */
export type StayRules = {
  readonly rules: readonly ArrivalRule[];
  /** Which of them each night has. */
  readonly ruleOf: Uint16Array;
  /** The minimum stay that most nights have, at least 1; the smaller of equally frequent ones. Days outside the calendar count as having it. */
  readonly usualMinimum: number;
  /** The same of the maximum stay; 0 when there is none. */
  readonly usualMaximum: number;
  readonly hasClosedDepartures: boolean;
  /** All nights have the usual stays, and every day is open. */
  readonly arePlain: boolean;
};

/** Real homes have a dozen. Each different rule of a home costs its tile a code. */
export const MAX_RULES_OF_HOME = 64;

export function stayRulesOf(calendar: Calendar): StayRules {
  const { minimumStay, maximumStay, closedToArrival, closedToDeparture } = calendar;
  const ruleOf = new Uint16Array(minimumStay.length);
  const rules: ArrivalRule[] = [];
  const nightsOf: number[] = [];
  const numberOf = new Map<number, number>();
  for (let from = 0, to = 0; from < ruleOf.length; from = to) {
    const [minimum = 1, maximum = 0, closed = 0] = [
      minimumStay[from],
      maximumStay[from],
      closedToArrival[from],
    ];
    // Rules mostly go on for weeks, so they are looked up once for all nights in a row.
    for (to = from + 1; to < ruleOf.length; to++) {
      if (minimumStay[to] !== minimum || maximumStay[to] !== maximum || closedToArrival[to] !== closed) break;
    }
    const rule = { minimumStay: Math.max(1, minimum), maximumStay: maximum, isClosed: closed === 1 };
    const key = (rule.minimumStay * 65_536 + maximum) * 2 + (rule.isClosed ? 1 : 0);
    const number = numberOf.get(key) ?? rules.length;
    if (number === rules.length) {
      numberOf.set(key, number);
      rules.push(rule);
      nightsOf.push(0);
    }
    ruleOf.fill(number, from, to);
    nightsOf[number] = (nightsOf[number] ?? 0) + to - from;
  }
  const usualMinimum =
    mostFrequent(
      rules.map((rule) => rule.minimumStay),
      nightsOf,
    ) ?? 1;
  const usualMaximum =
    mostFrequent(
      rules.map((rule) => rule.maximumStay),
      nightsOf,
    ) ?? 0;
  const hasClosedDepartures = closedToDeparture.includes(1);
  const isPlain = rules.length <= 1 && !rules[0]?.isClosed;
  return {
    rules,
    ruleOf,
    usualMinimum,
    usualMaximum,
    hasClosedDepartures,
    arePlain: isPlain && !hasClosedDepartures,
  };
}

function mostFrequent(values: readonly number[], nightsOf: readonly number[]): number | undefined {
  const nights = new Map<number, number>();
  for (const [rule, value] of values.entries())
    nights.set(value, (nights.get(value) ?? 0) + (nightsOf[rule] ?? 0));
  let usual: number | undefined;
  for (const [value, count] of nights) {
    const most = usual === undefined ? -1 : (nights.get(usual) ?? 0);
    if (usual === undefined || count > most || (count === most && value < usual)) usual = value;
  }
  return usual;
}

/**
 * The calendar, if it has few different rules of arrival. Of one that has more, nights with the rarer ones are closed to arrival:
 * it offers less than it could, and an operator that makes up rules cannot fill the memory.
 */
export function withFewRules(calendar: Calendar, { rules, ruleOf }: StayRules): Calendar {
  if (rules.length <= MAX_RULES_OF_HOME) return calendar;
  const nightsOf = new Array<number>(rules.length).fill(0);
  for (const rule of ruleOf) nightsOf[rule] = (nightsOf[rule] ?? 0) + 1;
  const frequent = [...nightsOf.keys()].sort((one, other) => (nightsOf[other] ?? 0) - (nightsOf[one] ?? 0));
  // One is left for nights that are closed.
  const rare = new Set(frequent.slice(MAX_RULES_OF_HOME - 1));
  const few = {
    ...calendar,
    minimumStay: calendar.minimumStay.slice(),
    maximumStay: calendar.maximumStay.slice(),
    closedToArrival: calendar.closedToArrival.slice(),
  };
  for (const [night, rule] of ruleOf.entries()) {
    if (!rare.has(rule)) continue;
    few.minimumStay[night] = 1;
    few.maximumStay[night] = 0;
    few.closedToArrival[night] = 1;
  }
  return few;
}
