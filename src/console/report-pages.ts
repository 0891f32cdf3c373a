import { formatCell, tableCsv } from '../analytics/reports/format-cell.ts';
import {
  type Report,
  type ReportId,
  type ReportRange,
  type Tile,
  usualDays,
} from '../analytics/reports/report.ts';
import { parseDay } from '../stay/day.ts';
import { assistantCards, operatorCards } from './cards.ts';
import {
  type ConsoleAnswer,
  type ConsoleBrand,
  type ConsoleDeps,
  type ConsoleRequest,
  type ConsoleRoute,
  csvFile,
  type Pages,
} from './console-routes.ts';
import { type HtmlPart, html, type PagePath, type SafeHtml } from './layout.ts';
import { tableSection } from './table-section.ts';

type ReportPage = {
  readonly id: ReportId;
  readonly path: PagePath;
  /** Shown above the figures, of all brands or of one; `days` is the query of the chosen days, for links to other pages. */
  readonly above?: (days: string, brand: string | null) => Promise<HtmlPart>;
};

const RANGE_OF_DAYS = { 1: 'today', 7: '7d' } as const;

/** The pages of all reports, also of one brand, and every table as CSV. */
export function reportRoutes(
  { network, makeReport, brands, operators, assistants, clock }: ConsoleDeps,
  { show, notFound }: Pages,
): readonly ConsoleRoute[] {
  const pages: readonly ReportPage[] = [
    { id: 'today', path: '/today' },
    {
      id: 'demand',
      path: '/demand',
      above: async (days, brand) => (brand === null ? brandLinks(days) : TO_HAND_OVER),
    },
    {
      id: 'operators',
      path: '/operators',
      above: async (days, brand) => {
        const all = await operators.health();
        return operatorCards(brand === null ? all : all.filter((one) => one.brand === brand), days);
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
    const more = days.replace('?', '&');
    const links = brands.map(
      ({ id, name }, at) => html`${at > 0 && ' · '}<a href="/demand?brand=${id}${more}">${name}</a>`,
    );
    return links.length > 0 && html`<p class="note">To hand over: ${links}</p>`;
  }

  return pages.flatMap((page): readonly ConsoleRoute[] => [
    { method: 'GET', path: page.path, serve: (request) => report(page, request) },
    { method: 'GET', path: `${page.path}/:table`, serve: (request) => csv(page, request) },
  ]);

  async function report({ id, path, above }: ReportPage, request: ConsoleRequest): Promise<ConsoleAnswer> {
    const asked = askedOf(id, request);
    const { chosenDays, range } = asked;
    const { brand, from, to } = range;
    const made = await makeReport(id, range);
    const name = brands.find((one) => one.id === brand)?.name ?? 'all brands';
    const days = from === to ? from : `${from} to ${to}`;
    const aside =
      brand !== null &&
      id === 'demand' &&
      html`<button type="button" class="quiet" data-print hidden>Print</button>`;
    return show(
      {
        ...{ title: made.title, about: made.about, path, chosenDays, isLive: true },
        ...(aside && { aside }),
        body: html`<p class="printed" id="printed" data-live="part">${network} · ${name} · ${days}, days in UTC · made ${formatCell(clock.now(), 'instant')} UTC</p>
${await above?.(chosenDays, brand)}${rangePicker(asked, path, brands)}
${reportBody(made, { address: path, query: asked.query })}`,
      },
      request,
    );
  }

  async function csv({ id }: ReportPage, request: ConsoleRequest): Promise<ConsoleAnswer> {
    const { range } = askedOf(id, request);
    const { sections } = await makeReport(id, range);
    const table = sections.find((one) => `${one.id}.csv` === request.params.table);
    if (!table) return notFound(request);
    const name = [id, range.brand, table.id, range.from, range.to].filter((part) => part !== null);
    return csvFile(`${name.join('-')}.csv`, tableCsv(table));
  }

  function askedOf(id: ReportId, { query }: ConsoleRequest): AskedRange {
    const usual = RANGE_OF_DAYS[usualDays(id)];
    return readReportQuery(query, { now: clock.now(), usual, brands: brands.map((brand) => brand.id) });
  }
}

const TO_HAND_OVER = html`<p class="note">This page shows only what concerns this brand, so it can be handed to its operator.</p>`;

/** The figures of a report: tiles, then each table with its chart. The script fetches all of it again while the page is open. */
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

const RANGES = { today: 'Today', '7d': '7 days', '30d': '30 days', custom: 'From … to …' } as const;
type RangeName = keyof typeof RANGES;

/** Links for the usual ranges, and a form for any other; all work without a script. */
function rangePicker(
  { name, range, faults }: AskedRange,
  address: string,
  brands: readonly ConsoleBrand[],
): SafeHtml {
  const { brand } = range;
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

/** The requested days, and the faults of the query. */
type AskedRange = {
  readonly name: RangeName;
  readonly range: ReportRange;
  /** The query for the same report; begins with a question mark. */
  readonly query: string;
  /** The part for other pages: the days, or empty if none were chosen. */
  readonly chosenDays: string;
  /** A sentence for each fault, with the days or brands that are shown instead. */
  readonly faults: readonly string[];
};

const DAY_MS = 86_400_000;
const DAYS: Readonly<Record<Exclude<RangeName, 'custom'>, number>> = { today: 1, '7d': 7, '30d': 30 };
const DAYS_IN_WORDS: Readonly<Record<keyof typeof DAYS, string>> = {
  today: 'today',
  '7d': 'the last 7 days',
  '30d': 'the last 30 days',
};

type AskedQuery = Readonly<Record<string, unknown>>;

/** Faulty parameters fall back to the `usual` days or to all brands; the fault says so without repeating the input. */
export function readReportQuery(
  query: AskedQuery,
  {
    now,
    usual,
    brands,
  }: {
    readonly now: number;
    readonly usual: Exclude<RangeName, 'custom'>;
    readonly brands: readonly string[];
  },
): AskedRange {
  const days = readDays(query, usual, now);
  const isChosen = [query.range, query.from, query.to].some((one) => one !== undefined);
  const { name, from, to } = 'fault' in days ? { name: usual, ...daysBack(DAYS[usual], now) } : days;
  const named = parameterOf(query.brand);
  const chosen = named !== undefined && brands.includes(named) ? named : null;
  const asked = { range: name, ...(name === 'custom' && { from, to }) };
  return {
    name,
    range: { from, to, brand: chosen },
    query: `?${new URLSearchParams({ ...asked, ...(chosen !== null && { brand: chosen }) })}`,
    chosenDays: 'fault' in days || !isChosen ? '' : `?${new URLSearchParams(asked)}`,
    faults: [
      ...('fault' in days ? [`${days.fault} Shown instead: ${DAYS_IN_WORDS[usual]}.`] : []),
      ...(named !== undefined && chosen === null
        ? ['No brand of the network has that name. Shown instead: all brands.']
        : []),
    ],
  };
}

type ReadDays =
  | { readonly name: RangeName; readonly from: string; readonly to: string }
  | { readonly fault: string };

function readDays(query: AskedQuery, usual: keyof typeof DAYS, now: number): ReadDays {
  const [from, to] = [parameterOf(query.from), parameterOf(query.to)];
  // A hand-written URL may have days without `range`.
  const name = parameterOf(query.range) ?? (from === undefined && to === undefined ? usual : 'custom');
  if (name === 'custom') return readCustomDays(from, to, dateOf(now));
  return isUsual(name) ? { name, ...daysBack(DAYS[name], now) } : { fault: 'That range is not known.' };
}

function readCustomDays(from: string | undefined, to: string | undefined, today: string): ReadDays {
  if (from === undefined || to === undefined) return { fault: 'A first and a last day are needed.' };
  if (parseDay(from) === undefined || parseDay(to) === undefined)
    return { fault: 'A day has to be one of the calendar, such as 2027-05-08.' };
  if (from > to) return { fault: 'The first day is after the last one.' };
  return to > today ? { fault: 'The last day is in the future.' } : { name: 'custom', from, to };
}

function isUsual(name: string): name is keyof typeof DAYS {
  return Object.hasOwn(DAYS, name);
}

function daysBack(days: number, now: number): { readonly from: string; readonly to: string } {
  return { from: dateOf(now - (days - 1) * DAY_MS), to: dateOf(now) };
}

function dateOf(instant: number): string {
  return new Date(instant).toISOString().slice(0, 10);
}

/** Undefined for a parameter that is empty or given twice. */
function parameterOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
