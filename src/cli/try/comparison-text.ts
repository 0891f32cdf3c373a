import type { ComparisonBody, StayOption } from '../../client/client.ts';
import { dayText, parseDay } from '../../stay/day.ts';

import type { Terminal } from '../terminal.ts';
import { counted, cutToWidth, displayWidth, padToWidth, paragraph } from '../text-layout.ts';
import { amountText, cancellationText, oneLine, priceText, ratingText } from './option-text.ts';

/** The search, the table of options, and the brands that did not answer. */
export function comparisonText(
  body: ComparisonBody,
  /** The name of its destination. */
  place: string,
  terminal: Pick<Terminal, 'columns' | 'styled'>,
): string {
  const { styled } = terminal;
  const lost = unansweredBrands(body);
  return [
    styled('strong', paragraph(queryText(body, place))),
    paragraph(countText(body)),
    ...(body.results.length > 0
      ? ['', comparisonTable(body.results, terminal)]
      : ['', paragraph(oneLine(body.notes))]),
    ...(lost.length > 0
      ? ['', ...lost.map((text) => paragraph(`${styled('warning', '!')} ${text}`, '  '))]
      : []),
  ].join('\n');
}

/** An operator's word for an amenity; the key itself when no option has it. */
export function amenityLabel(amenity: string, { results }: Pick<ComparisonBody, 'results'>): string {
  const having = results.find(({ amenities }) => amenities !== null && Object.hasOwn(amenities, amenity));
  return oneLine(having?.amenities?.[amenity] ?? amenity.replaceAll('_', ' '));
}

/** `No answer from Driftlark for 2 homes.` */
export function unansweredBrands({
  comparison_set: { coverage },
}: Pick<ComparisonBody, 'comparison_set'>): readonly string[] {
  return coverage
    .filter(({ failed }) => failed > 0)
    .map(({ brand, failed }) => `No usable answer from ${oneLine(brand)} for ${counted(failed, 'home')}.`);
}

function queryText({ query }: ComparisonBody, place: string): string {
  const day = (text: string) => dayText(parseDay(text) ?? 0);
  return [
    place,
    `${day(query.check_in)} to ${day(query.check_out)}`,
    counted(query.nights, 'night'),
    counted(query.guests, 'guest'),
  ].join(' · ');
}

function countText(body: ComparisonBody): string {
  const { comparison_set: set, applied_filters, cleared_amenities = [] } = body;
  const labels = (amenities: readonly string[]) =>
    amenities.map((amenity) => amenityLabel(amenity, body)).join(', ');
  const shown = set.truncated
    ? `${set.options_count} of ${counted(set.total_matches, 'home')}, cheapest first.`
    : `${counted(set.options_count, 'home')}, cheapest first.`;
  return [
    shown,
    ...(set.selection.complete ? [] : ['Not every home could be priced, so one may be cheaper.']),
    ...(set.totals_include_taxes_and_fees ? ['Totals include all taxes and fees.'] : []),
    ...(applied_filters.amenities.length > 0 ? [`Only with: ${labels(applied_filters.amenities)}.`] : []),
    ...(cleared_amenities.length > 0
      ? [`No home has all of it, so these filters went: ${labels(cleared_amenities)}.`]
      : []),
  ].join(' ');
}

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
/** With less width for a name or a policy, each option gets more lines. */
const MIN_NAME_COLUMNS = 20;
const MIN_CANCELLATION_COLUMNS = 28;
/** The heading of the column says this already. */
const SAID_BY_HEADING = /^free cancellation/;

/** The options by rank, in lines of at most `columns`: one line for each home where it fits, otherwise two or four. */
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
  const rest = columns - widthWithGaps([RANK, BRAND, ...NUMBERS], rows) - GAP.length;
  const name = Math.min(rest - MIN_CANCELLATION_COLUMNS, widthOf({ of: 'name', align: 'left' }, rows));
  if (rest - MIN_CANCELLATION_COLUMNS < MIN_NAME_COLUMNS) return null;
  const lineOf = lineWith(
    [
      RANK,
      { of: 'name', align: 'left', max: name },
      BRAND,
      ...NUMBERS,
      { of: 'cancellation', align: 'left', max: rest - name },
    ],
    rows,
  );
  return [styled('faint', lineOf(HEADINGS)), ...rows.map(lineOf)].join('\n');
}

/** Brand and cancellation go below the name. */
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
