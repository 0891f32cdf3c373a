import { isDeepStrictEqual } from 'node:util';
import type { FullAnswer } from '../index/ask.ts';

/** What two answers to the same question disagree about; null when they agree. */
export function differenceOf(one: FullAnswer, other: FullAnswer): string | null {
  if (one.count !== other.count) return `${one.count} instead of ${other.count} matches`;
  if (!isDeepStrictEqual(one.totals, other.totals)) {
    return `cheapest totals ${JSON.stringify(one.totals)} instead of ${JSON.stringify(other.totals)}`;
  }
  const keys = new Set([...one.amenities.keys(), ...other.amenities.keys()]);
  const different = [...keys].filter((key) => one.amenities.get(key) !== other.amenities.get(key));
  return different.length === 0 ? null : `different counts of ${different.join(', ')}`;
}
