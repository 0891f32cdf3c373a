import { type Calendar, emptyCalendar } from '../inventory/calendar.ts';
import {
  CALENDAR_MISSING,
  type CalendarFault,
  type CalendarReading,
  type Horizon,
} from '../quotes/booking-system.ts';
import type { HeldBackRule } from '../quotes/held-back-rules.ts';
import { shownValue } from '../quotes/held-back-value.ts';
import { invalid, valid } from '../reading/reading.ts';
import { type Day, formatDay, parseDay } from '../stay/day.ts';
import { decimalsOf } from '../stay/money.ts';
import { maximumStayColumn, minimumStayColumn, priceColumn } from './calendar-columns.ts';
import { foundValue } from './expected-value.ts';
import type { KnownListing } from './known-listings.ts';
import { isLooseRecord, type LooseRecord, looseFlag, looseInteger, looseNumber } from './loose-values.ts';

/** What holds for one night, and for stays that arrive or depart on its day. */
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

/** Reads members of one night, and notes what is wrong with them. */
export type NightMembers = {
  readonly night: LooseRecord;
  /** Missing, null and 0 mean that the vendor sets no limit. */
  stayLimit(name: string): number | undefined;
  /** Missing and null are false. */
  flag(name: string): boolean;
  /** A price that is no number is left out: it only orders candidates. */
  price(name: string): number | undefined;
  fault(name: string, expected: string): void;
};

type DatedNight = { readonly day: Day; readonly label: string; readonly rules: NightRules };
/** Nights of the same rules: from the first to the last, which belongs to them. */
type DatedNights = Omit<DatedNight, 'day'> & { readonly first: Day; readonly last: Day };

/** A calendar has hundreds of nights; a few faults show what is wrong. */
const MAX_FAULTS = 20;
/** Twice the longest horizon, so that a vendor may send more than it was asked for, but not without end. */
const MAX_NIGHTS = 1500;

/** The members of an entry that holds for several nights, for a vendor that joins them. */
export type SpanMembers = { readonly first: string; readonly last: string };

/**
 * A calendar out of a list with an entry for each night, or for each span of equal nights. Nights that are not in the list are not
 * available. Entries that contradict themselves or each other are not repaired by guessing.
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
    /** An entry with a `date` of its own is one night all the same. */
    readonly span?: SpanMembers;
    readonly readRules: (members: NightMembers) => NightRules;
  },
): CalendarReading {
  if (!Array.isArray(nights)) {
    return invalid(
      faultOf('wrong_type', 'nights', `nights is ${foundValue(nights)}, must be a list`, nights),
    );
  }
  if (nights.length > MAX_NIGHTS) {
    const reason = `nights has ${nights.length} entries, may have at most ${MAX_NIGHTS}`;
    return invalid(faultOf('too_many_entries', 'nights', reason, nights.length));
  }
  const faults: CalendarFault[] = [];
  const dated = new Map<Day, DatedNight>();
  for (const [index, night] of nights.entries()) {
    const read = readNights(night, index, span, readRules, faults);
    if (!read) continue;
    const { label, rules } = read;
    const last = Math.min(read.last, horizon.from + horizon.nights);
    for (let day = Math.max(read.first, horizon.from); day <= last; day += 1) {
      const other = dated.get(day);
      if (other && !isSame(other.rules, rules)) {
        faults.push(faultOf('contradicts_itself', 'nights', `${label}: contradicts ${other.label}`));
        break;
      }
      dated.set(day, { day, label, rules });
    }
  }
  if (faults.length > 0) return invalid(...firstFew(faults));
  if (dated.size === 0) {
    const until = formatDay(horizon.from + horizon.nights);
    const reason = `has no night from ${formatDay(horizon.from)} to ${until}`;
    return invalid({ ...CALENDAR_MISSING, reason });
  }
  return valid(columnsOf(dated.values(), horizon, currency));
}

function readNights(
  night: unknown,
  index: number,
  span: SpanMembers | undefined,
  readRules: (members: NightMembers) => NightRules,
  faults: CalendarFault[],
): DatedNights | undefined {
  const place = `nights[${index}]`;
  if (!isLooseRecord(night)) {
    faults.push(
      faultOf('wrong_type', `nights/${index}`, `${place}: is ${foundValue(night)}, must be an object`, night),
    );
    return undefined;
  }
  const dayIn = (name: string): Day | undefined => {
    const date = night[name];
    // Some vendors write a day as midnight.
    const day = typeof date === 'string' ? parseDay(date.slice(0, 10)) : undefined;
    if (day === undefined) {
      const reason = `${place}: ${name} is ${foundValue(date)}, must be a day, YYYY-MM-DD`;
      faults.push(faultOf('no_such_day', `nights/${index}/${name}`, reason, date));
    }
    return day;
  };
  const isSpan = span !== undefined && night.date === undefined;
  const first = dayIn(isSpan ? span.first : 'date');
  const last = isSpan ? dayIn(span.last) : first;
  if (first === undefined || last === undefined) return undefined;
  const label = `${place} (${formatDay(first)}${last === first ? '' : ` to ${formatDay(last)}`})`;
  if (isSpan && last < first) {
    const reason = `${label}: ${span.last} is before ${span.first}`;
    faults.push(faultOf('period_backwards', `nights/${index}/${span.last}`, reason, night[span.last]));
    return undefined;
  }
  const before = faults.length;
  const members = membersOf(night, (name, expected) => {
    const value = night[name];
    const reason = `${label}: ${name} is ${foundValue(value)}, ${expected}`;
    faults.push(faultOf('wrong_type', `nights/${index}/${name}`, reason, value));
  });
  const rules = readRules(members);
  const { minimumStay, maximumStay } = rules;
  if (maximumStay !== undefined && minimumStay > maximumStay) {
    const reason = `${label}: the minimum stay is ${minimumStay}, above the maximum stay of ${maximumStay}`;
    faults.push(faultOf('contradicts_itself', `nights/${index}`, reason, minimumStay));
  }
  return faults.length === before ? { first, last, label, rules } : undefined;
}

function membersOf(night: LooseRecord, fault: NightMembers['fault']): NightMembers {
  return {
    night,
    stayLimit(name) {
      const value = night[name];
      if (value === undefined || value === null) return undefined;
      const limit = looseInteger(value);
      if (limit === undefined || limit < 0) fault(name, 'must be a whole number, at least 1');
      return limit === 0 ? undefined : limit;
    },
    flag(name) {
      const value = night[name];
      if (value === undefined || value === null) return false;
      const flag = looseFlag(value);
      if (flag === undefined) fault(name, 'must be true or false');
      return flag ?? false;
    },
    price: (name) => looseNumber(night[name]),
    fault,
  };
}

function columnsOf(nights: Iterable<DatedNight>, horizon: Horizon, currency: string): Calendar {
  const calendar = emptyCalendar(horizon.from, horizon.nights);
  const minorUnits = 10 ** decimalsOf(currency);
  for (const { day, rules } of nights) {
    // The day after the last night can be in the list for the sake of departures; a column ignores what is beyond its end.
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

function faultOf(rule: HeldBackRule, field: string, reason: string, value?: unknown): CalendarFault {
  const shown = shownValue(value);
  return { rule, field, reason, ...(shown === undefined ? {} : { value: shown }) };
}
