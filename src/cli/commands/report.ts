import { registryFor } from '../../access/registry/assistant-registry.ts';
import { currentRegistry } from '../../access/registry/change-registry.ts';
import { startOfHour } from '../../analytics/count.ts';
import { createReports } from '../../analytics/reports/create-reports.ts';
import { formatCell, plainCell, tableCsv } from '../../analytics/reports/format-cell.ts';
import {
  type Cell,
  type Column,
  REPORT_IDS,
  type Report,
  type ReportId,
  type ReportRange,
  type ReportTable,
  usualDays,
} from '../../analytics/reports/report.ts';
import type { InventoryStore } from '../../availability/inventory-store.ts';
import type { BrandId, Network } from '../../catalogue/catalogue.ts';
import { REJECTION_RULES } from '../../catalogue/rejections/rejection-rules.ts';
import { formatDay, MS_PER_DAY, parseDay } from '../../stay/day.ts';
import type { BrandControls } from '../../sync/brand-controls.ts';
import { readRejections, readSyncRecord } from '../../sync/brand-documents.ts';
import type { OperatorHealth } from '../../sync/operator-controls.ts';
import { type CliTools, type CommandResult, EXIT } from '../command.ts';
import { UsageFault } from '../faults.ts';
import { readNetworkDocument } from '../network-file.ts';
import { reportText } from '../report-text.ts';
import { paragraph } from '../terminal.ts';
import {
  chosenBrands,
  openWorkspace,
  readWorkspaceNetwork,
  type Workspace,
  type WorkspaceOptions,
  workspaceEnvironment,
} from '../workspace.ts';
import { withRegistry } from './assistants/registry.ts';

export type ReportOptions = WorkspaceOptions & {
  readonly from?: string;
  readonly to?: string;
  readonly brand?: string;
  readonly csv?: boolean;
  readonly table?: string;
};

/** Prints the reports of the console from the stored counts, also while the service runs. */
export async function report(
  name: string | undefined,
  options: ReportOptions,
  tools: CliTools,
): Promise<CommandResult> {
  const ids = chosenReports(name);
  const workspace = await openReportedWorkspace(options, tools);
  const settings = readWorkspaceNetwork(tools, workspace, []);
  const range = rangeIn(options, ids, tools.clock.now());
  if (range.brand !== null) chosenBrands(settings, range.brand);
  const systemOf = kindsIn(workspace.settings.networkFile);
  const registered = await registeredAssistants(options, tools);
  const documents = await tools.openDocuments(workspace.settings);
  try {
    const store = await tools.openOwnerStore(workspace.settings);
    try {
      const make = createReports({
        activity: store.activity,
        outcomes: store.outcomes,
        network: settings.network,
        health: () => storedHealth(settings.network, documents, store.controls, systemOf, tools.clock.now()),
        assistants: () => registered,
        sessionMinutes: workspace.settings.sessionMinutes,
        clock: tools.clock,
      });
      const made: Report[] = [];
      for (const id of ids) made.push(await make(id, range));
      assertHasTable(made, options.table);
      const reports = made.map((one) => onlyTable(one, options.table));
      const span = await store.activity.span();
      const counted = span && {
        from: formatInstant(startOfHour(span.from)),
        until: formatInstant(startOfHour(span.to + 1)),
      };
      return {
        exit: EXIT.done,
        json: { ...range, counted, reports: reports.map(reportJson) },
        text: options.csv
          ? reportsCsv(reports).trimEnd()
          : [
              headText(range, counted, tools),
              ...reports.map((one) => reportText(one, tools.terminal, counted !== null)),
            ].join('\n\n'),
      };
    } finally {
      await store.close();
    }
  } finally {
    await documents.close();
  }
}

function chosenReports(name: string | undefined): readonly ReportId[] {
  if (name === undefined) return REPORT_IDS;
  const found = REPORT_IDS.find((id) => id === name);
  if (found !== undefined) return [found];
  throw new UsageFault([`There is no such report.`], `name one of ${REPORT_IDS.join(', ')}, or none for all`);
}

/** Uses the network that nodes share where this node names no file. */
async function openReportedWorkspace(
  { network, data }: WorkspaceOptions,
  tools: CliTools,
): Promise<Workspace> {
  const env = workspaceEnvironment(tools, { network, data });
  if (!env.STAYWIRE_POSTGRES_URL) return openWorkspace(tools, { network, data });
  const stored = await tools.withStoredNetwork(env);
  if (stored.kind === 'invalid') {
    throw new UsageFault(stored.faults, 'a network is stored with staywire network store');
  }
  if (stored.value.warning !== null) tools.terminal.note(stored.value.warning);
  return openWorkspace({ ...tools, env: stored.value.env }, { network, data });
}

/** By default the longest usual range of the chosen reports. */
function rangeIn({ from, to, brand }: ReportOptions, ids: readonly ReportId[], now: number): ReportRange {
  const last = dayIn('--to', to) ?? Math.max(Math.floor(now / MS_PER_DAY), dayIn('--from', from) ?? 0);
  const first = dayIn('--from', from) ?? last - Math.max(...ids.map(usualDays)) + 1;
  if (first > last) {
    throw new UsageFault(['--from is a day after --to.'], 'give --from the earlier day of the two');
  }
  return { from: formatDay(first), to: formatDay(last), brand: brand ?? null };
}

function dayIn(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const day = parseDay(text);
  if (day !== undefined) return day;
  throw new UsageFault([`${option} is not a day.`], `write it as YYYY-MM-DD, such as ${option} 2027-05-08`);
}

