import {
  type NightPeriod,
  type NightPeriods,
  packPeriods,
} from '../../../connectors/shared/calendars/night-periods.ts';
import type { PlacedFault } from '../../../connectors/shared/listings/first-fault.ts';
import { found } from '../../../connectors/shared/listings/first-fault.ts';
import { ownText } from '../../../parsing/owned-memory.ts';
import { invalid, type Reading, valid } from '../../../parsing/reading.ts';
import { type Day, parseDay } from '../../../stay/day.ts';
import { type HomeTerms, wholeNumber } from './listings.ts';
import type { PriceReader, TableRow } from './table.ts';

export const REQUIRED_CALENDAR_COLUMNS: readonly string[] = ['listing_id', 'date', 'available'];

const NO_PRICE = valid(Number.NaN);
/** All homes have the same few hundred days. */
const MAX_REMEMBERED_DAYS = 5000;

type CalendarRowReader = (row: TableRow, terms: HomeTerms) => Reading<CalendarNight, PlacedFault>;

/** Reads one night. A blank price or rule is taken from the listing of the home. */
export function createCalendarRowReader(readPrice: PriceReader): CalendarRowReader {
  const days = new Map<string, Day>();

  function dayOf(text: string): Day | undefined {
    const known = days.get(text);
    if (known !== undefined) return known;
    const day = parseDay(text);
    if (day !== undefined && days.size < MAX_REMEMBERED_DAYS) days.set(text, day);
    return day;
  }

  return (row, terms) => {
    if (row.fault) return invalid(row.fault);
    const date = row.cell('date');
    const day = dayOf(date);
    if (day === undefined) {
      return invalid({
        field: 'date',
        rule: 'no_such_day',
        reason: 'must be a day, YYYY-MM-DD',
        ...found(date),
      });
    }
    const available = row.cell('available');
    if (available !== 't' && available !== 'f') {
      const reason = 'must be t or f';
      return invalid({ field: 'available', rule: 'unknown_choice', reason, ...found(available) });
    }
    const minimum = row.cell('minimum_nights');
    const maximum = row.cell('maximum_nights');
    const minimumStay = minimum === '' ? terms.minimumStay : wholeNumber(minimum);
    const maximumStay = maximum === '' ? terms.maximumStay : wholeNumber(maximum);
    if (minimumStay === undefined || minimumStay < 1) return invalid(notANumber('minimum_nights', minimum));
    if (maximumStay === undefined) return invalid(notANumber('maximum_nights', maximum));
    const written = row.cell('price') || terms.price;
    const price = written === '' ? NO_PRICE : readPrice(written);
    if (price.kind === 'invalid') {
      return invalid(...price.faults.map((fault) => ({ field: 'price', ...fault, ...found(written) })));
    }
    return valid({
      day,
      available: available === 't',
      minimumStay,
      maximumStay,
      price: price.value,
    });
  };
}

function notANumber(field: string, value: string): PlacedFault {
  return { field, rule: 'out_of_range', reason: 'must be a whole number, at least 1', ...found(value) };
}

export type CalendarNight = {
  readonly day: Day;
  readonly available: boolean;
  readonly minimumStay: number;
  /** 0 when there is none. */
  readonly maximumStay: number;
  /** In minor units, or NaN. */
  readonly price: number;
};

/** The nights of all homes, in typed columns, because rows come in any order and a city has millions. */
export type NightsByHome = {
  add(reference: string, night: CalendarNight): 'added' | 'twice' | 'too_far';
  /** The earliest night of all homes; undefined without nights. */
  firstDay(): Day | undefined;
  /** Joins equal nights in a row into periods and moves them by `shift` days; undefined for a home without nights. */
  periodsOf(reference: string, shift: number): NightPeriods | undefined;
};

type HomeNights = { first: Day; last: Day; columns: NightColumns };

type NightColumns = {
  /** The day of the first entry of each column. */
  readonly firstDay: Day;
  /** 0 where there is no row. */
  readonly state: Uint8Array;
  readonly minimumStay: Uint16Array;
  readonly maximumStay: Uint16Array;
  readonly price: Float64Array;
};

