import { mostFirst, shareOf, type Total } from './counts.ts';
import type { Column, NamedCell, ReportTable } from './report.ts';

export type CountedRows = readonly (readonly [part: NamedCell, count: number])[];

/** What something is made of: each part with its count, and its share of all of them together. */
export function sharesTable(
  table: Pick<ReportTable, 'id' | 'title' | 'note' | 'whenEmpty'>,
  [name, count]: readonly [name: Pick<Column, 'id' | 'label'>, count: Pick<Column, 'id' | 'label'>],
  rows: CountedRows,
): ReportTable {
  const all = rows.reduce((sum, [, one]) => sum + one, 0);
  return {
    ...table,
    columns: [
      { ...name, unit: 'named' },
      { ...count, unit: 'number' },
      { id: 'share', label: 'Share', unit: 'share' },
    ],
    rows: rows.map(([part, one]) => [part, one, shareOf(one, all)]),
    chart: { kind: 'bars', columns: [count.id] },
  };
}

/** The most first, each by its words. */
export function namedRows(
  totals: ReadonlyMap<string, Total>,
  cellOf: (key: string) => NamedCell,
): CountedRows {
  return mostFirst(totals).map(([key, { count }]) => [cellOf(key), count]);
}