/** Reads the kinds from the file itself: a report connects no brand and needs no secret. */
function kindsIn(networkFile: string): (brand: BrandId) => string {
  const kinds = readNetworkDocument(networkFile).brands.map(
    ({ source, booking_system: system }) =>
      [source, String(Reflect.get(Object(system), 'kind') ?? '')] as const,
  );
  const byBrand = new Map<BrandId, string>(kinds);
  return (brand) => byBrand.get(brand) ?? '';
}

async function registeredAssistants({ data }: ReportOptions, tools: CliTools) {
  return withRegistry(tools, data === undefined ? {} : { data }, async (opened, { trustedNetworks }) => {
    const { registry } = await currentRegistry(opened);
    return registryFor(registry, trustedNetworks).assistants;
  });
}

function onlyTable(one: Report, table: string | undefined): Report {
  return table === undefined
    ? one
    : { ...one, tiles: [], sections: one.sections.filter(({ id }) => id === table) };
}

function assertHasTable(reports: readonly Report[], table: string | undefined): void {
  const names = new Set(reports.flatMap(({ sections }) => sections.map(({ id }) => id)));
  if (table === undefined || names.has(table)) return;
  throw new UsageFault(['No table of this report has that name.'], `name one of ${[...names].join(', ')}`);
}

type Counted = { readonly from: string; readonly until: string } | null;

function headText({ from, to, brand }: ReportRange, counted: Counted, { terminal }: CliTools): string {
  const days = `${from === to ? from : `${from} to ${to}`}, days in UTC`;
  const head = brand === null ? days : `${days}, only the part of ${brand}`;
  if (counted === null) {
    return `${head}\n${paragraph(`${terminal.styled('warning', '!')} Nothing was counted yet. Counting begins with the first request to a service on this data: run staywire serve, and search it with staywire try.`, '  ')}`;
  }
  if (counted.until.slice(0, 10) >= from && counted.from.slice(0, 10) <= to) return head;
  return `${head}\n${paragraph(`${terminal.styled('warning', '!')} Nothing was counted in this time, only from ${counted.from} to ${counted.until}: choose other days with --from and --to.`, '  ')}`;
}

function formatInstant(instant: number): string {
  return new Date(instant).toISOString().replace('.000Z', 'Z');
}

function reportJson({ id, title, about, tiles, sections }: Report) {
  return {
    id,
    title,
    about,
    figures: tiles.map(({ id: figure, label, value, unit, note = null }) => ({
      id: figure,
      label,
      value: plainCell(value, unit),
      unit,
      note,
    })),
    tables: sections.map(({ id: table, title: heading, note = null, columns, rows }) => ({
      id: table,
      title: heading,
      note,
      columns: columns.map(({ id: column, label, unit }) => ({ id: column, label, unit })),
      rows: rows.map((row) =>
        Object.fromEntries(columns.flatMap((column, at) => membersOf(column, row[at] ?? null))),
      ),
    })),
  };
}

/** A named value has its identifier in the column and its name in a second member. */
function membersOf(
  { id, unit }: Column,
  value: Cell,
): readonly (readonly [string, string | number | null])[] {
  const plain = [id, plainCell(value, unit)] as const;
  return unit === 'named'
    ? [plain, [`${id}_name`, value === null ? null : formatCell(value, unit)]]
    : [plain];
}

/** A single table alone; several tables each below a line with its name, with an empty line between them. */
function reportsCsv(reports: readonly Report[]): string {
  const tables = reports.flatMap(({ id, sections }) =>
    sections.map((table): readonly [string, ReportTable] => [`${id}/${table.id}`, table]),
  );
  const [first, ...others] = tables;
  if (first && others.length === 0) return tableCsv(first[1]);
  return tables.map(([name, table]) => `${name}\r\n${tableCsv(table)}`).join('\r\n');
}

/** The health of operators from the store; null for values that only a running service has. */
async function storedHealth(
  { brands }: Pick<Network, 'brands'>,
  documents: Pick<InventoryStore, 'document'>,
  controls: Pick<BrandControls, 'all'>,
  systemOf: (brand: BrandId) => string,
  now: number,
): Promise<readonly OperatorHealth[]> {
  const paused = new Map((await controls.all()).map(({ brand, pausedAt }) => [brand, pausedAt]));
  const healthOf = async (brand: BrandId): Promise<OperatorHealth> => {
    const [record, report] = await Promise.all([
      readSyncRecord(documents, brand),
      readRejections(documents, brand),
    ]);
    const { name = brand } = brands.get(brand) ?? {};
    const pausedAt = paused.get(brand) ?? null;
    // As in a service, a paused brand offers no home.
    const isOffered = pausedAt === null;
    const oldest = isOffered ? (record?.oldestCalendarAt ?? null) : null;
    return {
      brand,
      name,
      system: systemOf(brand),
      lastReadAt: record?.completedAt ?? null,
      lastFailure: record?.lastFailure?.kind ?? null,
      lastFailureMessage: record?.lastFailure?.message ?? null,
      homes: isOffered ? (record?.offered ?? null) : 0,
      oldestCalendarMs: oldest === null ? null : Math.max(0, now - oldest),
      calendarsWaiting: record?.waiting ?? null,
      breaker: null,
      pausedAt,
      budget: null,
      rejections: (report?.rejections ?? []).map(({ reference, field, rule, value, repaired = false }) => ({
        reference,
        field,
        rule,
        value: value ?? null,
        remedy: REJECTION_RULES[rule].remedy,
        isRepaired: repaired,
      })),
      unlistedRejections: report?.notListed ?? 0,
    };
  };
  return Promise.all([...brands.keys()].map(healthOf));
}
