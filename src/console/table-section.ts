import { formatRow } from '../analytics/reports/format-cell.ts';
import type { Cell, Column, ReportTable } from '../analytics/reports/report.ts';
import { html, type SafeHtml } from './layout.ts';

/** The darkest shade of a heat map; 0 is for no count. */
const MAX_SHADE = 5;
const BAR_WIDTH = 100;
/** Longer tables are folded, because their chart shows most of it. */
const MAX_ROWS_BESIDE_CHART = 12;
/** Tables with more columns get the whole width. */
const MAX_COLUMNS_OF_HALF = 4;

/** Tables with more columns get less spacing to fit a laptop; heat maps only in print. */
const MAX_COLUMNS_AT_EASE = 9;

/** A table with its title, its note, its chart and its CSV. The script draws the chart from the numbers in the table. */
export function tableSection(
  table: ReportTable,
  { address, query }: { readonly address: string; readonly query: string },
): SafeHtml {
  const { id, title, note, columns, rows, whenEmpty, chart } = table;
  const lines = linesOf(table);
  const isWide =
    lines !== null ||
    chart?.kind === 'heat' ||
    columns.length > MAX_COLUMNS_OF_HALF ||
    (chart?.columns.length ?? 0) > 1;
  return html`<section class="card${isWide && ' wide'}" id="part-${id}" data-live="part" aria-labelledby="title-${id}">
<div class="table-head"><h2 id="title-${id}">${title}</h2><p class="beyond"><a class="csv" id="csv-${id}" href="${address}/${id}.csv${query}" download>CSV<span class="unseen"> of ${title}</span></a></p></div>
${note !== undefined && html`<p class="note">${note}</p>`}
${
  rows.length === 0
    ? html`<p class="empty">${whenEmpty}</p>`
    : lines === null
      ? scrolled(table)
      : html`<div class="chart" data-lines="${lines.join(' ')}" hidden></div>
${
  rows.length > MAX_ROWS_BESIDE_CHART
    ? html`<details id="rows-${id}"><summary id="fold-${id}">The ${rows.length} rows of the chart</summary>${scrolled(table)}</details>`
    : scrolled(table)
}`
}
</section>`;
}

function isBroad({ columns }: ReportTable): boolean {
  return columns.length > MAX_COLUMNS_AT_EASE;
}

/** Indexes of the columns that are drawn over time; null if none are. */
function linesOf({ columns, chart }: ReportTable): readonly number[] | null {
  const first = columns[0]?.unit;
  if (chart === undefined || chart.kind === 'heat' || (first !== 'instant' && first !== 'day')) return null;
  return chart.columns.map((id) => columns.findIndex((column) => column.id === id)).filter((at) => at > 0);
}

/** A wide table scrolls in its box, also by keyboard; the page never scrolls sideways. */
function scrolled(table: ReportTable): SafeHtml {
  const { id, title, columns, rows, chart } = table;
  const isHeat = chart?.kind === 'heat';
  const kind = isHeat ? `heat${isBroad(table) ? ' broad' : ''}` : isBroad(table) ? 'many' : null;
  const most = isHeat ? maximum(rows.flatMap((row) => row.slice(1))) : 0;
  const barred = chart !== undefined && chart.kind !== 'heat' && linesOf(table) === null ? chart.columns : [];
  const longest = maximum(
    rows.flatMap((row) =>
      columns.flatMap((column, at) => (barred.includes(column.id) ? [row[at] ?? null] : [])),
    ),
  );
  return html`<div class="scroll" id="scroll-${id}" tabindex="0" role="group" aria-label="${title}">
<table${kind !== null && html` class="${kind}"`}><caption class="unseen">${title}</caption>
<thead><tr>${columns.map(
    (column) => html`<th scope="col"${isNumber(column) && html` class="number"`}>${column.label}</th>`,
  )}</tr></thead>
<tbody>${rows.map((row) => {
    const texts = formatRow(columns, row);
    return html`<tr>${columns.map((column, at) => {
      const [value, text] = [row[at] ?? null, texts[at] ?? ''];
      if (at === 0) return html`<th scope="row"${dataOf(value)}>${text}</th>`;
      const shade = isHeat ? shadeOf(value, most) : null;
      return html`<td class="${isNumber(column) && 'number'}${column.unit === 'instant' && ' instant'}${shade !== null && ` shade-${shade}`}"${dataOf(value)}>${
        barred.includes(column.id) ? html`${bar(value, longest)}<span class="beside">${text}</span>` : text
      }</td>`;
    })}</tr>
`;
  })}</tbody>
</table>
</div>`;
}

function dataOf(value: Cell): SafeHtml | false {
  return typeof value === 'number' && html` data-value="${value}"`;
}

/** All rows share the scale. Hidden from screen readers, which read the number beside it. */
function bar(value: Cell, longest: number): SafeHtml | false {
  if (typeof value !== 'number' || value <= 0 || longest <= 0) return false;
  const width = Math.max(1, Math.round((value / longest) * BAR_WIDTH));
  return html`<svg class="bar" viewBox="0 0 ${BAR_WIDTH} 8" preserveAspectRatio="none" aria-hidden="true"><rect width="${width}" height="8" rx="1"/></svg>`;
}

/** On a logarithmic scale, so that one high count does not make all others look alike. */
function shadeOf(value: Cell, most: number): number {
  if (typeof value !== 'number' || value <= 0 || most <= 0) return 0;
  return Math.max(1, Math.ceil((Math.log1p(value) / Math.log1p(most)) * MAX_SHADE));
}

function maximum(cells: readonly Cell[]): number {
  return cells.reduce<number>((most, cell) => (typeof cell === 'number' && cell > most ? cell : most), 0);
}

function isNumber({ unit }: Column): boolean {
  return unit !== 'text' && unit !== 'named' && unit !== 'month';
}
