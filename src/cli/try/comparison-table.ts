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
type ComparisonColumn = { readonly of: keyof Row; readonly align: 'left' | 'right'; readonly max?: number };

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
const MAX_BRAND_COLUMNS = 18;
/** Where less would be left for a name or a policy, they get more lines. */
const MIN_NAME_COLUMNS = 20;
const MIN_CANCELLATION_COLUMNS = 28;
/** The heading of the column says it already. */
const SAID_BY_HEADING = /^free cancellation/;

/** The options by rank, in lines that are at most `columns` wide: one for each home where there is room, else two or four. */
export function comparisonTable(
  options: readonly StayOption[],
  { columns, styled }: Pick<Terminal, 'columns' | 'styled'>,
): string {
  const rows = options.map(rowOf);
  return (
    inOneLine(rows, columns, styled) ?? inTwoLines(rows, columns, styled) ?? asList(rows, columns, styled)
  );
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

const RANK: ComparisonColumn = { of: 'rank', align: 'right' };
const BRAND: ComparisonColumn = { of: 'brand', align: 'left', max: MAX_BRAND_COLUMNS };
const NUMBERS: readonly ComparisonColumn[] = [
  { of: 'total', align: 'right' },
  { of: 'night', align: 'right' },
  { of: 'guests', align: 'right' },
  { of: 'rating', align: 'left' },
];

function inOneLine(all: readonly Row[], columns: number, styled: Terminal['styled']): string | null {
  const rows = all.map((row) => ({
    ...row,
    cancellation: row.cancellation.replace(SAID_BY_HEADING, 'free'),
  }));
  const room = columns - widthWithGaps([RANK, BRAND, ...NUMBERS], rows) - GAP.length;
  const name = Math.min(room - MIN_CANCELLATION_COLUMNS, widthOf({ of: 'name', align: 'left' }, rows));
  if (room - MIN_CANCELLATION_COLUMNS < MIN_NAME_COLUMNS) return null;
  const lineOf = lineWith(
    [
      RANK,
      { of: 'name', align: 'left', max: name },
      BRAND,
      ...NUMBERS,
      { of: 'cancellation', align: 'left', max: room - name },
    ],
    rows,
  );
  return [styled('faint', lineOf(HEADINGS)), ...rows.map(lineOf)].join('\n');
}

/** Brand and cancellation are under the name. */
function inTwoLines(rows: readonly Row[], columns: number, styled: Terminal['styled']): string | null {
  const name = columns - widthWithGaps([RANK, ...NUMBERS], rows);
  if (name < MIN_NAME_COLUMNS) return null;
  const indent = widthWithGaps([RANK], rows);
  const lineOf = lineWith([RANK, { of: 'name', align: 'left', max: name }, ...NUMBERS], rows);
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

function lineWith(layout: readonly ComparisonColumn[], rows: readonly Row[]): (row: Row) => string {
  const widths = layout.map((column) => widthOf(column, rows));
  return (row) =>
    layout
      .map(({ of, align }, at) => padToWidth(cutToWidth(row[of], widths[at] ?? 0), widths[at] ?? 0, align))
      .join(GAP)
      .trimEnd();
}

function widthWithGaps(columns: readonly ComparisonColumn[], rows: readonly Row[]): number {
  return columns.reduce((sum, column) => sum + widthOf(column, rows) + GAP.length, 0);
}

function widthOf({ of, max = Number.POSITIVE_INFINITY }: ComparisonColumn, rows: readonly Row[]): number {
  return Math.min(max, Math.max(...[HEADINGS, ...rows].map((row) => displayWidth(row[of]))));
}

function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' · ');
}
