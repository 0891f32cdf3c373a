import { formatCell, formatRow } from '../analytics/reports/format-cell.ts';
import type { Column, Report, ReportTable } from '../analytics/reports/report.ts';
import { displayWidth, padToWidth, paragraph, type Terminal } from './terminal.ts';

const WIDTH = 80;
const INDENT = '  ';
const GAP = '  ';
/** A month by days, or a day by hours. */
const MAX_ROWS = 31;

/** A report for people, at most 80 columns wide. A table without rows says why, unless nothing at all was counted. */
export function reportText(
  { title, about, tiles, sections }: Report,
  { styled }: Pick<Terminal, 'styled'>,
  isAnythingCounted: boolean,
): string {
  const figures = tiles.map(({ label, value, unit }) => [label, formatCell(value, unit)] as const);
  const width = Math.max(0, ...figures.map(([label]) => displayWidth(label)));
  const shown = isAnythingCounted ? sections : sections.filter(({ rows }) => rows.length > 0);
  return [
    styled('strong', title),
    paragraph(about),
    '',
    ...figures.map(([label, text]) => `${INDENT}${padToWidth(label, width)}${GAP}${text}`),
    ...shown.flatMap((table) => ['', ...tableLines(table, styled)]),
  ].join('\n');
}

function tableLines(table: ReportTable, styled: Terminal['styled']): readonly string[] {
  const { id, title, note, columns, rows, whenEmpty, chart } = table;
  if (rows.length === 0) return [styled('strong', title), INDENT + paragraph(whenEmpty, INDENT)];
  // Of a time series show the end.
  const shown = chart?.kind === 'series' ? rows.slice(-MAX_ROWS) : rows.slice(0, MAX_ROWS);
  const besides = rows.length - shown.length;
  const cells = shown.map((row) => formatRow(columns, row));
  return [
    styled('strong', title),
    ...(note === undefined ? [] : [styled('faint', INDENT + paragraph(note, INDENT))]),
    ...(inColumns(columns, cells) ?? cells.flatMap((row) => oneBelowTheOther(columns, row))),
    ...(besides > 0
      ? [INDENT + paragraph(`… and ${besides} more: --csv --table ${id} lists them all`, INDENT)]
      : []),
  ];
}

/** Undefined when the table is wider than 80 columns. */
function inColumns(
  columns: readonly Column[],
  cells: readonly (readonly string[])[],
): readonly string[] | undefined {
  const rows = [columns.map(({ label }) => label), ...cells];
  const widths = columns.map((_, at) => Math.max(...rows.map((row) => displayWidth(row[at] ?? ''))));
  const width = widths.reduce((sum, one) => sum + one + GAP.length, 0);
  if (width > WIDTH) return undefined;
  const sideOf = (at: number) => (isNumber(columns[at]) ? 'right' : 'left');
  return rows.map((row) =>
    (INDENT + row.map((cell, at) => padToWidth(cell, widths[at] ?? 0, sideOf(at))).join(GAP)).trimEnd(),
  );
}

function isNumber(column: Column | undefined): boolean {
  return column !== undefined && !['text', 'named', 'instant', 'day', 'month'].includes(column.unit);
}

/** For tables that are too wide: the first cell, and the others below it. */
function oneBelowTheOther(columns: readonly Column[], [first = '', ...row]: readonly string[]) {
  const facts = row
    .map((text, at) => [columns[at + 1]?.label ?? '', text] as const)
    .filter(([, text]) => text !== '' && text !== formatCell(null, 'text'))
    .map(([label, text]) => `${label}: ${text}`);
  const below = INDENT + INDENT;
  return [
    INDENT + paragraph(first, below),
    ...(facts.length > 0 ? [below + paragraph(facts.join(' · '), below)] : []),
  ];
}
