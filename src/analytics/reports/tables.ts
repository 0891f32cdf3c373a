import type { CountedLabels } from '../activity-store.ts';
import {
  type Bands,
  bandCell,
  bandLabels,
  countOf,
  mostFirst,
  shareOf,
  type Total,
  totalsBy,
} from './counts.ts';
import { type Cell, columns, type Labelled, type NamedCell, type ReportTable } from './report.ts';

type TableFacts = Pick<ReportTable, 'whenEmpty'> & Partial<Pick<ReportTable, 'note' | 'chart' | 'columns'>>;

/** A table; `labelled` are its columns, unless others are given. */
export function tableOf(
  id: string,
  title: string,
  labelled: Labelled,
  rows: readonly (readonly Cell[])[],
  facts: TableFacts,
): ReportTable {
  return { id, title, columns: columns(labelled), rows, ...facts };
}

type CountedRows = readonly (readonly [part: NamedCell, count: number])[];

/** A table of parts: each with its count, and its share of the total. The last of `labelled` is the count. */
export function sharesTable(
  id: string,
  title: string,
  labelled: Labelled,
  rows: CountedRows,
  facts: TableFacts,
): ReportTable {
  const all = rows.reduce((sum, [, one]) => sum + one, 0);
  const shares = rows.map(([cell, one]) => [cell, one, shareOf(one, all)]);
  const chart = { kind: 'bars', columns: Object.keys(labelled).slice(1) } as const;
  return tableOf(id, title, { ...labelled, share: 'Share' }, shares, { chart, ...facts });
}

/** The highest count first, each with its words. */
export function namedRows<Row extends Total>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  cellOf: (key: string) => NamedCell,
): CountedRows {
  return mostFirst(totalsBy(rows, keyOf)).map(([key, { count }]) => [cellOf(key), count]);
}

/** A row for each band, in order; none without counts. */
export function bandRows(rows: readonly (Total & { readonly facet: string })[], bands: Bands): CountedRows {
  const totals = totalsBy(rows, ({ facet }) => facet);
  const labels = totals.size === 0 ? [] : bandLabels(bands);
  return labels.map((label) => [bandCell(label, bands), totals.get(label)?.count ?? 0]);
}

export function priceCounts(prices: readonly CountedLabels[]) {
  const byReason = totalsBy(prices, ({ reason }) => reason);
  const quoted = byReason.get('quoted')?.count ?? 0;
  const unavailable = byReason.get('unavailable')?.count ?? 0;
  const asked = countOf([...byReason.values()]);
  return { asked, quoted, unavailable, failed: asked - quoted - unavailable, share: shareOf(quoted, asked) };
}

/** What to do when there was no search yet, or none through this brand. */
export function firstSearch(brand: string | null): string {
  const command = brand === null ? 'staywire try' : `staywire try --source ${brand}`;
  return `A search shows up here within seconds. Make one with: ${command}`;
}
