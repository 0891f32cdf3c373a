import { formatCell, tableCsv } from '../analytics/reports/format-cell.ts';
import {
  type Report,
  type ReportId,
  type ReportRange,
  type Tile,
  usualDays,
} from '../analytics/reports/report.ts';
import { parseDay } from '../stay/day.ts';
import { assistantCards, operatorCard, operatorCards } from './cards.ts';
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
  /** Shown above the figures; `days` is the query of the chosen days, for links to other pages. */
  readonly above?: (days: string) => Promise<HtmlPart>;
  /** Absent if there are no pages of single brands. */
  readonly ofBrand?: {
    readonly above: (brand: string, days: string) => Promise<HtmlPart>;
    readonly aside: (days: string) => HtmlPart;
  };
};

const RANGE_OF_DAYS = { 1: 'today', 7: '7d' } as const;

/** The pages of all reports, also for each brand, and every table as CSV. */
export function reportRoutes(
  { network, makeReport, brands, operators, assistants, clock }: ConsoleDeps,
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
    const { brand: shown, from, to } = asked.range;
    // A brand chosen in the form is shown as on its own page, without the others.
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
        body: html`<p class="printed" id="printed" data-live="part">${network} · ${nameOf(shown) ?? 'all brands'} · ${from === to ? from : `${from} to ${to}`}, days in UTC · made ${formatCell(clock.now(), 'instant')} UTC</p>
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
    return csvFile(`${name}.csv`, tableCsv(table));
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
  {
    address,
    brands,
  }: {
    readonly address: string;
    /** Absent on the page of one brand. */
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
    brand = null,
  }: {
    readonly now: number;
    readonly usual: Exclude<RangeName, 'custom'>;
    readonly brands: readonly string[];
    /** The brand in the path; a brand in the query is then ignored. */
    readonly brand?: string | null;
  },
): AskedRange {
  const days = readDays(query, usual, now);
  const isChosen = [query.range, query.from, query.to].some((one) => one !== undefined);
  const { name, from, to } = 'fault' in days ? { name: usual, ...daysBack(DAYS[usual], now) } : days;
  const named = brand === null ? parameterOf(query.brand) : undefined;
  const chosen = named !== undefined && brands.includes(named) ? named : null;
  const asked = { range: name, ...(name === 'custom' && { from, to }) };
  return {
    name,
    range: { from, to, brand: brand ?? chosen },
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
