import type { ReportedBooking } from '../../quotes/booking.ts';
import type { BookingOutcomes } from './booking-outcomes.ts';
import { type JoinQuotesTools, joinQuotes } from './join-quotes.ts';
import type { BookingLine, BookingLineFault } from './read-bookings-file.ts';

export type ImportedOutcomes = {
  /** How many bookings the file names; one that it names twice counts once, as its last line says. */
  readonly bookings: number;
  /** How many of them were not known before. */
  readonly newBookings: number;
  readonly withQuote: number;
  /** Name a quote that another brand gave, which is not theirs. */
  readonly quotesOfOthers: number;
  /** Name a quote that is not, or no longer, in the ledger. */
  readonly unknownQuotes: number;
  readonly faultyLines: number;
  /** The first of them. */
  readonly faults: readonly BookingLineFault[];
};

const STORED_AT_ONCE = 500;
const MAX_FAULTS_LISTED = 1000;

/** Takes every line that can be read. A file may be imported again: what is known already is replaced, not counted twice. */
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
