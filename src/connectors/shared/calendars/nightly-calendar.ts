import { type Calendar, emptyCalendar } from '../../../catalogue/calendar.ts';
import type { RejectionRule } from '../../../catalogue/rejections/rejection-rules.ts';
import { invalid, valid } from '../../../parsing/reading.ts';
import type { CalendarFault, CalendarReading, Horizon } from '../../../quotes/booking-system.ts';
import { type Day, formatDay, parseDay } from '../../../stay/day.ts';
import { decimalsOf } from '../../../stay/money.ts';
import { type EntryPlace, faultAt, found, foundValue } from '../listings/first-fault.ts';
import type { KnownListing } from '../listings/known-listings.ts';
import {
  isLooseRecord,
  type LooseRecord,
  looseFlag,
  looseInteger,
  looseNumber,
} from '../vendors/loose-values.ts';
import { maximumStayColumn, minimumStayColumn, priceColumn } from './night-periods.ts';

/** The rules of one night, and of stays that arrive or depart on its day. */
export type NightRules = {
  readonly isAvailable: boolean;
  readonly minimumStay: number;
  /** Undefined when there is none. */
  readonly maximumStay: number | undefined;
  readonly isClosedToArrival: boolean;
  readonly isClosedToDeparture: boolean;
  /** Indicative, in the units of the currency. */
  readonly price: number | undefined;
};

/** The limits of a night; where it has none, those of the listing, unless they contradict the night's own. */
export function stayLimitsOf(
  night: { readonly minimum: number | undefined; readonly maximum: number | undefined },
  listing: Pick<KnownListing, 'minimumStay' | 'maximumStay'>,
): Pick<NightRules, 'minimumStay' | 'maximumStay'> {
  const minimum =
    night.minimum ?? Math.min(listing.minimumStay ?? 1, night.maximum ?? Number.POSITIVE_INFINITY);
  if (night.maximum !== undefined || listing.maximumStay === null) {
    return { minimumStay: minimum, maximumStay: night.maximum };
  }
  return { minimumStay: minimum, maximumStay: Math.max(listing.maximumStay, minimum) };
}

/** Reads members of one night and collects their faults. */
export type NightMembers = {
  readonly night: LooseRecord;
  /** Missing, null and 0 mean that the vendor sets no limit. One that cannot be read closes the night, if it is for sale at all. */
  stayLimit(name: string): number | undefined;
  /** Missing and null are false. */
  flag(name: string): boolean;
  /** A price that is no number is left out: it only orders candidates. */
  price(name: string): number | undefined;
  /** `must` completes the sentence "<name> is …, must be …". */
  fault(name: string, must: string): void;
};

type DatedNight = { readonly day: Day; readonly place: EntryPlace; readonly rules: NightRules };
/** Nights of the same rules: from the first to the last, which belongs to them. */
type DatedNights = Omit<DatedNight, 'day'> & { readonly first: Day; readonly last: Day };

/** A calendar has hundreds of nights; a few faults show the problem. */
const MAX_FAULTS = 20;
/** Twice the longest horizon, so that a vendor may send more than it was asked for, but not without end. */
const MAX_NIGHTS = 1500;
/** Of all entries together: overlapping spans repeat each other, so a few times the horizon is enough. */
const MAX_COVERED_NIGHTS = 4 * MAX_NIGHTS;

/** Stay limits mean nothing on a night without arrivals. Departure still matters: the night before may be for sale. */
const NOT_FOR_SALE = { isAvailable: false, minimumStay: 1, maximumStay: undefined };

/** The members that name first and last night, for a vendor that joins equal nights into one entry. */
export type SpanMembers = { readonly first: string; readonly last: string };

/**
 * Reads a calendar from a list with an entry per night or per span of equal nights. Nights missing from the list are unavailable.
 * A night with impossible stay limits is closed; nothing else is repaired, because that would be guessing.
 */
