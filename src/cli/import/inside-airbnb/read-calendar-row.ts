import type { PlacedFault } from '../../../connectors/shared/listings/first-fault.ts';
import { found } from '../../../connectors/shared/plain/plain-line.ts';
import { invalid, type Reading, valid } from '../../../parsing/reading.ts';
import { type Day, parseDay } from '../../../stay/day.ts';
import type { CalendarNight } from './nights-by-home.ts';
import type { PriceReader } from './price.ts';
import { type HomeTerms, wholeNumber } from './read-listing-row.ts';
import type { TableRow } from './table.ts';

export const REQUIRED_CALENDAR_COLUMNS: readonly string[] = ['listing_id', 'date', 'available'];

const NO_PRICE = valid(Number.NaN);
/** The same few hundred days come again with every home. */
const MAX_REMEMBERED_DAYS = 5000;

export type CalendarRowReader = (row: TableRow, terms: HomeTerms) => Reading<CalendarNight, PlacedFault>;

/** Prices and rules that a row leaves blank are those of its home. */
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
