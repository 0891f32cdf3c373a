import type { StayOption } from '../../client/client.ts';
import { cutToWidth, displayWidth, padToWidth } from '../display-width.ts';
import type { Terminal } from '../terminal.ts';
import { amountText, priceText } from './amount-text.ts';
import { cancellationText, oneLine, ratingText } from './option-facts.ts';

type Row = {
  readonly rank: string;
  readonly name: string;
  readonly brand: string;
  readonly total: string;
  readonly night: string;
  readonly guests: string;
  readonly rating: string;
  readonly cancellation: string;
};
type Column = { readonly of: keyof Row; readonly align: 'left' | 'right'; readonly max?: number };

const HEADINGS: Row = {
  rank: '#',
  name: 'Home',
  brand: 'Brand',
  total: 'Total',
  night: 'A night',
  guests: 'Sleeps',
  rating: 'Rating',
  cancellation: 'Cancellation',
};
const GAP = '  ';
/** From here on, everything about a home is in one line. */
const MIN_COLUMNS_FOR_ONE_LINE = 110;
/** Below, a home has a line for each two or three facts. */
const MIN_COLUMNS_FOR_TABLE = 60;
const MAX_BRAND_COLUMNS = 18;
const MIN_CANCELLATION_COLUMNS = 28;

/** The options by rank, in lines that are at most `columns` wide. */
export function comparisonTable(
  options: readonly StayOption[],
  { columns, styled }: Pick<Terminal, 'columns' | 'styled'>,
): string {
  const rows = options.map(rowOf);
  if (columns >= MIN_COLUMNS_FOR_ONE_LINE) return inOneLine(rows, columns, styled);
  if (columns >= MIN_COLUMNS_FOR_TABLE) return inTwoLines(rows, columns, styled);
  return asList(rows, columns, styled);
}

function rowOf(option: StayOption): Row {
  const { currency, amount, nightly_average } = option.quote;
  return {
    rank: String(option.rank),
    name: oneLine(option.name),
    brand: oneLine(option.brand),
    total: priceText(amount, oneLine(currency)),
    night: amountText(nightly_average, currency),
    guests: String(option.capacity.max_guests),
    rating: ratingText(option.rating),
    cancellation: cancellationText(option),
  };
}

const NUMBERS: readonly Column[] = [
  { of: 'total', align: 'right' },
  { of: 'night', align: 'right' },
  { of: 'guests', align: 'right' },
  { of: 'rating', align: 'left' },
];

function inOneLine(rows: readonly Row[], columns: number, styled: Terminal['styled']): string {
  const measured: readonly Column[] = [
    { of: 'rank', align: 'right' },
    { of: 'brand', align: 'left', max: MAX_BRAND_COLUMNS },
    ...NUMBERS,
  ];
  const taken = measured.reduce((sum, column) => sum + widthOf(column, rows) + GAP.length, 0);
  const room = columns - taken - GAP.length;
  const name = Math.min(widthOf({ of: 'name', align: 'left' }, rows), room - MIN_CANCELLATION_COLUMNS);
  const [rank, brand, ...numbers] = measured as [Column, Column, ...Column[]];
  const layout: readonly Column[] = [
    rank,
    { of: 'name', align: 'left', max: name },
    brand,
    ...numbers,
    { of: 'cancellation', align: 'left', max: room - name },
  ];
  const lineOf = lineWith(layout, rows);
  return [styled('faint', lineOf(HEADINGS)), ...rows.map(lineOf)].join('\n');
}

/** Brand and cancellation are under the name. */
function inTwoLines(rows: readonly Row[], columns: number, styled: Terminal['styled']): string {
  const rank: Column = { of: 'rank', align: 'right' };
  const indent = widthOf(rank, rows) + GAP.length;
  const taken = NUMBERS.reduce((sum, column) => sum + widthOf(column, rows) + GAP.length, indent);
  const lineOf = lineWith(
    [rank, { of: 'name', align: 'left', max: columns - taken }, ...NUMBERS],
    rows,
    columns - taken,
  );
  const below = ({ brand, cancellation }: Row) =>
    ' '.repeat(indent) + styled('faint', cutToWidth(joined(brand, cancellation), columns - indent));
  return [styled('faint', lineOf(HEADINGS)), ...rows.flatMap((row) => [lineOf(row), below(row)])].join('\n');
}

function asList(rows: readonly Row[], columns: number, styled: Terminal['styled']): string {
  return rows
    .flatMap(({ rank, name, brand, total, night, guests, rating, cancellation }) => [
      cutToWidth(`${rank} ${name}`, columns),
      cutToWidth(`  ${joined(total, `${night} a night`)}`, columns),
      cutToWidth(`  ${joined(`sleeps ${guests}`, rating)}`, columns),
      styled('faint', cutToWidth(`  ${joined(brand, cancellation)}`, columns)),
    ])
    .join('\n');
}

function lineWith(layout: readonly Column[], rows: readonly Row[], nameColumns = 0): (row: Row) => string {
  const widths = layout.map((column) =>
    column.of === 'name' ? Math.max(nameColumns, widthOf(column, rows)) : widthOf(column, rows),
  );
  return (row) =>
    layout
      .map(({ of, align }, at) => padToWidth(cutToWidth(row[of], widths[at] ?? 0), widths[at] ?? 0, align))
      .join(GAP)
      .trimEnd();
}

function widthOf({ of, max = Number.POSITIVE_INFINITY }: Column, rows: readonly Row[]): number {
  return Math.min(max, Math.max(...[HEADINGS, ...rows].map((row) => displayWidth(row[of]))));
}

function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' · ');
}
