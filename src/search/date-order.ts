import type { Payload } from '../contract/payload-fields.ts';
import { DATE_ORDERS, type DateOrder } from '../stay/written-dates.ts';
import { meantBy } from './fields/rules.ts';
import { intendedNights } from './intended-nights.ts';
import type { SuppliedValue } from './supplied-values.ts';

/**
 * Whoever writes both dates of a stay writes them in one order: the one in which the departure follows the arrival most closely.
 * A departure alone is read for the arrival that stands. Undefined where the dates do not tell.
 */
export function dateOrderMeant(
  supplied: readonly SuppliedValue[],
  { check_in_day }: Payload,
  now: number,
): DateOrder | undefined {
  const departure = supplied.find(({ field }) => field === 'check_out');
  if (departure === undefined) return undefined;
  const arrival =
    supplied.find(({ field }) => field === 'check_in_day') ??
    (check_in_day === undefined ? undefined : { field: 'check_in_day', raw: check_in_day });
  if (arrival === undefined) return undefined;
  const dates = [arrival, departure];
  if (dates.every(({ raw }) => meantBy('check_out', raw).length < 2)) return undefined;
  const nightsIn = (order: DateOrder) => intendedNights(dates, now, order) ?? Number.POSITIVE_INFINITY;
  const [monthFirst, dayFirst] = [nightsIn('month_first'), nightsIn('day_first')];
  if (monthFirst === dayFirst) return undefined;
  return monthFirst < dayFirst ? 'month_first' : 'day_first';
}

/** The order in which a departure was written, if it was this one. */
export function orderOfDeparture(written: unknown, departure: string): DateOrder | undefined {
  return DATE_ORDERS.find((order) => meantBy('check_out', written, order).includes(departure));
}
