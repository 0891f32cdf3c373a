import type { PayloadField } from '../contract/payload-fields.ts';
import { formatDay, parseDay } from '../stay/day.ts';
import type { DateOrder } from '../stay/guess-days.ts';
import { meantBy, withComingYear } from './fields/rules.ts';
import type { SuppliedValue } from './supplied-values.ts';

/** Nobody books longer, so dates that are further apart are a slip. */
const MAX_NIGHTS_MEANT = 366;

/** How long the stay is that a request asks for, even if its dates are written wrongly or in a year that has passed. */
export function intendedNights(
  supplied: readonly SuppliedValue[],
  now: number,
  order?: DateOrder,
): number | null {
  const daysMeant = (field: PayloadField) => {
    const [first] = supplied
      .filter((one) => one.field === field)
      .flatMap(({ raw }) => meantBy(field, raw, order));
    return first === undefined
      ? []
      : withComingYear(field, [first], now).flatMap((text) => parseDay(text) ?? []);
  };
  const departures = daysMeant('check_out');
  const lengths = daysMeant('check_in_day')
    .flatMap((arrival) => departures.map((departure) => departure - arrival))
    .filter((nights) => nights >= 1 && nights <= MAX_NIGHTS_MEANT);
  // A slip in the year of one date makes the stay longer, never shorter.
  return lengths.length === 0 ? null : Math.min(...lengths);
}

export function departureAfter(arrival: string, nights: number): string | undefined {
  const day = parseDay(arrival);
  return day === undefined ? undefined : formatDay(day + nights);
}
