import type { Total } from './counts.ts';
import { formatCell } from './format-cell.ts';

/** The labels of all buckets, in order. */
export function bucketLabels(bounds: readonly number[]): readonly string[] {
  return [...bounds.map(String), 'more'];
}

/** `up to 30 s`, and `more than 15 min` for the last. */
export function bucketWords(
  label: string,
  bounds: readonly number[],
  boundText: (bound: number) => string,
): string {
  return label === 'more'
    ? `more than ${boundText(bounds.at(-1) ?? 0)}`
    : `up to ${boundText(Number(label))}`;
}

export function secondsText(seconds: number): string {
  return formatCell(seconds * 1000, 'milliseconds');
}

export function daysText(days: number): string {
  return days === 1 ? '1 day' : `${days} days`;
}

/** The bucket in which the middle one is; null for none. */
export function medianBucket(totals: ReadonlyMap<string, Total>, bounds: readonly number[]): string | null {
  const labels = bucketLabels(bounds);
  const all = labels.reduce((sum, label) => sum + (totals.get(label)?.count ?? 0), 0);
  let passed = 0;
  for (const label of labels) {
    passed += totals.get(label)?.count ?? 0;
    if (all > 0 && passed * 2 >= all) return label;
  }
  return null;
}
