import { type ActivityStore, type CountedLabels, mostCountedOf } from '../../analytics/activity-store.ts';
import { type Count, startOfHour } from '../../analytics/count.ts';
import type { Clock } from '../../clock.ts';
import { storableText } from '../../parsing/printable.ts';
import { deleteOldFrom, type PostgresQueries } from './connection.ts';

const LABELS = 'brand, assistant, place, facet, reason';

/** One row for each count that changes: sums duplicates of a batch. */
const SUMMED_ROWS = `
  SELECT one ->> 0 AS measure, (one ->> 1)::bigint AS hour, one ->> 2 AS brand, one ->> 3 AS assistant, one ->> 4 AS place,
    one ->> 5 AS facet, one ->> 6 AS reason, sum((one ->> 7)::double precision) AS counted, sum((one ->> 8)::double precision) AS summed
  FROM json_array_elements($1::json) AS one
  GROUP BY 1, 2, 3, 4, 5, 6, 7`;

/**
 * One statement, so all or nothing. Adds nothing of a batch that was added before. Always in the same order, so that nodes that add at the
 * same time cannot deadlock.
 */
const ADD_BATCH = `
  WITH fresh AS (INSERT INTO activity_batch (id) VALUES ($2) ON CONFLICT DO NOTHING RETURNING id)
  INSERT INTO activity_count (measure, hour, ${LABELS}, counted, summed)
  SELECT measure, hour, ${LABELS}, counted, summed FROM (${SUMMED_ROWS}) AS added WHERE EXISTS (SELECT FROM fresh)
  ORDER BY measure COLLATE "C", hour, brand COLLATE "C", assistant COLLATE "C", place COLLATE "C", facet COLLATE "C", reason COLLATE "C"
  ON CONFLICT (measure, hour, ${LABELS}) DO UPDATE
    SET counted = activity_count.counted + excluded.counted, summed = activity_count.summed + excluded.summed`;

/** How long a batch can be sent again without being counted twice. Deletes more than were added, so that the table stays small. */
const FORGET_OLD_BATCHES = `
  DELETE FROM activity_batch WHERE id IN (
    SELECT id FROM activity_batch WHERE added_at < clock_timestamp() - interval '1 day' ORDER BY added_at LIMIT 2 FOR UPDATE SKIP LOCKED
  )`;

const FORGET_BATCHES_BEFORE = `
  DELETE FROM activity_batch WHERE id IN (
    SELECT id FROM activity_batch WHERE added_at < to_timestamp($1::double precision / 1000) ORDER BY added_at LIMIT $2 FOR UPDATE SKIP LOCKED
  )`;

const DELETE_OLD = deleteOldFrom('activity_count', 'hour');

export function createPostgresActivityStore(
  queries: PostgresQueries,
  clock: Pick<Clock, 'now'>,
): ActivityStore {
  return {
    async add({ id, counts }) {
      await queries.query(ADD_BATCH, [countsAsJson(counts), id]);
      // The batch is added even if this fails.
      await queries.query(FORGET_OLD_BATCHES).catch(() => {});
    },

    async read({ measures, from, to, brand, byHour = false }) {
      return queries.query<CountedLabels>(
        `SELECT measure, ${byHour ? 'hour' : 'NULL AS hour'}, ${LABELS}, sum(counted) AS count, sum(summed) AS sum
         FROM activity_count
         WHERE measure = ANY($1) AND hour BETWEEN $2 AND $3 ${brand === undefined ? '' : 'AND brand = $4'}
         GROUP BY measure, ${byHour ? 'activity_count.hour, ' : ''}${LABELS} HAVING sum(counted) <> 0 OR sum(summed) <> 0`,
        [measures, from, to, ...(brand === undefined ? [] : [brand])],
      );
    },

    async mostCounted({ measure, from, to, brand, atLeast, limit }) {
      const rows = await queries.query<{ facet: string; counted: number }>(
        `SELECT facet, sum(counted) AS counted FROM activity_count
         WHERE measure = $1 AND hour BETWEEN $2 AND $3 ${brand === undefined ? '' : 'AND brand = $4'} GROUP BY facet`,
        [measure, from, to, ...(brand === undefined ? [] : [brand])],
      );
      return mostCountedOf(new Map(rows.map(({ facet, counted }) => [facet, counted])), atLeast, limit);
    },

    async span() {
      const [span] = await queries.query<{ from: number | null; to: number | null }>(
        'SELECT min(hour) AS from, max(hour) AS to FROM activity_count',
      );
      return span === undefined || span.from === null || span.to === null
        ? null
        : { from: span.from, to: span.to };
    },

    async deleteBefore(hour, limit) {
      await queries.query(FORGET_BATCHES_BEFORE, [startOfHour(hour), limit]);
      const [deleted] = await queries.query<{ rows: number }>(DELETE_OLD, [hour, limit, clock.now()]);
      return deleted?.rows ?? 0;
    },
  };
}

/** Arrays, whose JSON is half as long as that of objects. */
function countsAsJson(counts: readonly Count[]): string {
  return JSON.stringify(
    counts.map(({ measure, hour, brand, assistant, place, facet, reason, count, sum }) => [
      measure,
      hour,
      ...[brand, assistant, place, facet, reason].map(storableText),
      count,
      sum,
    ]),
  );
}