export function readNightlyCalendar(
  nights: unknown,
  {
    horizon,
    currency,
    span,
    readRules,
  }: {
    readonly horizon: Horizon;
    readonly currency: string;
    /** An entry with a `date` is a single night despite this. */
    readonly span?: SpanMembers;
    readonly readRules: (members: NightMembers) => NightRules;
  },
): CalendarReading {
  if (!Array.isArray(nights)) {
    const rule = nights === undefined ? 'missing_member' : 'wrong_type';
    return invalid({ rule, reason: `nights is ${foundValue(nights)}, must be a list`, ...found(nights) });
  }
  if (nights.length > MAX_NIGHTS) {
    const reason = `nights has ${nights.length} entries, may have at most ${MAX_NIGHTS}`;
    return invalid({ field: 'nights', rule: 'too_many_entries', reason, value: String(nights.length) });
  }
  const faults: CalendarFault[] = [];
  const closedNights: CalendarFault[] = [];
  const dated = new Map<Day, DatedNight>();
  let covered = 0;
  for (const [index, night] of nights.entries()) {
    const read = readNights(night, index, span, readRules, { faults, closedNights });
    if (!read) continue;
    const { place, rules } = read;
    const first = Math.max(read.first, horizon.from);
    const last = Math.min(read.last, horizon.from + horizon.nights);
    covered += Math.max(0, last - first + 1);
    if (covered > MAX_COVERED_NIGHTS) {
      const reason = `nights has spans of more than ${MAX_COVERED_NIGHTS} nights together, which overlap`;
      return invalid({ field: 'nights', rule: 'too_many_entries', reason });
    }
    for (let day = first; day <= last; day += 1) {
      const other = dated.get(day);
      if (other && !isSame(other.rules, rules)) {
        const reason = `says something else than ${other.place.label}`;
        faults.push(faultAt('nights', place, 'contradicts_itself', reason, { value: formatDay(day) }));
        break;
      }
      dated.set(day, { day, place, rules });
    }
  }
  if (faults.length > 0) return invalid(...firstFew([...faults, ...closedNights]));
  if (dated.size === 0) {
    const [from, to] = [formatDay(horizon.from), formatDay(horizon.from + horizon.nights)];
    return invalid({ rule: 'calendar_missing', reason: `nights has none from ${from} to ${to}` });
  }
  const calendar = columnsOf(dated.values(), horizon, currency);
  if (closedNights.length === 0) return valid(calendar);
  // If no night is left, the whole calendar is invalid.
  if (!calendar.available.includes(1)) return invalid(...firstFew(closedNights));
  return { ...valid(calendar), closedNights: firstFew(closedNights) };
}

function readNights(
  night: unknown,
  index: number,
  span: SpanMembers | undefined,
  readRules: (members: NightMembers) => NightRules,
  {
    faults,
    closedNights,
  }: {
    readonly faults: CalendarFault[];
    /** Faults that close a night. */
    readonly closedNights: CalendarFault[];
  },
): DatedNights | undefined {
  const unnamed = { index, label: `nights[${index}]` };
  if (!isLooseRecord(night)) {
    const reason = `is ${foundValue(night)}, must be an object`;
    faults.push(faultAt('nights', unnamed, 'wrong_type', reason, { value: night }));
    return undefined;
  }
  const dayIn = (member: string): Day | undefined => {
    const value = night[member];
    // Some vendors write a day as midnight.
    const day = typeof value === 'string' ? parseDay(value.slice(0, 10)) : undefined;
    if (day === undefined) {
      const reason = `${member} is ${foundValue(value)}, must be a day, YYYY-MM-DD`;
      faults.push(faultAt('nights', unnamed, 'no_such_day', reason, { member, value }));
    }
    return day;
  };
  const isSpan = span !== undefined && night.date === undefined;
  const first = dayIn(isSpan ? span.first : 'date');
  const last = isSpan ? dayIn(span.last) : first;
  if (first === undefined || last === undefined) return undefined;
  const days = last === first ? formatDay(first) : `${formatDay(first)} to ${formatDay(last)}`;
  const place = { index, label: `nights[${index}] (${days})` };
  if (isSpan && last < first) {
    const backwards = { member: span.last, value: night[span.last] };
    faults.push(
      faultAt('nights', place, 'period_backwards', `${span.last} is before ${span.first}`, backwards),
    );
    return undefined;
  }
  const before = faults.length;
  const limitFaults: CalendarFault[] = [];
  const rules = readRules(membersOf(night, place, { faults, limitFaults }));
  if (faults.length > before) return undefined;
  const { minimumStay, maximumStay } = rules;
  if (maximumStay !== undefined && minimumStay > maximumStay) {
    const reason = `the minimum stay is ${minimumStay}, above the maximum stay of ${maximumStay}`;
    limitFaults.push(faultAt('nights', place, 'contradicts_itself', reason, { value: minimumStay }));
  }
  const isForSale = rules.isAvailable && limitFaults.length === 0;
  if (isForSale) return { first, last, place, rules };
  if (rules.isAvailable) closedNights.push(...limitFaults);
  return { first, last, place, rules: { ...rules, ...NOT_FOR_SALE } };
}

