import type { DatabaseSync } from 'node:sqlite';
import type {
  CountQuestion,
  HourSpan,
  MostCounted,
  MostCountedQuestion,
} from '../../analytics/activity-store.ts';
import { startOfHour } from '../../analytics/count.ts';
import { type CountRow, type MostCountedRow, mostCountedIn } from '../count-rows.ts';
import { numberIn, type SqliteRow, textIn } from './columns.ts';
import { inTransaction } from './database.ts';

const LABELS = 'brand, assistant, place, facet, reason';
/** How long a batch can be sent again without being counted twice. */
const BATCHES_KEPT_MS = 24 * 60 * 60 * 1000;

/** Counts by the hour. Rows cross in and out as JSON of `CountRow`: a text changes threads in half the time of its objects. */
export function createCountTable(database: DatabaseSync) {
  const rememberBatch = database.prepare('INSERT OR IGNORE INTO activity_batch (id, sent_at) VALUES (?, ?)');
  const forgetBatches = database.prepare(
    'DELETE FROM activity_batch WHERE id IN (SELECT id FROM activity_batch WHERE sent_at < ? ORDER BY sent_at LIMIT ?)',
  );
  const add = database.prepare(
    `INSERT INTO activity_count (measure, hour, ${LABELS}, counted, summed) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET counted = counted + excluded.counted, summed = summed + excluded.summed`,
  );
  // One look for each measure at either end of its hours. An index by hour would be as large as the table.
  const hoursByMeasure = database.prepare(
    `WITH RECURSIVE known (measure) AS (
       SELECT min(measure) FROM activity_count
       UNION ALL
       SELECT (SELECT min(measure) FROM activity_count WHERE measure > known.measure) FROM known WHERE measure IS NOT NULL
     )
     SELECT measure, (SELECT min(hour) FROM activity_count AS one WHERE one.measure = known.measure) AS first,
       (SELECT max(hour) FROM activity_count AS one WHERE one.measure = known.measure) AS last
     FROM known WHERE measure IS NOT NULL`,
  );
  const deleteSome = database.prepare(
    `DELETE FROM activity_count WHERE (measure, hour, ${LABELS}) IN
       (SELECT measure, hour, ${LABELS} FROM activity_count WHERE measure = ? AND hour = ? LIMIT ?)`,
  );

  function spans(): readonly (HourSpan & { readonly measure: string })[] {
    return hoursByMeasure.all().map((row) => ({
      measure: textIn(row, 'measure'),
      from: numberIn(row, 'first'),
      to: numberIn(row, 'last'),
    }));
  }

  return {
    addCounts(batch: { readonly id: string; readonly at: number }, rows: string): void {
      inTransaction(database, () => {
        if (rememberBatch.run(batch.id, batch.at).changes === 0) return;
        // More than are added, so that there are never many.
        forgetBatches.run(batch.at - BATCHES_KEPT_MS, 2);
        for (const row of JSON.parse(rows) as readonly CountRow[]) add.run(...row);
      });
    },

    readCounts({ measures, from, to, brand, byHour = false }: CountQuestion): string {
      const sum = database.prepare(
        `SELECT measure, ${byHour ? 'hour' : 'NULL'}, ${LABELS}, total(counted), total(summed) FROM activity_count
         WHERE measure IN (SELECT value FROM json_each(?)) AND hour BETWEEN ? AND ? ${brand === undefined ? '' : 'AND brand = ?'}
         GROUP BY measure, ${byHour ? 'hour, ' : ''}${LABELS} HAVING total(counted) <> 0 OR total(summed) <> 0`,
      );
      sum.setReturnArrays(true);
      return JSON.stringify(
        sum.all(JSON.stringify(measures), from, to, ...(brand === undefined ? [] : [brand])),
      );
    },

    mostCounted({ measure, from, to, brand, atLeast, limit }: MostCountedQuestion): MostCounted {
      // One statement, so that all of it is of one moment.
      const rows = database
        .prepare(
          `WITH counted AS MATERIALIZED (
             SELECT facet, total(counted) AS counted FROM activity_count
             WHERE measure = :measure AND hour BETWEEN :from AND :to ${brand === undefined ? '' : 'AND brand = :brand'}
             GROUP BY facet HAVING total(counted) > 0
           )
           SELECT totals.enough, totals.fewer, totals.unnamed, most.facet, most.counted
           FROM (
             SELECT count(*) FILTER (WHERE facet <> '' AND counted >= :least) AS enough,
               count(*) FILTER (WHERE facet <> '' AND counted < :least) AS fewer,
               total(counted) FILTER (WHERE facet = '') AS unnamed
             FROM counted
           ) AS totals LEFT JOIN (
             SELECT facet, counted FROM counted WHERE facet <> '' AND counted >= :least ORDER BY counted DESC, facet LIMIT :limit
           ) AS most ON TRUE
           ORDER BY most.counted DESC, most.facet`,
        )
        .all({
          ...{ ':measure': measure, ':from': from, ':to': to, ':least': atLeast, ':limit': limit },
          ...(brand === undefined ? {} : { ':brand': brand }),
        });
      return mostCountedIn(rows.map(mostCountedRow), limit);
    },

    countSpan(): HourSpan | null {
      const all = spans();
      if (all.length === 0) return null;
      return { from: Math.min(...all.map(({ from }) => from)), to: Math.max(...all.map(({ to }) => to)) };
    },

    deleteCounts(beforeHour: number, limit: number): number {
      return inTransaction(database, () => {
        forgetBatches.run(startOfHour(beforeHour), limit);
        let deleted = 0;
        while (deleted < limit) {
          const [oldest] = spans().toSorted((one, other) => one.from - other.from);
          if (!oldest || oldest.from >= beforeHour) break;
          deleted += Number(deleteSome.run(oldest.measure, oldest.from, limit - deleted).changes);
        }
        return deleted;
      });
    },
  };
}

function mostCountedRow(row: SqliteRow): MostCountedRow {
  const totals = {
    enough: numberIn(row, 'enough'),
    fewer: numberIn(row, 'fewer'),
    unnamed: numberIn(row, 'unnamed'),
  };
  return row.facet === null
    ? { ...totals, facet: null, counted: null }
    : { ...totals, facet: textIn(row, 'facet'), counted: numberIn(row, 'counted') };
}
