import { formatCell, tableCsv } from '../analytics/reports/format-cell.ts';
import type { Report, ReportId, ReportRange, Tile } from '../analytics/reports/report.ts';
import { usualDays } from '../analytics/reports/report.ts';
import type { ConsoleBrand, ConsoleDeps, ShownAssistant } from './console-deps.ts';
import type { ConsoleAnswer, ConsoleRequest, ConsoleRoute, Pages } from './console-routes.ts';
import { type HtmlPart, html, type SafeHtml } from './html.ts';
import type { PagePath } from './layout.ts';
import { operatorCard, operatorCards } from './operator-cards.ts';
import { type AskedRange, RANGES, type RangeName, readReportQuery } from './report-query.ts';
import { tableSection } from './table-section.ts';

type ReportPage = {
  readonly id: ReportId;
  readonly path: PagePath;
  /** Shown above the figures; `days` is the query of the chosen days, for links to other pages. */
  readonly above?: (days: string) => Promise<HtmlPart>;
  /** Left out if brands have no page of their own. */
  readonly ofBrand?: {
    readonly above: (brand: string, days: string) => Promise<HtmlPart>;
    readonly aside: (days: string) => HtmlPart;
  };
};

const RANGE_OF_DAYS = { 1: 'today', 7: '7d' } as const;

/** The pages that show a report, those of each brand, and every table of them as CSV. */
export function reportRoutes(
  {
    network,
    makeReport,
    brands,
    operators,
    assistants,
    clock,
  }: Pick<ConsoleDeps, 'network' | 'makeReport' | 'brands' | 'operators' | 'assistants' | 'clock'>,
  { show, notFound }: Pages,
): readonly ConsoleRoute[] {
  const pages: readonly ReportPage[] = [
    { id: 'today', path: '/today' },
    {
      id: 'demand',
      path: '/demand',
      ...(brands.length > 0 && { above: async (days) => brandLinks(days) }),
      ofBrand: {
        above: async () =>
          html`<p class="note">This page shows only what concerns this brand, so it can be handed to its operator.</p>`,
        aside: () => html`<button type="button" class="quiet" data-print hidden>Print</button>`,
      },
    },
    {
      id: 'operators',
      path: '/operators',
      above: async (days) => operatorCards(await operators.health(), days),
      ofBrand: {
        above: async (brand, days) => {
          const operator = (await operators.health()).find((one) => one.brand === brand);
          return operator && operatorCard(operator, days);
        },
        aside: (days) => html`<a class="button quiet" href="/operators${days}">All operators</a>`,
      },
    },
    {
      id: 'assistants',
      path: '/assistants',
      above: async () => assistantCards(await assistants.listed()),
    },
    { id: 'outcomes', path: '/outcomes' },
  ];

  function brandLinks(days: string): HtmlPart {
    return html`<p class="note">To hand over: ${brands.map(({ id, name }, index) => html`${index > 0 && ' · '}<a href="/demand/${id}${days}">${name}</a>`)}</p>`;
  }

  return pages.flatMap((page): readonly ConsoleRoute[] => {
    const { path, ofBrand } = page;
    const isBrand = (name: string) => brands.some(({ id }) => id === name);
    return [
      { method: 'GET', path, serve: (request) => report(page, null, request) },
      {
        method: 'GET',
        path: `${path}/:name`,
        serve(request) {
          const { name = '' } = request.params;
          if (name.endsWith('.csv')) return csv(page, null, name, request);
          return ofBrand && isBrand(name) ? report(page, name, request) : notFound(request);
        },
      },
      ...(ofBrand
        ? [
            {
              method: 'GET' as const,
              path: `${path}/:name/:table`,
              serve(request: ConsoleRequest) {
                const { name = '', table = '' } = request.params;
                return isBrand(name) && table.endsWith('.csv')
                  ? csv(page, name, table, request)
                  : notFound(request);
              },
            },
          ]
        : []),
    ];
  });

  async function report(
    page: ReportPage,
    brand: string | null,
    request: ConsoleRequest,
  ): Promise<ConsoleAnswer> {
    const { id, path, above, ofBrand } = page;
    const asked = askedOf(id, brand, request);
    const { chosenDays } = asked;
    const made = await makeReport(id, asked.range);
    const address = brand === null ? path : `${path}/${brand}`;
    const { brand: shown } = asked.range;
    // One that was chosen in the form is shown as on its own page, without the others.
    const top =
      ofBrand && shown !== null ? await ofBrand.above(shown, chosenDays) : await above?.(chosenDays);
    const beside = brand === null ? undefined : ofBrand?.aside(chosenDays);
    return show(
      {
        title: made.title,
        about: made.about,
        path,
        chosenDays,
        isLive: true,
        ...(beside !== undefined && { aside: beside }),
        body: html`${printedHead({ network, brand: nameOf(asked.range.brand), range: asked.range, now: clock.now() })}
${top}${rangePicker(asked, { address, ...(brand === null && { brands }) })}
${reportBody(made, { address, query: asked.query })}`,
      },
      request,
    );
  }

  function nameOf(brand: string | null): string | null {
    return brands.find(({ id }) => id === brand)?.name ?? null;
  }

  async function csv(
    { id }: ReportPage,
    brand: string | null,
    file: string,
    request: ConsoleRequest,
  ): Promise<ConsoleAnswer> {
    const asked = askedOf(id, brand, request);
    const made: Report = await makeReport(id, asked.range);
    const table = made.sections.find((one) => `${one.id}.csv` === file);
    if (!table) return notFound(request);
    const { from, to } = asked.range;
    const name = [id, ...(brand === null ? [] : [brand]), table.id, from, to].join('-');
    return { kind: 'file', type: 'text/csv; charset=utf-8', name: `${name}.csv`, content: tableCsv(table) };
  }

  function askedOf(id: ReportId, brand: string | null, { query }: ConsoleRequest) {
    return readReportQuery(query, {
      now: clock.now(),
      usual: RANGE_OF_DAYS[usualDays(id)],
      brands: brands.map(({ id }) => id),
      brand,
    });
  }
}

