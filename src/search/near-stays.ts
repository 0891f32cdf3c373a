import type { RequestedStay } from '../catalogue/stay-criteria.ts';
import type { Payload, PayloadField } from '../contract/payload-fields.ts';
import { MAX_SUGGESTIONS } from '../contract/vocabulary.ts';
import type { Session } from '../sessions/session.ts';
import { formatDay, formatMonth, monthOf, parseDay } from '../stay/day.ts';
import { criteriaOf } from './criteria.ts';
import { dateOrderMeant } from './date-order.ts';
import { meantBy, withComingYear } from './fields/rules.ts';
import { intendedNights } from './intended-nights.ts';
import type { SuggestedStay } from './refusal.ts';
import type { SearchFacts } from './search-facts.ts';
import type { SuppliedValue } from './supplied-values.ts';

/** Two weeks to either side. */
const MAX_DAYS_AWAY = 14;

/**
 * Stays on offer of as many nights as a request asks for, by its own dates or those that stood before it; nearest arrival first, and of two
 * equally near the earlier. `after` is the session that the request leaves.
 */
export function staysOfThatLength(
  before: Payload,
  after: Session,
  supplied: readonly SuppliedValue[],
  { index, now }: SearchFacts,
): readonly SuggestedStay[] {
  const dates = (['check_in_day', 'check_out'] as const).flatMap((field): SuppliedValue[] => {
    const raw = supplied.find((one) => one.field === field)?.raw ?? before[field];
    return raw === undefined ? [] : [{ field, raw }];
  });
  const order = dateOrderMeant(supplied, before, now);
  const said = (field: PayloadField) =>
    dates.filter((one) => one.field === field).flatMap(({ raw }) => meantBy(field, raw, order));
  const nights = intendedNights(dates, now, order);
  const arrival = parseDay(withComingYear('check_in_day', said('check_in_day'), now)[0] ?? '');
  if (nights === null || arrival === undefined) return [];
  const { brand_locked, destination, check_in_month, guests } = after.payload;
  const scope: Payload = {
    ...(brand_locked === undefined ? {} : { brand_locked }),
    ...(destination === undefined ? {} : { destination }),
  };
  const stays = Array.from({ length: MAX_DAYS_AWAY + 1 }, (_, away) => away)
    .flatMap((away) => (away === 0 ? [arrival] : [arrival - away, arrival + away]))
    .map((checkIn): RequestedStay => ({ checkIn, checkOut: checkIn + nights, guests: Number(guests ?? 1) }));
  const isAsSaid = (field: PayloadField, value: string) => {
    const meant = said(field);
    return meant.length === 1 && meant[0] === value;
  };
  return index
    .bookableStays(
      criteriaOf(after, scope),
      stays.map((stay) => ({ stay, without: [] })),
      now,
    )
    .slice(0, MAX_SUGGESTIONS)
    .map(({ checkIn, checkOut }) => {
      const [check_in_day, check_out] = [formatDay(checkIn), formatDay(checkOut)];
      const isOtherMonth = check_in_month !== undefined && check_in_month !== formatMonth(monthOf(checkIn));
      return {
        check_in_day,
        check_out,
        changing: [
          ...(isOtherMonth ? (['check_in_month'] as const) : []),
          ...(isAsSaid('check_in_day', check_in_day) ? [] : (['check_in_day'] as const)),
          ...(isAsSaid('check_out', check_out) ? [] : (['check_out'] as const)),
        ],
      };
    });
}
