import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CountedLabels, MostCounted } from '../analytics/activity-store.ts';
import type { Count, Measure } from '../analytics/count.ts';

/** A count as an array: a batch crosses to its store as JSON, which is then half as long. */
export type CountRow = readonly [
  measure: Measure,
  hour: number | null,
  brand: string,
  assistant: string,
  place: string,
  facet: string,
  reason: string,
  count: number,
  sum: number,
];

/** Writing this many takes less than a millisecond. */
const COUNTS_IN_A_TURN = 500;

/** A JSON array of rows. Yields the event loop between parts of a large batch, as after an outage. */
export async function countsAsJson(counts: readonly Count[]): Promise<string> {
  const parts: string[] = [];
  for (let from = 0; from < counts.length; from += COUNTS_IN_A_TURN) {
    if (from > 0) await nextTurn();
    const rows = counts.slice(from, from + COUNTS_IN_A_TURN).map(countRow);
    parts.push(JSON.stringify(rows).slice(1, -1));
  }
  return `[${parts.join(',')}]`;
}

export function countedLabels(row: CountRow): CountedLabels {
  const [measure, hour, brand, assistant, place, facet, reason, count, sum] = row;
  return { measure, hour, brand, assistant, place, facet, reason, count, sum };
}

export function countRow(one: Count): CountRow {
  const [brand, assistant] = [storableText(one.brand), storableText(one.assistant)];
  const [place, facet, reason] = [storableText(one.place), storableText(one.facet), storableText(one.reason)];
  return [one.measure, one.hour, brand, assistant, place, facet, reason, one.count, one.sum];
}

/** A row of the databases' answer: the totals with each facet, or one row without a facet when there is none. */
export type MostCountedRow = {
  readonly enough: number;
  readonly fewer: number;
  readonly unnamed: number;
  readonly facet: string | null;
  readonly counted: number | null;
};

export function mostCountedIn(rows: readonly MostCountedRow[], limit: number): MostCounted {
  const { enough = 0, fewer = 0, unnamed = 0 } = rows[0] ?? {};
  const facets = rows.flatMap(({ facet, counted }) =>
    facet === null || counted === null ? [] : [{ facet, count: counted }],
  );
  return { facets, beyondLimit: Math.max(0, enough - limit), fewer, unnamed };
}

/** PostgreSQL accepts neither a zero character nor half a surrogate pair, and one refused text would block everything behind it. */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\ufffd');
}
