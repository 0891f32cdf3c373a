import { FIELDS, NIGHTS, type Payload, type PayloadField } from '../contract/payload-fields.ts';
import { formatDay, parseDay } from '../stay/day.ts';
import type { DateOrder } from '../stay/written-dates.ts';
import { meantBy, readValue, withComingYear } from './fields/rules.ts';
import type { SuppliedValue } from './supplied-values.ts';

/** Nobody books longer, so dates that are further apart are a slip. */
const MAX_NIGHTS_MEANT = 366;

const NUMBER_OF_NIGHTS = /^\s*0*[1-9]\d{0,2}(?:\.0+)?\s*$/;

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

/**
 * `nights` stands for the departure: it counts from the arrival that the request names, also by a wrong name, or else from the one
 * that stands. Where it cannot be counted, or does not agree with a departure beside it, it is left for a refusal.
 */
export function withDeparture(
  supplied: readonly SuppliedValue[],
  { check_in_day: standing }: Payload,
): readonly SuppliedValue[] {
  const nights = supplied.find(({ field }) => field === NIGHTS);
  if (nights === undefined) return supplied;
  const arrivals: readonly string[] = ['check_in_day', ...FIELDS.check_in_day.alsoCalled];
  const named = supplied.find(({ field }) => arrivals.includes(field));
  const arrival = readValue('check_in_day', named ? named.raw : standing);
  const count = NUMBER_OF_NIGHTS.test(String(nights.raw)) ? Number(nights.raw) : 0;
  const departure =
    arrival.kind === 'read' && count > 0 ? departureAfter(String(arrival.value), count) : undefined;
  if (departure === undefined) return supplied;
  const others = supplied.filter((one) => one !== nights);
  const given = others.find(({ field }) => field === 'check_out');
  if (given === undefined) return [...others, { field: 'check_out', raw: departure }];
  const reading = readValue('check_out', given.raw);
  return reading.kind === 'read' && reading.value === departure ? others : supplied;
}
