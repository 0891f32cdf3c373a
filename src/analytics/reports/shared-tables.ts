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
import { columns, type Labelled, type NamedCell, type ReportNames, type ReportTable } from './report.ts';

export type CountedRows = readonly (readonly [part: NamedCell, count: number])[];

/** A table of parts: each with its count, and its share of the total. */
export function sharesTable(
  table: Pick<ReportTable, 'id' | 'title' | 'note' | 'whenEmpty'>,
  part: Labelled,
  count: Labelled,
  rows: CountedRows,
): ReportTable {
  const all = rows.reduce((sum, [, one]) => sum + one, 0);
  return {
    ...table,
    columns: [...columns(part), ...columns(count), ...columns({ share: 'Share' })],
    rows: rows.map(([cell, one]) => [cell, one, shareOf(one, all)]),
    chart: { kind: 'bars', columns: Object.keys(count) },
  };
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
export function bandRows(totals: ReadonlyMap<string, Total>, bands: Bands): CountedRows {
  const labels = totals.size === 0 ? [] : bandLabels(bands);
  return labels.map((label) => [bandCell(label, bands), totals.get(label)?.count ?? 0]);
}

/** Requested prices by brand, from the measure `prices`. */
export function pricesTable(prices: readonly CountedLabels[], names: ReportNames): ReportTable {
  const byBrand = [...Map.groupBy(prices, ({ brand }) => brand)].filter(([, some]) => countOf(some) > 0);
  return {
    id: 'prices',
    title: 'Prices that came, by brand',
    note: 'A home counts once for each time its price was asked for: it was quoted, is not available for the stay, or its operator gave no usable answer.',
    columns: columns({
      brand: 'Brand',
      asked: 'Asked',
      quoted: 'Quoted',
      unavailable: 'Not available',
      failed: 'No answer',
      share: 'Share quoted',
    }),
    rows: byBrand
      .map(([brand, some]) => {
        const { asked, quoted, unavailable, failed } = priceCounts(some);
        return [names.brand(brand), asked, quoted, unavailable, failed, shareOf(quoted, asked)] as const;
      })
      .toSorted(
        ([oneBrand, one], [otherBrand, other]) =>
          other - one || oneBrand.text.localeCompare(otherBrand.text, 'en'),
      ),
    whenEmpty: 'No operator was asked for a price in this time.',
  };
}

export function priceCounts(prices: readonly CountedLabels[]) {
  const byReason = totalsBy(prices, ({ reason }) => reason);
  const quoted = byReason.get('quoted')?.count ?? 0;
  const unavailable = byReason.get('unavailable')?.count ?? 0;
  const asked = countOf([...byReason.values()]);
  return { asked, quoted, unavailable, failed: asked - quoted - unavailable };
}

/** What to do when there was no search yet, or none through this brand. */
export function firstSearch(brand: string | null): string {
  const command = brand === null ? 'staywire try' : `staywire try --source ${brand}`;
  return `A search shows up here within seconds. Make one with: ${command}`;
}