/** Who may call, with what the owner can do about it. */
function assistantCards(assistants: readonly ShownAssistant[]): SafeHtml {
  if (assistants.length === 0) {
    return html`<p class="empty">No assistant is in the registry, so only those on trusted networks are answered. Let the first one in with <code>staywire assistants approve</code>; <code>staywire assistants list</code> shows which are known.</p>`;
  }
  return html`<ul class="things" id="assistant-cards" data-live="part">${assistants.map((one) => html`<li>${card(one)}</li>`)}</ul>`;
}

function card({ id, name, status, isListed, ways, lastChange }: ShownAssistant): SafeHtml {
  const isApproved = status === 'approved';
  return html`<h2>${name} <span class="state${!isApproved && ' grave'}">${status}</span></h2>
<dl class="facts">
<dt>Id</dt><dd><code>${id}</code></dd>
<dt>Known by</dt><dd>${ways.length === 0 ? 'nothing' : ways.map((way, index) => html`${index > 0 && html`<br>`}${way}`)}</dd>
${lastChange !== null && html`<dt>Last change</dt><dd>${lastChange.change}, ${lastChange.at.slice(0, 16).replace('T', ' ')}${lastChange.note !== null && `: ${lastChange.note}`}</dd>`}
</dl>
<p class="choices">${
    !isListed
      ? 'Let in by STAYWIRE_TRUSTED_NETWORKS: no registry lists it.'
      : isApproved
        ? html`<a class="button quiet" id="suspend-${id}" href="/assistants/${id}/suspend">Suspend</a>`
        : html`<a class="button" id="approve-${id}" href="/assistants/${id}/approve">Approve</a>`
  }</p>`;
}

/** Draws the figures of a report: tiles, then each table with its chart. All of it is fetched again while the page is open. */
function reportBody(
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
function printedHead({
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
function rangePicker(
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
