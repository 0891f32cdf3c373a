import type { Calendar } from '../calendar.ts';

/** The rules that most nights of a calendar have: days outside it count as having them too. */
export type UsualRules = {
  /** At least 1. */
  readonly minimumStay: number;
  /** 0 when there is none. */
  readonly maximumStay: number;
};

export function usualRulesOf({
  minimumStay,
  maximumStay,
}: Pick<Calendar, 'minimumStay' | 'maximumStay'>): UsualRules {
  return { minimumStay: Math.max(1, mostFrequent(minimumStay)), maximumStay: mostFrequent(maximumStay) };
}

/** The smaller of equally frequent ones; 0 when there is none at all. */
function mostFrequent(values: Uint16Array): number {
  const [first = 0] = values;
  if (values.every((value) => value === first)) return first;
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  let usual = first;
  for (const [value, count] of counts) {
    const most = counts.get(usual) ?? 0;
    if (count > most || (count === most && value < usual)) usual = value;
  }
  return usual;
}
