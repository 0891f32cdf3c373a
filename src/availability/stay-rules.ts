import { type Calendar, HORIZON_NIGHTS } from '../catalogue/calendar.ts';
import type { Arena } from './arena.ts';
import type { Kernel } from './kernel/kernel.ts';
import { FOUND_RULE_BYTES, FOUND_RULE_NIGHTS, RULE_CLOSED, RULE_MAX, RULE_MIN } from './kernel/layout.ts';
import { createRoom } from './room.ts';

/** A rule of arrival that some nights of a calendar have. */
export type ArrivalRule = {
  /** At least 1. */
  readonly minimumStay: number;
  /** 0 when there is none. */
  readonly maximumStay: number;
  readonly isClosed: boolean;
  /** How many nights have it. */
  readonly nights: number;
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

const BYTES_A_NIGHT = FOUND_RULE_BYTES + 2 + 2 + 2 + 1;

/** The rules of one calendar after the other: `ruleOf` holds until the next is read. */
export function createStayRules(arena: Arena, kernel: Kernel): (calendar: Calendar) => StayRules {
  const room = createRoom(arena);

  return ({ minimumStay, maximumStay, closedToArrival, closedToDeparture }) => {
    const nights = minimumStay.length;
    // The rules found, then the numbers of those that nights have, minimums, maximums and closed days.
    const found = room('rules', Math.max(HORIZON_NIGHTS, nights) * BYTES_A_NIGHT);
    const ruleOf = found + nights * FOUND_RULE_BYTES;
    const [minimums, maximums, closed] = [ruleOf + nights * 2, ruleOf + nights * 4, ruleOf + nights * 6];
    arena.u16.set(minimumStay, minimums >>> 1);
    arena.u16.set(maximumStay, maximums >>> 1);
    arena.u8.set(closedToArrival, closed);
    const count = kernel.findRules(minimums, maximums, closed, nights, ruleOf, found);
    const words = arena.u32.subarray(found >>> 2, (found + count * FOUND_RULE_BYTES) >>> 2);
    const rules: ArrivalRule[] = [];
    for (let rule = 0; rule < words.length; rule += FOUND_RULE_BYTES >>> 2) {
      rules.push({
        minimumStay: words[rule + (RULE_MIN >>> 2)] ?? 1,
        maximumStay: words[rule + (RULE_MAX >>> 2)] ?? 0,
        isClosed: words[rule + (RULE_CLOSED >>> 2)] === 1,
        nights: words[rule + (FOUND_RULE_NIGHTS >>> 2)] ?? 0,
      });
    }
    const hasClosedDepartures = closedToDeparture.includes(1);
    const isPlain = rules.length <= 1 && !rules[0]?.isClosed;
    return {
      rules,
      ruleOf: arena.u16.subarray(ruleOf >>> 1, (ruleOf >>> 1) + nights),
      usualMinimum: mostFrequent(rules, 'minimumStay') ?? 1,
      usualMaximum: mostFrequent(rules, 'maximumStay') ?? 0,
      hasClosedDepartures,
      arePlain: isPlain && !hasClosedDepartures,
    };
  };
}

/** The smaller of equally frequent ones. */
function mostFrequent(
  rules: readonly ArrivalRule[],
  stay: 'minimumStay' | 'maximumStay',
): number | undefined {
  if (rules.length <= 1) return rules[0]?.[stay];
  const nightsOf = new Map<number, number>();
  for (const rule of rules) nightsOf.set(rule[stay], (nightsOf.get(rule[stay]) ?? 0) + rule.nights);
  let usual: number | undefined;
  let most = 0;
  for (const [value, nights] of nightsOf) {
    if (nights < most || (nights === most && value > (usual ?? value))) continue;
    usual = value;
    most = nights;
  }
  return usual;
}
