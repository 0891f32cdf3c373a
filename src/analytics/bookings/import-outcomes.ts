import type { BrandId } from '../../catalogue/catalogue.ts';
import { type CsvRow, createCsvTable } from '../../parsing/csv.ts';
import type { ReportedBooking } from '../../quotes/booking.ts';
import {
  BOOKING_MEMBERS,
  type BookingMember,
  readBooking,
  type WrittenBooking,
} from '../../quotes/booking.ts';
import { type BookingOutcomes, type JoinQuotesTools, joinQuotes } from './booking-outcomes.ts';

export type ImportedOutcomes = {
  /** The number of bookings in the file. A booking with several lines counts once, by its last line. */
  readonly bookings: number;
  /** The number of bookings that were not stored before. */
  readonly newBookings: number;
  readonly withQuote: number;
  /** Bookings that name a quote of another brand. */
  readonly quotesOfOthers: number;
  /** Bookings that name a quote which the ledger does not hold, or no longer holds. */
  readonly unknownQuotes: number;
  readonly faultyLines: number;
  /** The first of them. */
  readonly faults: readonly BookingLineFault[];
};

const STORED_AT_ONCE = 500;
const MAX_FAULTS_LISTED = 1000;

/** Imports every readable line. A file may be imported again: stored bookings are replaced, not counted twice. */
export async function importOutcomes(
  lines: AsyncIterable<readonly BookingLine[]>,
  {
    ledger,
    outcomes,
    now,
  }: JoinQuotesTools & { readonly outcomes: Pick<BookingOutcomes, 'put' | 'ofQuote'>; readonly now: number },
): Promise<ImportedOutcomes> {
  const bookings = new Map<string, ReportedBooking>();
  const faulty = new Set<number>();
  const faults: BookingLineFault[] = [];
  for await (const some of lines) {
    for (const one of some) {
      if (one.kind === 'booking') {
        bookings.set(one.booking.reference, one.booking);
        continue;
      }
      faulty.add(one.line);
      const { kind: _, ...fault } = one;
      if (faults.length < MAX_FAULTS_LISTED) faults.push(fault);
    }
  }
  let [newBookings, withQuote, quotesOfOthers, unknownQuotes] = [0, 0, 0, 0];
  const all = [...bookings.values()];
  for (let from = 0; from < all.length; from += STORED_AT_ONCE) {
    const some = all.slice(from, from + STORED_AT_ONCE);
    const joined = await joinQuotes(some, { reportedAt: now, collectedAt: null }, { ledger, outcomes });
    newBookings += await outcomes.put(joined.outcomes);
    withQuote += joined.outcomes.filter(({ quote }) => quote !== null).length;
    quotesOfOthers += joined.quotesOfOthers;
    unknownQuotes += joined.unknownQuotes;
  }
  const counts = { bookings: all.length, newBookings, withQuote, quotesOfOthers, unknownQuotes };
  return { ...counts, faultyLines: faulty.size, faults };
}

/** A line of a file: a booking, or one fault. */
export type BookingLine =
  | { readonly kind: 'booking'; readonly line: number; readonly booking: ReportedBooking }
  | ({ readonly kind: 'fault' } & BookingLineFault);

export type BookingLineFault = {
  readonly line: number;
  /** Null for the whole line. */
  readonly column: BookingMember | null;
  /** Completes the sentence "<column or the line> …". */
  readonly reason: string;
  /** The text in the file, shortened; null for the whole line or an empty cell. */
  readonly value: string | null;
  readonly remedy: string;
};

const MAX_SHOWN_CHARACTERS = 60;
const BROKEN_LINE_REMEDY =
  'give it as many cells as the header has; a cell with a comma, a quote or a line break stands in quotes';

type FileContext = { readonly brand: BrandId; readonly now: number; readonly file: string };

/**
 * Streams a CSV file of bookings (RFC 4180, UTF-8, a header with the columns in any order). Ignores other columns. Throws a `CsvFailure`
 * for a file that is no such table.
 */
export async function* readBookingsFile(
  chunks: AsyncIterable<Uint8Array>,
  context: FileContext,
): AsyncGenerator<readonly BookingLine[]> {
  const decoder = new TextDecoder('utf-8');
  const reader = createBookingsFileReader(context);
  for await (const chunk of chunks) yield reader.push(decoder.decode(chunk, { stream: true }));
  yield reader.push(decoder.decode());
  yield reader.end();
}

type BookingsFileReader = {
  /** Returns the lines that this text completes. */
  push(text: string): readonly BookingLine[];
  end(): readonly BookingLine[];
};

export function createBookingsFileReader(context: FileContext): BookingsFileReader {
  const table = createCsvTable({
    file: context.file,
    required: BOOKING_MEMBERS,
    faultOf: (reason) => reason,
  });
  const linesOf = (rows: readonly CsvRow<string>[]) => rows.flatMap((row) => readRow(row, context));
  return { push: (text) => linesOf(table.push(text)), end: () => linesOf(table.end()) };
}

function readRow(
  { line, cell, fault }: CsvRow<string>,
  context: { readonly brand: BrandId; readonly now: number },
): readonly BookingLine[] {
  if (fault !== null) {
    return [{ kind: 'fault', line, column: null, reason: fault, value: null, remedy: BROKEN_LINE_REMEDY }];
  }
  const written: WrittenBooking = {
    reference: cell('reference'),
    quote: cell('quote'),
    status: cell('status').toLowerCase(),
    booked_at: cell('booked_at'),
    amount: cell('amount'),
    currency: cell('currency').toUpperCase(),
  };
  const reading = readBooking(written, context);
  if (reading.kind === 'valid') return [{ kind: 'booking', line, booking: reading.value }];
  return reading.faults.map(({ member, reason, remedy }) => ({
    kind: 'fault',
    line,
    column: member,
    reason,
    value: cell(member) === '' ? null : cell(member).slice(0, MAX_SHOWN_CHARACTERS),
    remedy,
  }));
}
