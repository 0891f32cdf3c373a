import type { DatabaseSync } from 'node:sqlite';
import type { BookingOutcomes } from '../../analytics/bookings/booking-outcomes.ts';
import { mergeReport } from '../../analytics/bookings/booking-outcomes.ts';
import type { BookingOutcome, BookingStatus } from '../../quotes/booking.ts';
import { storableText } from '../storable-text.ts';
import { numberIn, type SqliteRow, textIn } from './columns.ts';
import { inTransaction } from './database.ts';

/** Bookings that operators have reported. */
export function createOutcomeTable(database: DatabaseSync) {
  const known = database.prepare('SELECT * FROM booking_outcome WHERE brand = ? AND reference = ?');
  const put = database.prepare(
    `INSERT OR REPLACE INTO booking_outcome (brand, reference, nxq, status, booked_at, amount, currency, reported_at, collected_at, quote)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  // The index by time has the whole key, because the table is kept by it: a page begins where the one before it ended.
  const inTime =
    'SELECT * FROM booking_outcome WHERE (booked_at, brand, reference) > (?, ?, ?) AND booked_at < ?';
  const oldestFirst = 'ORDER BY booked_at, brand, reference LIMIT ?';
  const readAll = database.prepare(`${inTime} ${oldestFirst}`);
  const readOfBrand = database.prepare(`${inTime} AND brand = ? ${oldestFirst}`);
  const ofQuote = database.prepare(
    'SELECT * FROM booking_outcome WHERE nxq = ? AND brand = ? ORDER BY booked_at DESC LIMIT ?',
  );
  const countOf = database.prepare('SELECT count(*) AS outcomes FROM booking_outcome WHERE brand = ?');
  const lastReport = database.prepare(
    'SELECT max(collected_at) AS last FROM booking_outcome WHERE brand = ?',
  );
  const deleteOld = database.prepare(
    `DELETE FROM booking_outcome WHERE (brand, reference) IN
       (SELECT brand, reference FROM booking_outcome WHERE booked_at < ? ORDER BY booked_at LIMIT ?)`,
  );

  return {
    putOutcomes(outcomes: readonly BookingOutcome[]): number {
      return inTransaction(database, () => {
        let added = 0;
        for (const reported of outcomes) {
          const storedAs = [storableText(reported.brand), storableText(reported.reference)] as const;
          const row = known.get(...storedAs);
          if (!row) added += 1;
          const { nxq, status, bookedAt, amount, currency, reportedAt, collectedAt, quote } = mergeReport(
            row && outcomeIn(row),
            reported,
          );
          put.run(
            ...storedAs,
            ...[nxq === null ? null : storableText(nxq), status, bookedAt, amount, currency],
            ...[reportedAt, collectedAt, quote === null ? null : JSON.stringify(quote)],
          );
        }
        return added;
      });
    },

    readOutcomes(question: Parameters<BookingOutcomes['read']>[0]): BookingOutcome[] {
      const { from, before, brand, limit } = question;
      // No brand or reference is empty.
      const after = question.after ?? { bookedAt: from, brand: '', reference: '' };
      const time = [after.bookedAt, after.brand, after.reference, before] as const;
      const rows = brand === undefined ? readAll.all(...time, limit) : readOfBrand.all(...time, brand, limit);
      return rows.map(outcomeIn);
    },

    outcomesOfQuote: (
      { nxq, brand }: Parameters<BookingOutcomes['ofQuote']>[0],
      limit: number,
    ): BookingOutcome[] => ofQuote.all(nxq, brand, limit).map(outcomeIn),

    knownOutcomes: (brand: string, references: readonly string[]): readonly string[] =>
      references.filter((reference) => known.get(brand, storableText(reference)) !== undefined),

    countOutcomes: (brand: string): number => numberIn(countOf.get(brand) ?? {}, 'outcomes'),

    lastCollectedAt(brand: string): number | null {
      const row = lastReport.get(brand);
      return row && row.last !== null ? numberIn(row, 'last') : null;
    },

    deleteOutcomes: (bookedBefore: number, limit: number): number =>
      Number(deleteOld.run(bookedBefore, limit).changes),
  };
}

export function outcomeIn(row: SqliteRow): BookingOutcome {
  return {
    brand: textIn(row, 'brand'),
    reference: textIn(row, 'reference'),
    nxq: row.nxq === null ? null : textIn(row, 'nxq'),
    status: textIn(row, 'status') as BookingStatus,
    bookedAt: numberIn(row, 'booked_at'),
    amount: numberIn(row, 'amount'),
    currency: textIn(row, 'currency'),
    reportedAt: numberIn(row, 'reported_at'),
    collectedAt: row.collected_at === null ? null : numberIn(row, 'collected_at'),
    quote: row.quote === null ? null : JSON.parse(textIn(row, 'quote')),
  };
}
