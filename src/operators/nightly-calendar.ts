import { type Calendar, emptyCalendar } from '../inventory/calendar.ts';
import type { Horizon } from '../quotes/booking-system.ts';
import { invalid, type Reading, valid } from '../reading/reading.ts';
import { type Day, formatDay, parseDay } from '../stay/day.ts';
import { decimalsOf } from '../stay/money.ts';
import { maximumStayColumn, minimumStayColumn, priceColumn } from './calendar-columns.ts';
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
  fault(name: string, rule: string): void;
};

type DatedNight = { readonly day: Day; readonly label: string; readonly rules: NightRules };

/** A calendar has hundreds of nights; a few faults show what is wrong. */
const MAX_FAULTS = 20;
/** Twice the longest horizon, so that a vendor may send more than it was asked for, but not without end. */
const MAX_NIGHTS = 1500;

/**
 * A calendar out of a list with an entry for each night. Nights that are not in the list are not available. Entries that contradict
 * themselves or each other are not repaired by guessing.
 */
export function readNightlyCalendar(
  nights: unknown,
  {
    horizon,
    currency,
    readRules,
  }: {
    readonly horizon: Horizon;
    readonly currency: string;
    readonly readRules: (members: NightMembers) => NightRules;
  },
): Reading<Calendar> {
  if (!Array.isArray(nights)) return invalid(`nights is ${quotedValue(nights)}, must be a list`);
  if (nights.length > MAX_NIGHTS) {
    return invalid(`nights has ${nights.length} entries, must have at most ${MAX_NIGHTS}`);
  }
  const faults: string[] = [];
  const dated = new Map<Day, DatedNight>();
  for (const [index, night] of nights.entries()) {
    const read = readNight(night, index, readRules, faults);
    if (!read || read.day < horizon.from || read.day > horizon.from + horizon.nights) continue;
    const other = dated.get(read.day);
    if (other && !isSame(other.rules, read.rules)) faults.push(`${read.label}: contradicts ${other.label}`);
    else dated.set(read.day, read);
  }
  if (faults.length > 0) return invalid(...firstFew(faults));
  if (dated.size === 0) {
    const until = formatDay(horizon.from + horizon.nights);
    return invalid(`nights has none from ${formatDay(horizon.from)} to ${until}`);
  }
  return valid(columnsOf(dated.values(), horizon, currency));
}

function readNight(
  night: unknown,
  index: number,
  readRules: (members: NightMembers) => NightRules,
  faults: string[],
): DatedNight | undefined {
  const place = `nights[${index}]`;
  if (!isLooseRecord(night)) {
    faults.push(`${place}: is ${quotedValue(night)}, must be an object`);
    return undefined;
  }
  const { date } = night;
  // Some vendors write a day as midnight.
  const day = typeof date === 'string' ? parseDay(date.slice(0, 10)) : undefined;
  if (day === undefined) {
    faults.push(`${place}: date is ${quotedValue(date)}, must be a day, YYYY-MM-DD`);
    return undefined;
  }
  const label = `${place} (${formatDay(day)})`;
  const before = faults.length;
  const members = membersOf(night, (fault) => faults.push(`${label}: ${fault}`));
  const rules = readRules(members);
  const { minimumStay, maximumStay } = rules;
  if (maximumStay !== undefined && minimumStay > maximumStay) {
    faults.push(`${label}: the minimum stay is ${minimumStay}, above the maximum stay of ${maximumStay}`);
  }
  return faults.length === before ? { day, label, rules } : undefined;
}

function membersOf(night: LooseRecord, report: (fault: string) => void): NightMembers {
  const fault = (name: string, rule: string) => report(`${name} is ${quotedValue(night[name])}, ${rule}`);
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

function firstFew(faults: readonly string[]): readonly string[] {
  const left = faults.length - MAX_FAULTS;
  return left > 0 ? [...faults.slice(0, MAX_FAULTS), `${left} other faults`] : faults;
}

/** Faults are logged, so only numbers, dates and amounts are repeated; anything else is described. */
function quotedValue(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return /^[\d.-]{1,20}$/.test(value) ? value : 'another text';
  return Array.isArray(value) ? 'a list' : 'an object';
}
