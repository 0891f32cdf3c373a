import { formatCell, formatRow } from '../analytics/reports/format-cell.ts';
import type { Column, Report, ReportTable } from '../analytics/reports/report.ts';
import { cutToWidth, displayWidth, padToWidth, paragraph, type Terminal } from './terminal.ts';

const WIDTH = 80;
const INDENT = '  ';
const GAP = '  ';
/** A month by days, or a day by hours. */
const MAX_ROWS = 31;
const [MIN_BAR, MAX_BAR] = [8, 24];
const NONE_IN_HEAT = '·';

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
  const { id, title, note, rows, whenEmpty, chart } = table;
  if (rows.length === 0) return [styled('strong', title), INDENT + paragraph(whenEmpty, INDENT)];
  // Of a time series show the end.
  const shown = chart?.kind === 'series' ? rows.slice(-MAX_ROWS) : rows.slice(0, MAX_ROWS);
  const besides = rows.length - shown.length;
  const cells = shown.map((row) =>
    formatRow(table.columns, row).map((text, at) =>
      chart?.kind === 'heat' && row[at] === 0 ? NONE_IN_HEAT : text,
    ),
  );
  const lines = inColumns(table, shown, cells) ?? cells.flatMap((row) => stacked(table, row));
  return [
    styled('strong', title),
    ...(note === undefined
      ? []
      : (INDENT + paragraph(note, INDENT)).split('\n').map((line) => styled('faint', line))),
    ...lines,
    ...(besides > 0
      ? [INDENT + paragraph(`… and ${besides} more: --csv --table ${id} lists them all`, INDENT)]
      : []),
  ];
}

/** Undefined when the table is wider than 80 columns even with each word of a heading on its own line. */
function inColumns(
  { columns, chart }: ReportTable,
  rows: ReportTable['rows'],
  cells: readonly (readonly string[])[],
): readonly string[] | undefined {
  const widthsWith = (partsOf: (label: string) => readonly string[]) =>
    columns.map(({ label }, at) =>
      Math.max(...partsOf(label).map(displayWidth), ...cells.map((row) => displayWidth(row[at] ?? ''))),
    );
  const widthOf = (all: readonly number[]) =>
    INDENT.length + all.reduce((sum, one) => sum + one + GAP.length, 0) - GAP.length;
  const onOneLine = widthsWith((label) => [label]);
  const widths = widthOf(onOneLine) <= WIDTH ? onOneLine : widthsWith((label) => label.split(' '));
  const width = widthOf(widths);
  if (width > WIDTH) return undefined;
  const bars = chart && chart.kind !== 'heat' ? barsOf(columns, rows, chart.columns[0], WIDTH - width) : [];
  return [...headLines(columns, widths), ...cells].map((row, line, { length }) => {
    const bar = bars[line - (length - cells.length)] ?? '';
    const text = row
      .map((cell, at) => padToWidth(cell, widths[at] ?? 0, isNumber(columns[at]) ? 'right' : 'left'))
      .join(GAP);
    return `${INDENT}${text}${GAP}${bar}`.trimEnd();
  });
}

/** Headings wrapped to the width of their columns and aligned at the bottom. */
function headLines(columns: readonly Column[], widths: readonly number[]): readonly (readonly string[])[] {
  const heads = columns.map(({ label }, at) => packed(label.split(' '), ' ', widths[at] ?? 0));
  const height = Math.max(...heads.map((lines) => lines.length));
  return Array.from({ length: height }, (_, line) =>
    heads.map((lines) => lines[line - height + lines.length] ?? ''),
  );
}

/** As many parts on a line as fit. */
function packed(parts: readonly string[], separator: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const longer = `${lines.at(-1)}${separator}${part}`;
    if (lines.length > 0 && displayWidth(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(part);
  }
  return lines;
}

function isNumber(column: Column | undefined): boolean {
  return column !== undefined && !['text', 'named', 'instant', 'day', 'month'].includes(column.unit);
}

/** A bar for each row, scaled to the largest value. */
function barsOf(
  columns: readonly Column[],
  rows: ReportTable['rows'],
  drawn: string | undefined,
  width: number,
): readonly string[] {
  const at = columns.findIndex(({ id }) => id === drawn);
  const length = Math.min(MAX_BAR, width - GAP.length);
  if (at < 0 || length < MIN_BAR) return [];
  const values = rows.map((row) => Number(row[at] ?? 0));
  const largest = Math.max(...values);
  if (largest <= 0) return [];
  return values.map((value) =>
    '█'.repeat(value > 0 ? Math.max(1, Math.round((value / largest) * length)) : 0),
  );
}

/** For tables that are too wide: the first cell, and the others below it. */
function stacked({ columns, chart }: ReportTable, row: readonly string[]): readonly string[] {
  const hasText = (text: string) => text !== '' && text !== formatCell(null, 'text');
  const facts = columns
    .map(({ label }, at) => [label, row[at] ?? ''] as const)
    .slice(1)
    .filter(([, text]) => hasText(text) && !(chart?.kind === 'heat' && text === NONE_IN_HEAT))
    .map(([label, text]) => `${label}: ${text}`);
  const below = INDENT + INDENT;
  const width = WIDTH - below.length;
  return [
    INDENT + cutToWidth(row[0] ?? '', WIDTH - INDENT.length),
    ...packed(facts, ' · ', width).flatMap((line) =>
      packed(
        line.split(' ').map((word) => cutToWidth(word, width)),
        ' ',
        width,
      ).map((part) => below + part),
    ),
  ];
}
