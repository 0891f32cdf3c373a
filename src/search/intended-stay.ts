import type { RequestedStay } from '../catalogue/stay-criteria.ts';
import { FIELDS, NIGHTS, type Payload, type PayloadField } from '../contract/payload-fields.ts';
import { MAX_SUGGESTIONS } from '../contract/vocabulary.ts';
import type { Session } from '../sessions/session.ts';
import { formatDay, formatMonth, monthOf, parseDay } from '../stay/day.ts';
import { DATE_ORDERS, type DateOrder } from '../stay/written-dates.ts';
import { FIELD_RULES, meantBy, withComingYear } from './fields/rules.ts';
import { criteriaOf, type SearchFacts } from './payload.ts';
import type { SuggestedStay } from './refusal.ts';
import type { SuppliedValue } from './supplied-values.ts';

/** Dates that are further apart are a mistake. */
const MAX_NIGHTS_MEANT = 366;
const NUMBER_OF_NIGHTS = /^\s*0*[1-9]\d{0,2}(?:\.0+)?\s*$/;

/** The length of the requested stay, even if its dates are misspelt or in a year that has passed. */
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
  // A wrong year in one date makes the stay longer, never shorter.
  return lengths.length === 0 ? null : Math.min(...lengths);
}

export function departureAfter(arrival: string, nights: number): string | undefined {
  const day = parseDay(arrival);
  return day === undefined ? undefined : formatDay(day + nights);
}

function valueFor(field: string, supplied: readonly SuppliedValue[]): SuppliedValue | undefined {
  for (const one of supplied) if (one.field === field) return one;
  return undefined;
}

/**
 * Replaces `nights` by the departure, counted from the arrival of the request (also under a wrong name) or else the current one. Leaves it
 * to be refused when it cannot be counted or contradicts the departure of the request.
 */
export function withDeparture(
  supplied: readonly SuppliedValue[],
  { check_in_day: standing }: Payload,
): readonly SuppliedValue[] {
  const nights = valueFor(NIGHTS, supplied);
  if (nights === undefined) return supplied;
  const arrivals: readonly string[] = ['check_in_day', ...FIELDS.check_in_day.alsoCalled];
  const named = supplied.find(({ field }) => arrivals.includes(field));
  const arrival = FIELD_RULES.check_in_day.read(named ? named.raw : standing);
  const count = NUMBER_OF_NIGHTS.test(String(nights.raw)) ? Number(nights.raw) : 0;
  const departure =
    arrival.kind === 'read' && count > 0 ? departureAfter(String(arrival.value), count) : undefined;
  if (departure === undefined) return supplied;
  const others = supplied.filter((one) => one !== nights);
  const given = valueFor('check_out', others);
  if (given === undefined) return [...others, { field: 'check_out', raw: departure }];
  const reading = FIELD_RULES.check_out.read(given.raw);
  return reading.kind === 'read' && reading.value === departure ? others : supplied;
}

/**
 * Callers write both dates of a stay in one order: probably the one in which the departure follows the arrival most closely. A departure
 * alone is compared with the current arrival. Undefined when the dates leave it open.
 */
export function dateOrderMeant(
  supplied: readonly SuppliedValue[],
  { check_in_day }: Payload,
  now: number,
): DateOrder | undefined {
  const departure = valueFor('check_out', supplied);
  if (departure === undefined) return undefined;
  const arrival =
    valueFor('check_in_day', supplied) ??
    (check_in_day === undefined ? undefined : { field: 'check_in_day', raw: check_in_day });
  if (arrival === undefined) return undefined;
  const dates = [arrival, departure];
  if (dates.every(({ raw }) => meantBy('check_out', raw).length < 2)) return undefined;
  const nightsIn = (order: DateOrder) => intendedNights(dates, now, order) ?? Number.POSITIVE_INFINITY;
  const [monthFirst, dayFirst] = [nightsIn('month_first'), nightsIn('day_first')];
  if (monthFirst === dayFirst) return undefined;
  return monthFirst < dayFirst ? 'month_first' : 'day_first';
}

/** The date order in which the text means this departure. */
export function orderOfDeparture(written: unknown, departure: string): DateOrder | undefined {
  return DATE_ORDERS.find((order) => meantBy('check_out', written, order).includes(departure));
}

/** Two weeks to either side. */
const MAX_DAYS_AWAY = 14;

/**
 * Stays on offer of the requested length, by the dates of the request or those before it; nearest arrival first, and of two equally near the
 * earlier one. `after` is the session after the request.
 */
export function staysOfThatLength(
  before: Payload,
  after: Session,
  supplied: readonly SuppliedValue[],
  { index, now }: SearchFacts,
): readonly SuggestedStay[] {
  const dates = (['check_in_day', 'check_out'] as const).flatMap((field): SuppliedValue[] => {
    const raw = valueFor(field, supplied)?.raw ?? before[field];
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
