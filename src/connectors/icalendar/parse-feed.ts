import { invalid, type Reading, valid } from '../../parsing/reading.ts';
import { type Day, MS_PER_DAY } from '../../stay/day.ts';
import { instantOf, wallClockOf } from '../../stay/time-zone.ts';
import { type ContentLine, type FeedFault, type FeedRule, readContentLines } from './content-lines.ts';

/** Nights from the first up to, but not including, the day of departure. */
export type NightRange = { readonly from: Day; readonly to: Day };

export const MAX_FEED_EVENTS = 5000;
const MAX_DEPTH = 10;
const MAX_FAULTS = 20;
/** An event that ends later takes that night too: guests cannot arrive after it, and some feeds end a whole day at 23:59. */
const LAST_DEPARTURE_SECOND = 18 * 3600;

const READ_NAMES = new Set(['BEGIN', 'END', 'DTSTART', 'DTEND', 'DURATION', 'STATUS', 'RRULE', 'RDATE']);
/** Unsupported components that state taken nights. Ignoring them would offer those nights as free. */
const COMPONENTS_NOT_UNDERSTOOD = new Set(['VFREEBUSY', 'VAVAILABILITY']);

type EventDraft = { readonly line: number; readonly properties: Map<string, ContentLine[]> };

/**
 * Reads the nights that an iCalendar feed takes, in order and without overlaps, or the faults of the feed. Every event takes its nights,
 * whatever its title; a cancelled event takes none.
 */
export function parseFeed(feed: Uint8Array, timeZone: string): Reading<readonly NightRange[], FeedFault> {
  const lines = readContentLines(feed, READ_NAMES);
  if (lines.kind === 'invalid') return lines;
  const readTime = createLocalTimeReader(timeZone);
  const nights: NightRange[] = [];
  const faults: FeedFault[] = [];
  const open: string[] = [];
  let event: EventDraft | undefined;
  let events = 0;
  let calendars = 0;
  let lastLine = 1;

  for (const line of lines.value) {
    const { number, name } = line;
    lastLine = number;
    if (name === 'BEGIN') {
      const component = line.value.toUpperCase();
      const fault = nestingFault(component, open, number);
      if (fault) return invalid(...faults, fault);
      open.push(component);
      if (component === 'VCALENDAR') calendars += 1;
      if (component === 'VEVENT') {
        events += 1;
        if (events > MAX_FEED_EVENTS) {
          const message = `the feed has more than ${MAX_FEED_EVENTS} events`;
          return invalid(...faults, { line: number, rule: 'too_many_events', message });
        }
        event = { line: number, properties: new Map() };
      }
    } else if (name === 'END') {
      const component = line.value.toUpperCase();
      if (open.pop() !== component) {
        const message = 'END names another component than the one that is open';
        return invalid(...faults, { line: number, rule: 'not_closed', message });
      }
      if (component === 'VEVENT' && event) {
        const reading = readEvent(event, readTime);
        if (reading.kind === 'invalid') faults.push(...reading.faults);
        else if (reading.value) nights.push(reading.value);
        event = undefined;
        if (faults.length >= MAX_FAULTS) return invalid(...faults.slice(0, MAX_FAULTS));
      }
    } else if (event && open.at(-1) === 'VEVENT') {
      const known = event.properties.get(name);
      if (known) known.push(line);
      else event.properties.set(name, [line]);
    }
  }

  if (calendars === 0) {
    faults.push({ line: 1, rule: 'not_a_calendar', message: 'the feed has no BEGIN:VCALENDAR' });
  } else if (open.length > 0) {
    const message = `the feed ends before END of its ${open.length} open components: it may be cut off`;
    faults.push({ line: lastLine, rule: 'not_closed', message });
  }
  return faults.length > 0 ? invalid(...faults) : valid(merged(nights));
}

function nestingFault(component: string, open: readonly string[], line: number): FeedFault | undefined {
  const depth = open.length;
  if (depth >= MAX_DEPTH) {
    return { line, rule: 'wrong_nesting', message: `components are nested more than ${MAX_DEPTH} deep` };
  }
  if (depth === 0 && component !== 'VCALENDAR') {
    return { line, rule: 'not_a_calendar', message: 'a component begins outside VCALENDAR' };
  }
  if (component === 'VCALENDAR' && depth > 0) {
    return { line, rule: 'wrong_nesting', message: 'a VCALENDAR begins inside another component' };
  }
  if (component === 'VEVENT' && depth !== 1) {
    return { line, rule: 'wrong_nesting', message: 'a VEVENT begins inside another component' };
  }
  if (COMPONENTS_NOT_UNDERSTOOD.has(component)) {
    return { line, rule: 'not_understood', message: `${component} is not read, and may take nights` };
  }
  return undefined;
}

