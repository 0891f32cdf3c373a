import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { BookingSystemFailure } from '../../../limits/booking-system-failure.ts';
import { invalid, type Reading, valid } from '../../../parsing/reading.ts';
import { parseDay } from '../../../stay/day.ts';
import { CalendarPeriod, MAX_PERIODS } from '../../open/calendar.ts';
import { joinPeriods, type NightPeriod, type NightPeriods, packPeriods } from '../calendars/night-periods.ts';
import { parseDocument } from '../intake/parse-document.ts';
import { firstFault, found, type PlacedFault } from '../listings/first-fault.ts';
import { Listing, Reference } from '../listings/listing.ts';

/** Homes and their calendars as JSON Lines: one object a line, in UTF-8. docs/plain-format.md describes it. */
export const PLAIN_FORMAT = 'staywire-plain';
export const PLAIN_VERSION = 1;

/** Without the line break. */
export const MAX_PLAIN_LINE_BYTES = 1024 * 1024;

/** Per line; a home may have several lines. */
export const MAX_CALENDAR_LINE_PERIODS = MAX_PERIODS;

export const HeaderLine = Type.Object(
  {
    type: Type.Literal('header'),
    format: Type.Literal(PLAIN_FORMAT),
    version: Type.Literal(PLAIN_VERSION),
    source: Type.Optional(
      Type.String({ maxLength: 200, description: 'Where the homes come from, in words.' }),
    ),
  },
  { description: 'The first line, where there is one.' },
);

export const PropertyLine = Type.Object(
  { type: Type.Literal('property'), ...Listing.properties },
  { description: 'A home, with the members of a listing.' },
);
export type PropertyLine = Static<typeof PropertyLine>;

export const CalendarLine = Type.Object(
  {
    type: Type.Literal('calendar'),
    property: Reference,
    periods: Type.Array(CalendarPeriod, { maxItems: MAX_CALENDAR_LINE_PERIODS }),
  },
  {
    description:
      'Nights of a home. It comes before or after the home, and several lines of one home add up; no two of them hold the same night.',
  },
);
export type CalendarLine = Static<typeof CalendarLine>;

/** One line of a file in the plain format. Prices are decimal amounts in the home's currency, which another line names. */
type PlainLine =
  | { readonly kind: 'blank' }
  | { readonly kind: 'header' }
  /** Unchecked: the reader of listings checks it. */
  | { readonly kind: 'property'; readonly listing: unknown }
  | { readonly kind: 'calendar'; readonly reference: string; readonly periods: NightPeriods }
  | { readonly kind: 'refused'; readonly reference: string | null; readonly fault: PlacedFault };

const referenceSchema = Compile(Reference);
const headerLine = Compile(HeaderLine);
const calendarLine = Compile(
  Type.Object({
    property: Reference,
    periods: Type.Array(Type.Unknown(), { maxItems: MAX_CALENDAR_LINE_PERIODS }),
  }),
);
const calendarPeriod = Compile(CalendarPeriod);

/** A double represents every decimal of this many digits exactly, and no night costs more. */
const MAX_PRICE_DIGITS = 15;

export const LINE_TOO_LONG: PlacedFault = {
  field: '',
  rule: 'too_long',
  reason: `must be a line of at most ${MAX_PLAIN_LINE_BYTES} bytes`,
};

export function readPlainLine(bytes: Uint8Array): PlainLine {
  if (bytes.every(isBlank)) return { kind: 'blank' };
  if (bytes.length > MAX_PLAIN_LINE_BYTES) return refused(null, LINE_TOO_LONG);
  const parsed = parsedLine(bytes);
  if (parsed.kind === 'invalid') return refused(null, ...parsed.faults);
  const line = parsed.value;
  if (typeof line !== 'object' || line === null || Array.isArray(line)) {
    return refused(null, { field: '', rule: 'wrong_type', reason: 'must be an object', ...found(line) });
  }
  const type: unknown = Reflect.get(line, 'type');
  if (type === 'property') return { kind: 'property', listing: line };
  if (type === 'calendar') return calendarIn(line);
  if (type === 'header') {
    return headerLine.Check(line) ? { kind: 'header' } : refused(null, firstFault(headerLine, line));
  }
  const reason = 'must be header, property or calendar';
  return refused(null, { field: 'type', rule: 'unknown_choice', reason, ...found(type) });
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d;
}

