import { formatCell } from '../activity/reports/format-cell.ts';
import type { Report, ReportRange, Tile } from '../activity/reports/report.ts';
import type { ConsoleBrand } from './console-deps.ts';
import { html, type SafeHtml } from './html.ts';
import { type AskedRange, RANGES, type RangeName } from './report-query.ts';
import { tableSection } from './table-section.ts';

/** Draws the figures of a report: tiles, then each table with its chart. All of it is fetched again while the page is open. */
export function reportBody(
  report: Report,
  { address, query }: { readonly address: string; readonly query: string },
): SafeHtml {
  return html`${report.tiles.length > 0 && html`<dl class="tiles" id="tiles" data-live="part">${report.tiles.map(tile)}</dl>`}
<div class="figures">${report.sections.map((table) => tableSection(table, { address, query }))}</div>`;
}

function tile({ label, value, unit, note }: Tile): SafeHtml {
  return html`<div><dt>${label}</dt><dd class="figure">${formatCell(value, unit)}</dd>${note !== undefined && html`<dd class="note">${note}</dd>`}</div>`;
}

/** What a printed page says about itself; on a screen the frame of the page says it. Updated with the figures. */
export function printedHead({
  network,
  brand,
  range: { from, to },
  now,
}: {
  readonly network: string;
  readonly brand: string | null;
  readonly range: Pick<ReportRange, 'from' | 'to'>;
  readonly now: number;
}): SafeHtml {
  const days = from === to ? from : `${from} to ${to}`;
  return html`<p class="printed" id="printed" data-live="part">${network} · ${brand ?? 'all brands'} · ${days}, days in UTC · made ${formatCell(now, 'instant')} UTC</p>`;
}

/** Links for the usual ranges, and a form for any other; all work without a script. */
export function rangePicker(
  { name, range, faults }: AskedRange,
  {
    address,
    brands,
  }: {
    readonly address: string;
    /** Left out on the page of one brand. */
    readonly brands?: readonly ConsoleBrand[];
  },
): SafeHtml {
  const brand = brands !== undefined && range.brand !== null ? range.brand : null;
  const usual = (Object.keys(RANGES) as RangeName[]).filter((one) => one !== 'custom');
  const addressOf = (one: RangeName) =>
    `${address}?${new URLSearchParams({ range: one, ...(brand === null ? {} : { brand }) })}`;
  return html`<section class="picker" aria-label="Which days">
<ul class="ranges">${usual.map(
    (one) =>
      html`<li><a href="${addressOf(one)}"${one === name && html` aria-current="true"`}>${RANGES[one]}</a></li>`,
  )}</ul>
<form method="get" action="${address}">
<input type="hidden" name="range" value="custom">
<label>From <input type="date" name="from" value="${range.from}" max="9999-12-31" required></label>
<label>to <input type="date" name="to" value="${range.to}" max="9999-12-31" required></label>
${
  brands !== undefined &&
  brands.length > 1 &&
  html`<label>Brand <select name="brand"><option value="">All</option>${brands.map(
    ({ id, name: label }) => html`<option value="${id}"${id === brand && html` selected`}>${label}</option>`,
  )}</select></label>`
}
<button class="quiet">Show</button>
</form>
${faults.map((fault) => html`<p class="fault" role="alert">${fault}</p>`)}
</section>`;
}
