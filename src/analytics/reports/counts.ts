import type { CountedLabels } from '../activity-store.ts';
import { LEAD_BUCKETS, type Measure, TIME_BUCKETS } from '../count.ts';
import { formatCell } from './format-cell.ts';
import type { NamedCell } from './report.ts';

/** `Read` names the measures that a report has loaded. Asking for another one does not compile, because it would show 0. */
export type Counts<Read extends Measure> = (measure: Read) => readonly CountedLabels[];

export type Total = { readonly count: number; readonly sum: number };

export function countsIn(rows: readonly CountedLabels[]): Counts<Measure> {
  const byMeasure = Map.groupBy(rows, ({ measure }) => measure);
  return (measure) => byMeasure.get(measure) ?? [];
}

/** Never negative: a crash can lose the entry of a session at a stage, and its later departure is then subtracted from nothing. */
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

/** Omits totals of zero. Makes one pass, because a year of demand has many rows and the thread has other work. */
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

/** The highest count first, then in alphabetical order. */
export function mostFirst(totals: ReadonlyMap<string, Total>): readonly (readonly [string, Total])[] {
  return [...totals].toSorted(
    ([oneKey, one], [otherKey, other]) => other.count - one.count || (oneKey < otherKey ? -1 : 1),
  );
}

/** Null for a share of nothing. At most 1, even after counts were lost in a crash. */
export function shareOf(part: number, whole: number): number | null {
  return whole > 0 ? Math.min(1, part / whole) : null;
}

export function meanOf({ count, sum }: Total): number | null {
  return count > 0 ? sum / count : null;
}

/** The mean of times, which are never negative. */
export function meanTimeOf(total: Total): number | null {
  const mean = meanOf(total);
  return mean === null ? null : Math.max(0, mean);
}

/** Adjacent ranges of a histogram. The stored label of a band is its upper bound, and `more` beyond the last. */
export type Bands = {
  readonly bounds: readonly number[];
  /** Follows the bound in an identifier, such as `_s`. */
  readonly suffix: string;
  readonly boundText: (bound: number) => string;
  readonly firstText: (bound: number) => string;
  /** A band excludes the bound below and includes its own. */
  readonly betweenText: (above: number, bound: number) => string;
};

export const TIME_BANDS: Bands = {
  bounds: TIME_BUCKETS,
  suffix: '_s',
  boundText: secondsText,
  firstText: (bound) => `under ${secondsText(bound)}`,
  betweenText: (above, bound) => rangeText(secondsText(above), secondsText(bound)),
};

/** Days are whole numbers, so the words of two bands do not overlap. */
export const LEAD_BANDS: Bands = {
  bounds: LEAD_BUCKETS,
  suffix: '_d',
  boundText: daysText,
  firstText: (bound) => `up to ${daysText(bound)}`,
  betweenText: (above, bound) => `${above + 1} to ${daysText(bound)}`,
};

function secondsText(seconds: number): string {
  return formatCell(seconds * 1000, 'milliseconds');
}

/** `100 to 250 ms`, and `500 ms to 1 s`: a shared unit is written once. */
function rangeText(low: string, high: string): string {
  const [number = '', unit = ''] = low.split(' ');
  return `${high.endsWith(` ${unit}`) ? number : low} to ${high}`;
}

function daysText(days: number): string {
  return days === 1 ? '1 day' : `${days} days`;
}

/** All labels, in order. */
export function bandLabels({ bounds }: Bands): readonly string[] {
  return [...bounds.map(String), 'more'];
}

/** The identifier and the words of a band. */
export function bandCell(label: string, bands: Bands): NamedCell {
  const { bounds, suffix, boundText, firstText, betweenText } = bands;
  if (label === 'more') return { id: label, text: `more than ${boundText(bounds.at(-1) ?? 0)}` };
  const bound = Number(label);
  const above = bounds[bounds.indexOf(bound) - 1];
  return {
    id: `up_to_${label}${suffix}`,
    text: above === undefined ? firstText(bound) : betweenText(above, bound),
  };
}

/** The label of the band with the median; null without counts. */
export function medianBand(totals: ReadonlyMap<string, Total>, bands: Bands): string | null {
  const labels = bandLabels(bands);
  const all = labels.reduce((sum, label) => sum + (totals.get(label)?.count ?? 0), 0);
  let passed = 0;
  for (const label of labels) {
    passed += totals.get(label)?.count ?? 0;
    if (all > 0 && passed * 2 >= all) return label;
  }
  return null;
}
