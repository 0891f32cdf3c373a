import type { CalendarFault, Horizon } from '../../quotes/booking-system.ts';
import { type Day, formatDay, parseDay } from '../../stay/day.ts';
import { looseNumber } from '../vendors/loose-values.ts';
import { cutText, memberOf } from '../vendors/numbered-records.ts';
import { linkedIds } from './records.ts';

/** What an answer says about the calendar of one rental, cut to the horizon. */
export type BookingsyncCalendarPart =
  /** A sign for each night of the horizon; a blank for one outside the vendor's map. */
  | { readonly kind: 'nights'; readonly rental: string; readonly signs: string }
  | { readonly kind: 'changes'; readonly rental: string; readonly signs: string }
  | {
      readonly kind: 'rates';
      readonly rental: string;
      readonly from: Day;
      /** Inclusive. */
      readonly to: Day;
      readonly minimumStay: number;
      /** A decimal; null when the vendor has none. */
      readonly rate: number | null;
      /** Null when it is the rental's. */
      readonly currency: string | null;
    }
  | { readonly kind: 'fault'; readonly rental: string; readonly fault: CalendarFault };

export type BookingsyncCalendarResource = 'availabilities' | 'change_overs' | 'nightly_rate_maps' | 'rates';

/** Longer than any map: the vendor's have 1096 days. */
const MAX_MAP_DAYS = 3000;
const MAX_RATE_LENGTH = 20;

export function bookingsyncCalendarParts(
  resource: BookingsyncCalendarResource,
  record: unknown,
  horizon: Horizon,
): readonly BookingsyncCalendarPart[] {
  const [rental] = linkedIds(record, 'rental');
  if (rental === undefined) return [];
  if (resource === 'rates') return [ratePeriod(record, rental, horizon)].flat();
  const startsAt = cutText(memberOf(record, 'start_date'), 40).slice(0, 10);
  const first = parseDay(startsAt);
  if (first === undefined) {
    return [faulty(rental, 'no_such_day', `${resource}: start_date must be a day, YYYY-MM-DD`, resource)];
  }
  if (resource === 'nightly_rate_maps') return nightlyRates(record, rental, first, horizon);
  const map = cutText(memberOf(record, 'map'), MAX_MAP_DAYS);
  return [signsOf(map, { resource, rental, first, horizon })];
}

const SIGNS = {
  availabilities: { kind: 'nights', wrong: /[^0-3 ]/, rule: 'must be 0, 1, 2 or 3' },
  change_overs: { kind: 'changes', wrong: /[^XCIO ]/, rule: 'must be X, C, I or O' },
} as const;

function signsOf(
  map: string,
  {
    resource,
    rental,
    first,
    horizon,
  }: {
    readonly resource: keyof typeof SIGNS;
    readonly rental: string;
    readonly first: Day;
    readonly horizon: Horizon;
  },
): BookingsyncCalendarPart {
  if (map === '') {
    const reason = `${resource}: map is missing, must have a sign for each day`;
    return faulty(rental, 'missing_member', reason, resource);
  }
  const { kind, wrong, rule } = SIGNS[resource];
  const offset = horizon.from - first;
  const before = ' '.repeat(Math.min(horizon.nights, Math.max(0, -offset)));
  const inside = map.slice(Math.max(0, offset), Math.max(0, offset + horizon.nights));
  const signs = (before + inside).slice(0, horizon.nights).padEnd(horizon.nights);
  const at = signs.search(wrong);
  if (at >= 0) {
    const sign = /^[\w]$/.test(signs[at] ?? '') ? signs[at] : 'another sign';
    const reason = `${resource}: map on ${formatDay(horizon.from + at)} is ${sign}, ${rule}`;
    return faulty(rental, 'unknown_choice', reason, resource);
  }
  return { kind, rental, signs };
}

/** Nights with the same rate and minimum, put together. */
function nightlyRates(
  record: unknown,
  rental: string,
  first: Day,
  { from, nights }: Horizon,
): BookingsyncCalendarPart[] {
  const listOf = (name: string) =>
    cutText(memberOf(record, name), MAX_MAP_DAYS * MAX_RATE_LENGTH).split(',', MAX_MAP_DAYS);
  const [minimums, rates] = [listOf('minimum_stays_map'), listOf('rates_map')];
  const parts: (BookingsyncCalendarPart & { readonly kind: 'rates' })[] = [];
  for (let day = Math.max(from, first); day < from + nights && day - first < rates.length; day += 1) {
    const minimumStay = looseNumber(minimums[day - first]) ?? 1;
    const rate = looseNumber(rates[day - first]) ?? null;
    if (!Number.isInteger(minimumStay) || minimumStay < 0) {
      const reason = `nightly_rate_maps: minimum stay on ${formatDay(day)} is ${minimumStay}, must be a whole number`;
      return [faulty(rental, 'out_of_range', reason, 'nightly_rate_maps')];
    }
    const last = parts.at(-1);
    if (last && last.minimumStay === minimumStay && last.rate === rate)
      parts[parts.length - 1] = { ...last, to: day };
    else parts.push({ kind: 'rates', rental, from: day, to: day, minimumStay, rate, currency: null });
  }
  return parts;
}

function ratePeriod(record: unknown, rental: string, horizon: Horizon): BookingsyncCalendarPart[] {
  const [start, end] = ['start_date', 'end_date'].map((name) =>
    cutText(memberOf(record, name), 40).slice(0, 10),
  );
  const [from, to] = [parseDay(start ?? ''), parseDay(end ?? '')];
  if (from === undefined || to === undefined) {
    const reason = 'rates: start_date and end_date must be days, YYYY-MM-DD';
    return [faulty(rental, 'no_such_day', reason, 'rates')];
  }
  if (from > to) {
    const reason = `rates: the period from ${start} ends before it, on ${end}`;
    return [faulty(rental, 'period_backwards', reason, 'rates')];
  }
  if (to < horizon.from || from >= horizon.from + horizon.nights) return [];
  const minimumStay = looseNumber(memberOf(record, 'minimum_stay')) ?? 1;
  if (!Number.isInteger(minimumStay) || minimumStay < 0) {
    const reason = `rates: minimum_stay from ${start} to ${end} is ${minimumStay}, must be a whole number`;
    return [faulty(rental, 'out_of_range', reason, 'rates')];
  }
  const rate = looseNumber(memberOf(record, 'final_nightly_rate')) ?? null;
  const currency = cutText(memberOf(record, 'currency'), 3) || null;
  return [{ kind: 'rates', rental, from, to, minimumStay, rate, currency }];
}

function faulty(
  rental: string,
  rule: CalendarFault['rule'],
  reason: string,
  field: BookingsyncCalendarResource,
): BookingsyncCalendarPart {
  return { kind: 'fault', rental, fault: { rule, field, reason } };
}