function parsedLine(bytes: Uint8Array): Reading<unknown, PlacedFault> {
  try {
    return valid(parseDocument(bytes));
  } catch (error) {
    if (!(error instanceof BookingSystemFailure)) throw error;
    const rule = error.kind === 'too_large' ? 'too_complex' : 'not_json';
    return invalid({ field: '', rule, reason: error.message.replace('the document', 'the line') });
  }
}

function calendarIn(line: object): PlainLine {
  const reference = lineReference(line, 'property');
  if (reference === null || !calendarLine.Check(line)) {
    return refused(reference, firstFault(calendarLine, line));
  }
  const periods = readPeriodsOf(line.periods);
  return periods.kind === 'valid'
    ? { kind: 'calendar', reference, periods: periods.value }
    : refused(reference, ...periods.faults);
}

function readPeriodsOf(list: readonly unknown[]): Reading<NightPeriods, PlacedFault> {
  const periods: NightPeriod[] = [];
  for (const [index, entry] of list.entries()) {
    const reading = readPlainPeriod(entry, `periods/${index}`);
    if (reading.kind === 'invalid') return reading;
    periods.push(reading.value);
  }
  const inOrder = joinPeriods([packPeriods(periods)]);
  if (inOrder) return valid(inOrder);
  return invalid({
    field: 'periods',
    rule: 'calendar_overlap',
    reason: 'has two periods with the same night',
  });
}

function readPlainPeriod(entry: unknown, field: string): Reading<NightPeriod, PlacedFault> {
  if (!calendarPeriod.Check(entry)) {
    const fault = firstFault(calendarPeriod, entry);
    return invalid({ ...fault, field: [field, fault.field].filter(Boolean).join('/') });
  }
  const [from, to] = [parseDay(entry.from), parseDay(entry.to)];
  for (const [name, day] of [['from', from] as const, ['to', to] as const]) {
    if (day === undefined) {
      const fault = { rule: 'no_such_day', reason: 'is not a day', ...found(entry[name]) } as const;
      return invalid({ field: `${field}/${name}`, ...fault });
    }
  }
  if (from === undefined || to === undefined || from >= to) {
    const fault = { rule: 'period_backwards', reason: 'is not after its first night' } as const;
    return invalid({ field: `${field}/to`, ...fault, ...found(entry.to) });
  }
  const { price } = entry;
  if (price !== undefined && price.replace(/^0+|\.?0*$|\./g, '').length > MAX_PRICE_DIGITS) {
    const fault = { rule: 'price_too_fine', reason: `has more than ${MAX_PRICE_DIGITS} digits` } as const;
    return invalid({ field: `${field}/price`, ...fault, ...found(price) });
  }
  return valid({
    from,
    to,
    available: entry.available,
    minimumStay: entry.minimum_stay ?? 1,
    maximumStay: entry.maximum_stay ?? 0,
    closedToArrival: entry.closed_to_arrival ?? false,
    closedToDeparture: entry.closed_to_departure ?? false,
    price: price === undefined ? Number.NaN : Number(price),
  });
}

/** Reports only the first fault of a line. */
function refused(reference: string | null, ...[fault]: readonly PlacedFault[]): PlainLine {
  if (!fault) throw new Error('a line is refused for a reason');
  return { kind: 'refused', reference, fault };
}

/** Also works for lines that break the schema elsewhere, so that a report can name the home. */
function lineReference(line: unknown, member: 'reference' | 'property' = 'reference'): string | null {
  if (typeof line !== 'object' || line === null) return null;
  const reference: unknown = Reflect.get(line, member);
  return referenceSchema.Check(reference) ? reference : null;
}
