import type { DatabaseSync } from 'node:sqlite';
import type { OwnerSetting } from '../../access/owner-settings.ts';
import {
  type CountedLabels,
  type CountQuestion,
  type HourSpan,
  type MostCounted,
  type MostCountedQuestion,
  mostCountedOf,
} from '../../analytics/activity-store.ts';
import { type BookingOutcomes, mergeReport } from '../../analytics/bookings/booking-outcomes.ts';
import { type Count, type Measure, startOfHour } from '../../analytics/count.ts';
import { storableText } from '../../parsing/printable.ts';
import type { BookingOutcome, BookingStatus } from '../../quotes/booking.ts';
import type { BrandControl } from '../../sync/brand-controls.ts';
import type { OwnerStore } from '../storage.ts';
import { numberIn, type SqliteRow, textIn } from './database.ts';
import type { GroupCommit } from './group-commit.ts';

export const ACTIVITY_FILE = 'activity.sqlite';

/** Reads and changes of `activity.sqlite`, each within a transaction. */
export type ActivityTables = ReturnType<typeof createActivityTables>;

export function createActivityTables(database: DatabaseSync) {
  const allControls = database.prepare('SELECT brand, paused_at, reading_requested_at FROM brand_control');
  const pause = database.prepare(
    `INSERT INTO brand_control (brand, paused_at) VALUES (?, ?)
     ON CONFLICT DO UPDATE SET paused_at = coalesce(paused_at, excluded.paused_at)`,
  );
  const resume = database.prepare(
    'INSERT INTO brand_control (brand) VALUES (?) ON CONFLICT DO UPDATE SET paused_at = NULL',
  );
  const requestReading = database.prepare(
    `INSERT INTO brand_control (brand, reading_requested_at) VALUES (?, ?)
     ON CONFLICT DO UPDATE SET reading_requested_at = max(coalesce(reading_requested_at, 0), excluded.reading_requested_at)`,
  );
  const setting = database.prepare('SELECT value FROM owner_setting WHERE name = ?');
  const setSetting = database.prepare('INSERT OR REPLACE INTO owner_setting (name, value) VALUES (?, ?)');

  return {
    ...createCountTable(database),
    ...createOutcomeTable(database),

    controls(): BrandControl[] {
      return allControls.all().map((row) => ({
        brand: textIn(row, 'brand'),
        pausedAt: row.paused_at === null ? null : numberIn(row, 'paused_at'),
        readingRequestedAt: row.reading_requested_at === null ? null : numberIn(row, 'reading_requested_at'),
      }));
    },
    setPaused(brand: string, isPaused: boolean, at: number): void {
      if (isPaused) pause.run(brand, at);
      else resume.run(brand);
    },
    requestReading(brand: string, at: number): void {
      requestReading.run(brand, at);
    },
    setting(name: OwnerSetting): string | null {
      const row = setting.get(name);
      return row ? textIn(row, 'value') : null;
    },
    setSetting(name: OwnerSetting, value: string): void {
      setSetting.run(name, value);
    },
  };
}

/** The ports over these tables, in this thread or another. */
export function ownerStoreOver(call: GroupCommit<ActivityTables>['call']): OwnerStore {
  return {
    activity: {
      add: ({ id, at, counts }) => call('addCounts', [id, at, counts]),
      read: (question) => call('readCounts', [question]),
      mostCounted: (question) => call('mostCounted', [question]),
      span: () => call('countSpan', []),
      deleteBefore: (hour, limit) => call('deleteCounts', [hour, limit]),
    },
    controls: {
      all: () => call('controls', []),
      setPaused: (brand, isPaused, at) => call('setPaused', [brand, isPaused, at]),
      requestReading: (brand, at) => call('requestReading', [brand, at]),
    },
    outcomes: {
      put: (outcomes) => call('putOutcomes', [outcomes]),
      read: (question) => call('readOutcomes', [question]),
      ofQuote: (quote, limit) => call('outcomesOfQuote', [quote, limit]),
      known: (brand, references) => call('knownOutcomes', [brand, references]),
      count: (brand) => call('countOutcomes', [brand]),
      lastCollectedAt: (brand) => call('lastCollectedAt', [brand]),
      deleteBefore: (bookedAt, limit) => call('deleteOutcomes', [bookedAt, limit]),
    },
    owner: {
      get: (name) => call('setting', [name]),
      set: (name, value) => call('setSetting', [name, value]),
    },
  };
}

