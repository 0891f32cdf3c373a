import { BookingSystemFailure } from '../../limits/booking-system-failure.ts';
import { invalid, type Reading, valid } from '../../parsing/reading.ts';
import type { CalendarFault, Horizon } from '../../quotes/booking-system.ts';
import { type Day, formatDay, parseDay } from '../../stay/day.ts';
import { parseDocument } from '../shared/intake/parse-document.ts';
import { cutText, looseList, looseNumber, memberOf } from '../shared/vendors/loose-values.ts';
import { errorCodeOf, type LodgifyAnswerEnd, NO_ERROR } from './error-code.ts';

/** What an arrival on some days allows. */
export type LodgifyRate = {
  readonly minimumStay: number;
  /** 0 when there is no maximum. */
  readonly maximumStay: number;
  /** For a night of the shortest stay; a decimal. */
  readonly price: number;
};
export type LodgifyRates = {
  readonly byDay: ReadonlyMap<Day, LodgifyRate>;
  /** For days that are not listed; null when they have no price. */
  readonly standard: LodgifyRate | null;
  /** How many days ahead a stay may begin; 0 when it is not limited. */
  readonly windowDays: number;
  /** Of the answer as a whole. */
  readonly faults: readonly CalendarFault[];
  /** Days whose prices cannot be: they matter while the night is for sale. */
  readonly faultyDays: ReadonlyMap<Day, CalendarFault>;
};

const MAX_FAULTS = 20;

/** A task of the intake: the answer of `GET /v2/rates/calendar`. It is one item. */
export function* readLodgifyRates(
  document: Uint8Array,
  { horizon }: { readonly horizon: Horizon },
): Generator<LodgifyRates, LodgifyAnswerEnd> {
  const answer = parseDocument(document);
  const errorCode = errorCodeOf(answer);
  if (errorCode !== null) return { errorCode };
  const items = memberOf(answer, 'calendar_items');
  if (!Array.isArray(items)) throw new BookingSystemFailure('garbled', 'the answer holds no calendar items');
  const byDay = new Map<Day, LodgifyRate>();
  const faultyDays = new Map<Day, CalendarFault>();
  const faults: CalendarFault[] = [];
  let standard: LodgifyRate | null = null;
  for (const [index, item] of items.entries()) {
    if (faults.length >= MAX_FAULTS) break;
    const date = memberOf(item, 'date') ?? null;
    const day = date === null ? null : parseDay(cutText(date, 40).slice(0, 10));
    if (day === undefined) {
      const reason = `calendar_items[${index}]: date must be a day, YYYY-MM-DD, or null`;
      faults.push({ rule: 'no_such_day', field: `calendar_items/${index}/date`, reason });
      continue;
    }
    if (day !== null && (day < horizon.from || day >= horizon.from + horizon.nights)) continue;
    // Only for a fault: writing a day takes longer than reading its rate.
    const label = () => `calendar_items[${index}]${day === null ? '' : ` (${formatDay(day)})`}`;
    const reading = rateOf(looseList(memberOf(item, 'prices')), label);
    if (reading.kind === 'invalid') {
      if (day === null) faults.push(...reading.faults);
      else for (const fault of reading.faults) faultyDays.set(day, fault);
    } else if (reading.value) {
      if (day === null) standard = reading.value;
      else byDay.set(day, reading.value);
    }
  }
  const settings = memberOf(answer, 'rate_settings');
  const windowDays = Math.max(0, Math.floor(looseNumber(memberOf(settings, 'booking_window_days')) ?? 0));
  yield { byDay, standard, windowDays, faults, faultyDays };
  return NO_ERROR;
}

/** The vendor has a price for each range of lengths. Undefined when there is none. */
function rateOf(
  prices: readonly unknown[],
  label: () => string,
): Reading<LodgifyRate | undefined, CalendarFault> {
  const ranges: { readonly from: number; readonly to: number; readonly price: number }[] = [];
  for (const published of prices) {
    const number = (name: string) => looseNumber(memberOf(published, name));
    const [from = 1, to = 0, price] = [number('min_stay'), number('max_stay'), number('price_per_day')];
    if (price === undefined || price < 0) {
      return invalid({
        rule: 'wrong_type',
        reason: `${label()}: price_per_day must be a number, at least 0`,
      });
    }
    if (!Number.isInteger(from) || !Number.isInteger(to) || from < 0 || to < 0 || (to > 0 && to < from)) {
      const reason = `${label()}: stays from ${from} to ${to} nights, must be whole numbers in order`;
      return invalid({ rule: 'contradicts_itself', reason });
    }
    ranges.push({ from: Math.max(1, from), to, price });
  }
  const [shortest] = ranges.toSorted((one, other) => one.from - other.from);
  if (!shortest) return valid(undefined);
  return valid({
    minimumStay: shortest.from,
    maximumStay: ranges.some(({ to }) => to === 0) ? 0 : Math.max(...ranges.map(({ to }) => to)),
    price: shortest.price,
  });
}
