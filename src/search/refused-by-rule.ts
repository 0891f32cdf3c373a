import { type AvailabilityIndex, NO_CANDIDATES } from '../availability/availability-index.ts';
import type { PropertyId } from '../catalogue/catalogue.ts';
import type { CompleteCriteria } from '../catalogue/stay-criteria.ts';
import type { UnavailableReason } from '../quotes/booking-system.ts';

/**
 * Why homes that match were refused a moment ago, once for each of them. The index tells how many homes match and not which, so
 * the homes of each reason are let in on their own.
 */
export function reasonsAmongMatches({
  index,
  criteria,
  now,
  rules,
  others,
}: {
  readonly index: Pick<AvailabilityIndex, 'matches'>;
  readonly criteria: CompleteCriteria;
  readonly now: number;
  readonly rules: ReadonlyMap<PropertyId, UnavailableReason>;
  /** How many match besides all of these. */
  readonly others: number;
}): readonly UnavailableReason[] {
  return [...new Set(rules.values())].flatMap((reason) => {
    const without = [...rules.keys()].filter((id) => rules.get(id) !== reason);
    const { total } = index.matches(criteria, now, { ...NO_CANDIDATES, without });
    return Array.from({ length: total - others }, () => reason);
  });
}