/** Null for an event that takes no night. */
function readEvent(event: EventDraft, readTime: LocalTimeReader): Reading<NightRange | null, FeedFault> {
  const { properties } = event;
  const status = properties.get('STATUS') ?? [];
  if (status.length > 0 && status.every(({ value }) => value.toUpperCase() === 'CANCELLED')) {
    return valid(null);
  }
  const [recurrence] = [...(properties.get('RRULE') ?? []), ...(properties.get('RDATE') ?? [])];
  if (recurrence) {
    const message = `${recurrence.name}: the event repeats, and repetitions are not read; publish each of them as an event`;
    return invalid({ line: recurrence.number, rule: 'recurrence', message });
  }
  for (const [name, lines] of properties) {
    const second = name === 'STATUS' ? undefined : lines[1];
    if (second)
      return invalid({ line: second.number, rule: 'given_twice', message: `${name} is given twice` });
  }
  const [startLine, endLine, durationLine] = ['DTSTART', 'DTEND', 'DURATION'].map(
    (name) => properties.get(name)?.[0],
  );
  if (!startLine) {
    return invalid({ line: event.line, rule: 'missing_start', message: 'the event has no DTSTART' });
  }
  if (endLine && durationLine) {
    const message = 'the event has a DTEND and a DURATION';
    return invalid({ line: durationLine.number, rule: 'given_twice', message });
  }
  const start = readTime(startLine);
  if (typeof start === 'string') return invalid(timeFault(startLine, start));
  if (durationLine) {
    const end = afterDuration(start, durationLine.value);
    if (end) return valid(nightsBetween(start, end));
    const message = `DURATION is ${quoted(durationLine.value)}, must be a duration such as P3D or PT36H, not negative`;
    return invalid({ line: durationLine.number, rule: 'not_a_duration', message });
  }
  if (!endLine) return valid(nightsBetween(start, start));
  const end = readTime(endLine);
  if (typeof end === 'string') return invalid(timeFault(endLine, end));
  if (end.day < start.day) {
    const message = `DTEND is ${quoted(endLine.value)}, before its DTSTART ${quoted(startLine.value)}`;
    return invalid({ line: endLine.number, rule: 'ends_before_start', message });
  }
  return valid(nightsBetween(start, end));
}

/**
 * From the night of the start day up to the end day. An event without a length takes one night. An event that ends in the afternoon of
 * its start day takes none: it is a cleaning or a visit.
 */
function nightsBetween(start: LocalTime, end: LocalTime): NightRange | null {
  const from = start.day;
  if (end.day === from && end.secondOfDay <= start.secondOfDay) return { from, to: from + 1 };
  const to = end.secondOfDay > LAST_DEPARTURE_SECOND ? end.day + 1 : end.day;
  return to > from ? { from, to } : null;
}

function merged(nights: readonly NightRange[]): readonly NightRange[] {
  const ranges: { from: Day; to: Day }[] = [];
  for (const { from, to } of nights.toSorted((a, b) => a.from - b.from)) {
    const last = ranges.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else ranges.push({ from, to });
  }
  return ranges;
}

function timeFault({ number, name, value }: ContentLine, rule: FeedRule): FeedFault {
  const message =
    rule === 'too_many_time_zones'
      ? `${name}: the feed names more time zones than are read`
      : `${name} is ${quoted(value)}, must be a day such as 20270710 or a time such as 20270710T150000Z`;
  return { line: number, rule, message };
}

function quoted(value: string): string {
  return /^[-+\dTZPWDHMS]{1,24}$/i.test(value) ? value : 'another text';
}

/** On the wall clock of the property. A date without a time is midnight. */
type LocalTime = { readonly day: Day; readonly secondOfDay: number };

type LocalTimeReader = (line: ContentLine) => LocalTime | 'not_a_time' | 'too_many_time_zones';

const SECONDS_PER_DAY = 86_400;
const TIME = /^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})(Z)?)?$/i;
const DURATION =
  /^\+?P(?:(\d{1,6})W|(?=[\dT])(?:(\d{1,6})D)?(?:T(?=\d)(?:(\d{1,8})H)?(?:(\d{1,8})M)?(?:(\d{1,8})S)?)?)$/i;