/** A published calendar has one year for each home. */
const USUAL_NIGHTS = 366;
/** A night further from another night of the home is an error in the file. */
const MAX_NIGHTS = 1100;
const TAKEN = 1;
const FREE = 2;
const MAX_16_BIT_NUMBER = 2 ** 16 - 1;

export function createNightsByHome(): NightsByHome {
  const homes = new Map<string, HomeNights>();
  let firstDay: Day | undefined;
  // Rows of one home usually follow each other: skip the lookup then.
  let lastReference: string | undefined;
  let lastHome: HomeNights | undefined;

  function homeOf(reference: string, day: Day): HomeNights {
    if (reference === lastReference && lastHome) return lastHome;
    const known = homes.get(reference);
    const home = known ?? { first: day, last: day, columns: emptyColumns(day, USUAL_NIGHTS) };
    if (!known) homes.set(ownText(reference), home);
    [lastReference, lastHome] = [reference, home];
    return home;
  }

  return {
    add(reference, { day, available, minimumStay, maximumStay, price }) {
      const home = homeOf(reference, day);
      const first = Math.min(home.first, day);
      const last = Math.max(home.last, day);
      if (last - first >= MAX_NIGHTS) return 'too_far';
      [home.first, home.last] = [first, last];
      home.columns = widened(home.columns, first, last);
      const { columns } = home;
      const at = day - columns.firstDay;
      if (columns.state[at] !== 0) return 'twice';
      columns.state[at] = available ? FREE : TAKEN;
      columns.minimumStay[at] = Math.min(minimumStay, MAX_16_BIT_NUMBER);
      columns.maximumStay[at] = maximumStay > MAX_16_BIT_NUMBER ? 0 : maximumStay;
      columns.price[at] = price;
      if (firstDay === undefined || day < firstDay) firstDay = day;
      return 'added';
    },
    firstDay: () => firstDay,
    periodsOf(reference, shift) {
      const home = homes.get(reference);
      return home && packPeriods(periodsIn(home.columns, shift));
    },
  };
}

function periodsIn(columns: NightColumns, shift: number): NightPeriod[] {
  const { firstDay, state, minimumStay, maximumStay, price } = columns;
  const periods: NightPeriod[] = [];
  for (let at = 0; at < state.length; at += 1) {
    if (state[at] === 0) continue;
    const start = at;
    while (
      state[at + 1] === state[start] &&
      minimumStay[at + 1] === minimumStay[start] &&
      maximumStay[at + 1] === maximumStay[start] &&
      Object.is(price[at + 1], price[start])
    ) {
      at += 1;
    }
    periods.push({
      from: firstDay + start + shift,
      to: firstDay + at + 1 + shift,
      available: state[start] === FREE,
      minimumStay: minimumStay[start] ?? 1,
      maximumStay: maximumStay[start] ?? 0,
      closedToArrival: false,
      closedToDeparture: false,
      price: price[start] ?? Number.NaN,
    });
  }
  return periods;
}

/** Returns columns that hold all days from the first to the last: the same ones if they do, otherwise wider copies. */
function widened(columns: NightColumns, first: Day, last: Day): NightColumns {
  if (first >= columns.firstDay && last < columns.firstDay + columns.state.length) return columns;
  const size = Math.min(MAX_NIGHTS, Math.max(last - first + 1, columns.state.length * 2));
  const firstDay = first < columns.firstDay ? last + 1 - size : first;
  const wider = emptyColumns(firstDay, size);
  // Entries outside the first and last night are empty and may be cut.
  const from = Math.max(0, firstDay - columns.firstDay);
  const at = columns.firstDay + from - firstDay;
  const to = Math.min(columns.state.length, from + size - at);
  wider.state.set(columns.state.subarray(from, to), at);
  wider.minimumStay.set(columns.minimumStay.subarray(from, to), at);
  wider.maximumStay.set(columns.maximumStay.subarray(from, to), at);
  wider.price.set(columns.price.subarray(from, to), at);
  return wider;
}

function emptyColumns(firstDay: Day, nights: number): NightColumns {
  return {
    firstDay,
    state: new Uint8Array(nights),
    minimumStay: new Uint16Array(nights),
    maximumStay: new Uint16Array(nights),
    price: new Float64Array(nights),
  };
}
