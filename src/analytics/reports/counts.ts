import type { CountedLabels } from '../activity-store.ts';
import type { Measure } from '../measures.ts';

/** What was counted, by measure. A report names the measures that it asks for: one that nobody has read would show 0, so it does not compile. */
export type Counts<Read extends Measure> = (measure: Read) => readonly CountedLabels[];

export type Total = { readonly count: number; readonly sum: number };

export function countsIn(rows: readonly CountedLabels[]): Counts<Measure> {
  const byMeasure = Map.groupBy(rows, ({ measure }) => measure);
  return (measure) => byMeasure.get(measure) ?? [];
}

/** Never less than nothing: after a crash a session can be missing where it stood, and be taken away there later. */
export function addedUp(rows: readonly Total[]): Total {
  let [count, sum] = [0, 0];
  for (const row of rows) {
    count += row.count;
    sum += row.sum;
  }
  return { count: Math.max(0, count), sum };
}

export function countOf(rows: readonly Total[]): number {
  return addedUp(rows).count;
}

/** What comes to nothing is left out. In one pass, because a year of wishes has many rows and whoever draws them has other work. */
export function totalsBy<Row extends Total>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
): ReadonlyMap<string, Total> {
  const totals = new Map<string, { count: number; sum: number }>();
  for (const row of rows) {
    const key = keyOf(row);
    const total = totals.get(key);
    if (total) {
      total.count += row.count;
      total.sum += row.sum;
    } else totals.set(key, { count: row.count, sum: row.sum });
  }
  for (const [key, { count }] of totals) if (count <= 0) totals.delete(key);
  return totals;
}

/** The most first, then in alphabetical order. */
export function mostFirst(totals: ReadonlyMap<string, Total>): readonly (readonly [string, Total])[] {
  return [...totals].toSorted(
    ([oneKey, one], [otherKey, other]) => other.count - one.count || (oneKey < otherKey ? -1 : 1),
  );
}

/** Of nothing there is no share. What was lost in a crash makes none larger than the whole. */
export function shareOf(part: number, whole: number): number | null {
  return whole > 0 ? Math.min(1, part / whole) : null;
}

export function meanOf({ count, sum }: Total): number | null {
  return count > 0 ? sum / count : null;
}

/** Of times, which are never negative. */
export function meanTimeOf(total: Total): number | null {
  const mean = meanOf(total);
  return mean === null ? null : Math.max(0, mean);
}
