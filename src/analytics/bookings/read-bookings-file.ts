import type { BrandId } from '../../catalogue/catalogue.ts';
import { type CsvRow, createCsvTable } from '../../parsing/csv.ts';
import type { ReportedBooking } from '../../quotes/booking.ts';
import {
  BOOKING_MEMBERS,
  type BookingMember,
  readBooking,
  type WrittenBooking,
} from '../../quotes/read-booking.ts';

/** A line of a file: a booking, or one thing that is wrong with it. */
export type BookingLine =
  | { readonly kind: 'booking'; readonly line: number; readonly booking: ReportedBooking }
  | ({ readonly kind: 'fault' } & BookingLineFault);

export type BookingLineFault = {
  readonly line: number;
  /** Null for the line as a whole. */
  readonly column: BookingMember | null;
  /** Completes the sentence "<column or the line> …". */
  readonly reason: string;
  /** As it stands in the file, shortened; null where a line as a whole is meant, or where nothing stands. */
  readonly value: string | null;
  readonly remedy: string;
};

const MAX_SHOWN_CHARACTERS = 60;
const BROKEN_LINE_REMEDY =
  'give it as many cells as the header has; a cell with a comma, a quote or a line break stands in quotes';

type FileContext = { readonly brand: BrandId; readonly now: number; readonly file: string };

/**
 * Reads a CSV file of bookings (RFC 4180, UTF-8, the header names the columns in any order) as it comes. Columns that are not named here are
 * not looked at. Throws a `CsvFailure` for a file that is no such table.
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

export type BookingsFileReader = {
  /** The lines that end in what was pushed so far. */
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
