import { ImportFailure } from '../../src/imports/import-failure.ts';
import { createNightsByHome } from '../../src/imports/inside-airbnb/nights-by-home.ts';
import { createPriceReader } from '../../src/imports/inside-airbnb/price.ts';
import { createCalendarRowReader } from '../../src/imports/inside-airbnb/read-calendar-row.ts';
import { readListingRow } from '../../src/imports/inside-airbnb/read-listing-row.ts';
import { createTableReader } from '../../src/imports/inside-airbnb/table.ts';
import { createCollectedCalendars } from '../../src/operators/collected-calendars.ts';
import { parseFeed } from '../../src/operators/icalendar/parse-feed.ts';
import { readPlainLines } from '../../src/operators/imported/read-plain-lines.ts';
import type { IntakeParameters, IntakeTaskName } from '../../src/operators/intake/intake.ts';
import type { IntakeTask } from '../../src/operators/intake/task.ts';
import { INTAKE_TASKS } from '../../src/operators/intake/tasks.ts';
import { readListing } from '../../src/operators/listing-reader.ts';
import { readCalendars } from '../../src/operators/open/read-calendars.ts';
import { readQuotes } from '../../src/operators/open/read-quotes.ts';
import { canBook } from '../../src/operators/rate-card/can-book.ts';
import { priceStay } from '../../src/operators/rate-card/price-stay.ts';
import { calendarOf } from '../../src/operators/rate-card/rate-card-calendar.ts';
import { readRateCard } from '../../src/operators/rate-card/read-rate-card.ts';
import { BookingSystemFailure, type Horizon } from '../../src/quotes/booking-system.ts';
import { TODAY } from '../support/network.ts';
import { plainContext } from '../support/plain-listing.ts';

/** The readers of what operators send, called in one place: here a change of theirs is followed. */
export const HORIZON: Horizon = { from: TODAY, nights: 540 };
export const ASKED: readonly string[] = ['a', 'b', 'c'];

/** Undefined where the reader refuses the document as a whole, as it may. */
function unlessRefused<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch (failure) {
    if (failure instanceof BookingSystemFailure) return undefined;
    throw failure;
  }
}

export const listingFrom = (value: unknown) => readListing(value, plainContext);

const encoder = new TextEncoder();
const currencies = new Map(ASKED.map((reference) => [reference, 'EUR']));

export const calendarsFrom = (text: string) =>
  unlessRefused(
    () => new Map(readCalendars(encoder.encode(text), { asked: ASKED, horizon: HORIZON, currencies })),
  );

export const quotesFrom = (text: string) =>
  unlessRefused(() => [...readQuotes(encoder.encode(text), { asked: ASKED, currency: 'EUR' })]);

/** What a task of the intake finds in an answer of a vendor. */
export const vendorAnswerFrom = <Name extends IntakeTaskName>(
  task: Name,
  text: string,
  parameters: IntakeParameters<Name>,
): readonly unknown[] | undefined =>
  unlessRefused(() => {
    const read = INTAKE_TASKS[task] as IntakeTask<unknown, unknown, unknown>;
    return [...read(encoder.encode(text), parameters, plainContext.places)];
  });

export const feedFrom = (text: string) => parseFeed(encoder.encode(text), 'Europe/Lisbon');

/** The card of a text, with the calendar and the price of a stay in each of its homes. */
export function pricedCardFrom(text: string) {
  const entries = unlessRefused(() => [
    ...readRateCard(encoder.encode(text), plainContext, plainContext.places),
  ]);
  return entries?.map(({ property, rates, booked }) => {
    const { currency, maxGuests, leadDays } = property;
    const stay = { checkIn: TODAY + 40, checkOut: TODAY + 47, guests: 2 };
    canBook({ rates, currency, booked, maxGuests, leadDays, today: TODAY, ...stay });
    return { calendar: calendarOf({ rates, booked, currency, horizon: HORIZON }), price: exactPrice() };

    /** A price that is too large to be exact is a RangeError, which the booking system answers as a failure. */
    function exactPrice() {
      try {
        return priceStay({ rates, currency, ...stay });
      } catch (fault) {
        if (fault instanceof RangeError) return undefined;
        throw fault;
      }
    }
  });
}

/** The homes and calendars of a text in the plain format. */
export function plainLinesFrom(text: string) {
  const items = [
    ...readPlainLines(encoder.encode(text), { ...plainContext, firstLine: 1 }, plainContext.places),
  ];
  const calendars = createCollectedCalendars();
  for (const item of items) {
    if (item.kind === 'calendar') calendars.add(item.reference, item.line, item.periods);
    else if (item.kind === 'refused_calendar') calendars.refuse(item.reference, item.fault);
  }
  return {
    items,
    calendars: Array.from(calendars.references(), (reference) => calendars.of(reference, 'EUR')),
  };
}

/** The rows of a published table in pieces; undefined when it is refused as a whole, as it may be. */
function rowsFrom(text: string, piece: number) {
  try {
    const table = createTableReader('table.csv', []);
    const rows = [];
    for (let from = 0; from < text.length; from += piece)
      rows.push(...table.push(text.slice(from, from + piece)));
    return [...rows, ...table.end()];
  } catch (failure) {
    if (failure instanceof ImportFailure) return undefined;
    throw failure;
  }
}

export function listingRowsFrom(text: string, piece: number) {
  const city = { place: 'lisbon-pt', city: 'Lisbon', currency: 'EUR' };
  return rowsFrom(text, piece)?.map((row) => readListingRow(row, city));
}

export function nightsFrom(text: string, piece: number) {
  const readRow = createCalendarRowReader(createPriceReader('EUR'));
  const nights = createNightsByHome();
  const terms = { price: '', minimumStay: 1, maximumStay: 0 };
  for (const row of rowsFrom(text, piece) ?? []) {
    const reading = readRow(row, terms);
    if (reading.kind === 'valid') nights.add('home', reading.value);
  }
  return nights.periodsOf('home', 0);
}
