import type { CountedLabels } from '../activity-store.ts';
import { countOf, mostFirst, shareOf, type Total, totalsBy } from './counts.ts';
import type { Column, NamedCell, ReportNames, ReportTable } from './report.ts';

export type CountedRows = readonly (readonly [part: NamedCell, count: number])[];

/** A table of parts: each with its count, and its share of the total. */
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

/** The highest count first, each with its words. */
export function namedRows(
  totals: ReadonlyMap<string, Total>,
  cellOf: (key: string) => NamedCell,
): CountedRows {
  return mostFirst(totals).map(([key, { count }]) => [cellOf(key), count]);
}

/** Requested prices by brand, from the measure `prices`. */
export function pricesTable(prices: readonly CountedLabels[], names: ReportNames): ReportTable {
  const byBrand = [...Map.groupBy(prices, ({ brand }) => brand)].filter(([, some]) => countOf(some) > 0);
  return {
    id: 'prices',
    title: 'Prices that came, by brand',
    note: 'A home counts once for each time its price was asked for: it was quoted, is not available for the stay, or its operator gave no usable answer.',
    columns: [
      { id: 'brand', label: 'Brand', unit: 'named' },
      { id: 'asked', label: 'Asked', unit: 'number' },
      { id: 'quoted', label: 'Quoted', unit: 'number' },
      { id: 'unavailable', label: 'Not available', unit: 'number' },
      { id: 'failed', label: 'No answer', unit: 'number' },
      { id: 'share', label: 'Share quoted', unit: 'share' },
    ],
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