const LABELS = 'brand, assistant, place, facet, reason';
/** How long a batch can be sent again without being counted twice. */
const BATCH_LIFE_MS = 24 * 60 * 60 * 1000;

/** Counts by the hour. */
function createCountTable(database: DatabaseSync) {
  const insertBatch = database.prepare('INSERT OR IGNORE INTO activity_batch (id, sent_at) VALUES (?, ?)');
  const forgetBatches = database.prepare(
    'DELETE FROM activity_batch WHERE id IN (SELECT id FROM activity_batch WHERE sent_at < ? ORDER BY sent_at LIMIT ?)',
  );
  const add = database.prepare(
    `INSERT INTO activity_count (measure, hour, ${LABELS}, counted, summed) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET counted = counted + excluded.counted, summed = summed + excluded.summed`,
  );
  const span = database.prepare('SELECT min(hour) AS first, max(hour) AS last FROM activity_count');
  const deleteOld = database.prepare(
    `DELETE FROM activity_count WHERE (measure, hour, ${LABELS}) IN
       (SELECT measure, hour, ${LABELS} FROM activity_count WHERE hour < ? ORDER BY hour LIMIT ?)`,
  );

  return {
    addCounts(id: string, at: number, counts: readonly Count[]): void {
      if (insertBatch.run(id, at).changes === 0) return;
      // Deletes more than were added, so that the table stays small.
      forgetBatches.run(at - BATCH_LIFE_MS, 2);
      for (const { measure, hour, brand, assistant, place, facet, reason, count, sum } of counts) {
        const labels = [brand, assistant, place, facet, reason].map(storableText);
        add.run(measure, hour, ...labels, count, sum);
      }
    },

    readCounts({ measures, from, to, brand, byHour = false }: CountQuestion): CountedLabels[] {
      const sums = database.prepare(
        `SELECT measure, ${byHour ? 'hour' : 'NULL'} AS hour, ${LABELS}, total(counted) AS count, total(summed) AS sum FROM activity_count
         WHERE measure IN (SELECT value FROM json_each(?)) AND hour BETWEEN ? AND ? ${brand === undefined ? '' : 'AND brand = ?'}
         GROUP BY measure, ${byHour ? 'hour, ' : ''}${LABELS} HAVING total(counted) <> 0 OR total(summed) <> 0`,
      );
      const ofBrand = brand === undefined ? [] : [brand];
      return sums.all(JSON.stringify(measures), from, to, ...ofBrand).map((row) => ({
        measure: textIn(row, 'measure') as Measure,
        hour: row.hour === null ? null : numberIn(row, 'hour'),
        brand: textIn(row, 'brand'),
        assistant: textIn(row, 'assistant'),
        place: textIn(row, 'place'),
        facet: textIn(row, 'facet'),
        reason: textIn(row, 'reason'),
        count: numberIn(row, 'count'),
        sum: numberIn(row, 'sum'),
      }));
    },

    mostCounted({ measure, from, to, brand, atLeast, limit }: MostCountedQuestion): MostCounted {
      const ofBrand = brand === undefined ? [] : [brand];
      const rows = database
        .prepare(
          `SELECT facet, total(counted) AS counted FROM activity_count
           WHERE measure = ? AND hour BETWEEN ? AND ? ${brand === undefined ? '' : 'AND brand = ?'} GROUP BY facet`,
        )
        .all(measure, from, to, ...ofBrand);
      const totals = new Map(rows.map((row) => [textIn(row, 'facet'), numberIn(row, 'counted')]));
      return mostCountedOf(totals, atLeast, limit);
    },

    countSpan(): HourSpan | null {
      const row = span.get();
      return typeof row?.first === 'number' ? { from: row.first, to: numberIn(row, 'last') } : null;
    },

    deleteCounts(beforeHour: number, limit: number): number {
      forgetBatches.run(startOfHour(beforeHour), limit);
      return Number(deleteOld.run(beforeHour, limit).changes);
    },
  };
}

/** Bookings reported by operators. */
function createOutcomeTable(database: DatabaseSync) {
  const known = database.prepare('SELECT * FROM booking_outcome WHERE brand = ? AND reference = ?');
  const put = database.prepare(
    `INSERT OR REPLACE INTO booking_outcome (brand, reference, nxq, status, booked_at, amount, currency, reported_at, collected_at, quote)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  // The index by time contains the whole key of the table, so that a page can begin where the last one ended.
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

function outcomeIn(row: SqliteRow): BookingOutcome {
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