function membersOf(
  night: LooseRecord,
  place: EntryPlace,
  { faults, limitFaults }: { readonly faults: CalendarFault[]; readonly limitFaults: CalendarFault[] },
): NightMembers {
  const faultOf = (member: string, must: string) => {
    const value = night[member];
    const reason = `${member} is ${foundValue(value)}, must be ${must}`;
    return faultAt('nights', place, ruleOf(value), reason, { member, value });
  };
  const fault = (member: string, must: string) => {
    faults.push(faultOf(member, must));
  };
  return {
    night,
    stayLimit(name) {
      const value = night[name];
      if (value === undefined || value === null) return undefined;
      const limit = looseInteger(value);
      if (limit !== undefined && limit >= 0) return limit === 0 ? undefined : limit;
      limitFaults.push(faultOf(name, 'a whole number, at least 1'));
      return undefined;
    },
    flag(name) {
      const value = night[name];
      if (value === undefined || value === null) return false;
      const flag = looseFlag(value);
      if (flag === undefined) fault(name, 'true or false');
      return flag ?? false;
    },
    price: (name) => looseNumber(night[name]),
    fault,
  };
}

function ruleOf(value: unknown): RejectionRule {
  if (value === undefined || value === null) return 'missing_member';
  return typeof value === 'number' ? 'out_of_range' : 'wrong_type';
}

function columnsOf(nights: Iterable<DatedNight>, horizon: Horizon, currency: string): Calendar {
  const calendar = emptyCalendar(horizon.from, horizon.nights);
  const minorUnits = 10 ** decimalsOf(currency);
  for (const { day, rules } of nights) {
    // The list may include the day after the last night, for departures; writes beyond the end of a column have no effect.
    const at = day - horizon.from;
    calendar.available[at] = rules.isAvailable ? 1 : 0;
    calendar.minimumStay[at] = minimumStayColumn(rules.minimumStay);
    calendar.maximumStay[at] = maximumStayColumn(rules.maximumStay);
    calendar.closedToArrival[at] = rules.isClosedToArrival ? 1 : 0;
    calendar.closedToDeparture[at] = rules.isClosedToDeparture ? 1 : 0;
    calendar.price[at] = priceColumn(Math.max(0, Math.round((rules.price ?? 0) * minorUnits)));
  }
  return calendar;
}

function isSame(one: NightRules, other: NightRules): boolean {
  return (Object.keys(one) as (keyof NightRules)[]).every((name) => one[name] === other[name]);
}

function firstFew(faults: readonly CalendarFault[]): readonly CalendarFault[] {
  const left = faults.length - MAX_FAULTS;
  if (left <= 0) return faults;
  return [...faults.slice(0, MAX_FAULTS), { rule: 'too_many_faults', reason: `${left} other faults` }];
}