/** Each costs a tenth of a millisecond. A feed names the zone of its home, and a few more. */
const MAX_TIME_ZONES = 20;

/** No search reaches beyond these days, and time zones are undefined there: a time beyond them is moved to the nearer day. */
const FIRST_DAY = Date.UTC(1900, 0, 1) / MS_PER_DAY;
const LAST_DAY = Date.UTC(2200, 0, 1) / MS_PER_DAY;

/** Reads `DTSTART` and `DTEND` of one feed: dates, local times with or without a `TZID`, and UTC. */
function createLocalTimeReader(timeZone: string): LocalTimeReader {
  const zones = new Map<string, string | null>();

  /** Null for an unknown name, such as one defined by a `VTIMEZONE` of the feed: its times are taken as written. */
  function zoneNamed(id: string | undefined): string | null | undefined {
    if (id === undefined || id === timeZone) return null;
    if (!zones.has(id)) {
      if (zones.size >= MAX_TIME_ZONES) return undefined;
      zones.set(id, canonicalZone(id));
    }
    return zones.get(id);
  }

  return ({ value, parameters }) => {
    const match = TIME.exec(value);
    if (!match) return 'not_a_time';
    const [year = 0, month = 0, date = 0, hour = 0, minute = 0, second = 0] = match
      .slice(1, 7)
      .map((digits) => Number(digits ?? 0));
    const day = calendarDayOf(year, month, date);
    if (day === undefined || hour > 23 || minute > 59 || second > 60) return 'not_a_time';
    if (day < FIRST_DAY) return { day: FIRST_DAY, secondOfDay: 0 };
    if (day >= LAST_DAY) return { day: LAST_DAY, secondOfDay: 0 };
    const asWritten = { day, secondOfDay: hour * 3600 + minute * 60 + second };
    if (match[4] === undefined) return asWritten;
    if (match[7] !== undefined) return localTimeAt(day * MS_PER_DAY + asWritten.secondOfDay * 1000, timeZone);
    const zone = zoneNamed(parameters.get('TZID'));
    if (zone === undefined) return 'too_many_time_zones';
    if (zone === null) return asWritten;
    return localTimeAt(instantOf(day, hour * 60 + minute, zone) + second * 1000, timeZone);
  };
}

/** Adds hours on the wall clock: a change to or from summer time moves the end by an hour, which affects no night. */
function afterDuration({ day, secondOfDay }: LocalTime, duration: string): LocalTime | undefined {
  const match = DURATION.exec(duration);
  if (!match) return undefined;
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = match
    .slice(1)
    .map((digits) => Number(digits ?? 0));
  const total = secondOfDay + hours * 3600 + minutes * 60 + seconds;
  const end = day + weeks * 7 + days + Math.floor(total / SECONDS_PER_DAY);
  return end < LAST_DAY
    ? { day: end, secondOfDay: total % SECONDS_PER_DAY }
    : { day: LAST_DAY, secondOfDay: 0 };
}

/** Undefined for a day that does not exist. Unlike `calendarDay`, accepts years from 0: feeds write 00010101 for "always". */
function calendarDayOf(year: number, month: number, date: number): Day | undefined {
  const time = new Date(0);
  time.setUTCFullYear(year, month - 1, date);
  return time.getUTCMonth() === month - 1 && time.getUTCDate() === date
    ? time.getTime() / MS_PER_DAY
    : undefined;
}

/** The canonical spelling, because each spelling in other capitals would be cached. Null for offsets and invalid names. */
function canonicalZone(id: string): string | null {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{0,60}$/.test(id)) return null;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: id }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

function localTimeAt(instant: number, timeZone: string): LocalTime {
  const wallClock = wallClockOf(timeZone, instant);
  const day = Math.floor(wallClock / MS_PER_DAY);
  return { day, secondOfDay: (wallClock - day * MS_PER_DAY) / 1000 };
}

type FeedParameters = {
  readonly timeZone: string;
  /** Earlier nights are dropped. */
  readonly since: Day;
};

/** A task of the intake: the nights that a feed blocks. A faulty feed blocks none; its faults are returned. */
export function* readFeed(
  document: Uint8Array,
  { timeZone, since }: FeedParameters,
): Generator<NightRange, readonly FeedFault[]> {
  const reading = parseFeed(document, timeZone);
  if (reading.kind === 'invalid') return reading.faults;
  for (const range of reading.value) if (range.to > since) yield range;
  return [];
}
