import type { CountedLabels, MostCounted } from '../analytics/activity-store.ts';
import type { Count, Measure } from '../analytics/count.ts';

/** A count as an array, which is half as long as JSON. */
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

export function countsAsJson(counts: readonly Count[]): string {
  return JSON.stringify(counts.map(countRow));
}

export function countRow(one: Count): CountRow {
  const [brand, assistant] = [storableText(one.brand), storableText(one.assistant)];
  const [place, facet, reason] = [storableText(one.place), storableText(one.facet), storableText(one.reason)];
  return [one.measure, one.hour, brand, assistant, place, facet, reason, one.count, one.sum];
}

export function countedLabels(row: CountRow): CountedLabels {
  const [measure, hour, brand, assistant, place, facet, reason, count, sum] = row;
  return { measure, hour, brand, assistant, place, facet, reason, count, sum };
}

export function mostCountedOf(
  totals: ReadonlyMap<string, number>,
  atLeast: number,
  limit: number,
): MostCounted {
  const named = [...totals]
    .filter(([facet, count]) => facet !== '' && count > 0)
    .map(([facet, count]) => ({ facet, count }))
    .sort(
      (one, other) =>
        other.count - one.count || Buffer.compare(Buffer.from(one.facet), Buffer.from(other.facet)),
    );
  const enough = named.filter(({ count }) => count >= atLeast);
  return {
    facets: enough.slice(0, limit),
    beyondLimit: Math.max(0, enough.length - limit),
    fewer: named.length - enough.length,
    unnamed: Math.max(0, totals.get('') ?? 0),
  };
}

/** A row of a database's answer: the totals with each facet, or one row without a facet when there is none. */
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
