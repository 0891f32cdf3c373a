import { createAvailabilityIndex } from '../../availability/tiled-index.ts';
import { HORIZON_NIGHTS } from '../../catalogue/calendar.ts';
import { DEFAULT_BRAND_BUDGET } from '../../catalogue/catalogue.ts';
import type { NetworkSettings } from '../../network/read-network.ts';
import { readRejections, type StoredRejections } from '../../sync/brand-documents.ts';
import { createSynchroniser, type Synchroniser } from '../../sync/synchroniser.ts';
import { type CliTools, type CommandResult, EXIT, type OpenedInventory } from '../command.ts';
import { adviceFor, UsageFault } from '../faults.ts';
import { counted, paragraph, type Terminal } from '../terminal.ts';
import {
  assertCanSign,
  chosenBrands,
  onlyThese,
  openWorkspace,
  readWorkspaceNetwork,
  type Workspace,
  type WorkspaceOptions,
} from '../workspace.ts';
import { rejectionsJson, rejectionsText } from './rejections.ts';

export type SyncOptions = WorkspaceOptions & {
  /** Reads all calendars, not only those that are due. */
  readonly full?: boolean;
  /** Repeats at the refresh interval until it is interrupted. */
  readonly watch?: boolean;
};

/** Long enough for a vendor's limit over five minutes; not for one over an hour or a day. */
const MAX_ACCOUNT_WAIT_MS = 330_000;
/** Together they last less than a minute. */
const MAX_PAUSES_IN_A_ROW = 2;

type BrandRun = NonNullable<Awaited<ReturnType<Synchroniser['refreshBrand']>>>;
type SyncedRun = { readonly brand: string; readonly run: BrandRun; readonly report: StoredRejections | null };

/** Reads catalogues and calendars into the store. Keeps what was read before an interruption, and continues from there. */
export async function sync(
  brand: string | undefined,
  { full = false, watch = false, ...options }: SyncOptions,
  tools: CliTools,
): Promise<CommandResult> {
  const workspace = openWorkspace(tools, options);
  assertCanSign(workspace.settings);
  const settings = readWorkspaceNetwork(tools, workspace, brand === undefined ? undefined : [brand]);
  const brands = chosenBrands(settings, brand);
  const storage = await openStore(tools, workspace);
  const intake = tools.createIntake(settings.network);
  const systems = tools.connectNetwork({
    ...onlyThese(settings, brands),
    store: storage.inventory,
    intake,
    settings: workspace.settings,
    maxAccountWaitMs: watch ? Number.POSITIVE_INFINITY : MAX_ACCOUNT_WAIT_MS,
  });
  const synchroniser = createSynchroniser({
    systems,
    index: createAvailabilityIndex(settings.network, { now: tools.clock.now() }),
    store: storage.inventory,
    network: settings.network,
    clock: tools.clock,
    random: tools.random,
    refreshMs: settings.refreshSeconds * 1000,
    horizonNights: HORIZON_NIGHTS,
    budgetOf: (id) => settings.connections.get(id)?.budget ?? DEFAULT_BRAND_BUDGET,
    observe: observerFor(tools.terminal),
    ...(watch ? {} : { maxPausesInARow: MAX_PAUSES_IN_A_ROW }),
  });
  try {
    await synchroniser.loadStored();
    let runs = await runOnce(full ? 'full' : 'incremental');
    while (watch && !tools.signal.aborted) {
      tools.terminal.note(summaryOf(runs, tools.terminal));
      await waitFor(settings, tools);
      if (!tools.signal.aborted) runs = await runOnce('incremental');
    }
    return resultOf(runs, tools);
  } finally {
    await synchroniser.stop();
    for (const system of systems.values()) await system.close();
    await intake.close();
    await storage.close();
  }

  async function runOnce(mode: 'full' | 'incremental'): Promise<readonly SyncedRun[]> {
    const runs: SyncedRun[] = [];
    for (const id of brands) {
      const bar = tools.terminal.progress(`${id}: calendars`);
      tools.terminal.note(`${id}: reading the catalogue …`);
      const run = await synchroniser.refreshBrand(id, {
        mode,
        signal: tools.signal,
        onProgress: ({ phase, done, total }) => {
          if (phase === 'calendars' && total > 0) bar.update(done, total);
        },
      });
      if (!run) continue;
      const hasReadNothing = run.outcome === 'failed' && run.listings === 0;
      bar.end(
        hasReadNothing
          ? `${id}: could not be read`
          : `${id}: ${counted(run.listings, 'listing')}, ${counted(run.calendarsRead, 'calendar')} read in ${seconds(run.milliseconds)}`,
      );
      runs.push({ brand: id, run, report: (await readRejections(storage.inventory, id)) ?? null });
      if (tools.signal.aborted) break;
    }
    return runs;
  }
}

async function openStore(tools: CliTools, { settings }: Workspace): Promise<OpenedInventory> {
  try {
    return await tools.openInventory(settings);
  } catch (failure) {
    const isRunning = failure instanceof Error && 'kind' in failure && failure.kind === 'in_use';
    if (!isRunning) throw failure;
    throw new UsageFault(
      [`The service is running on ${settings.dataDirectory}, and reads its operators by itself.`],
      'look at what it held back with staywire held-back; restart it when the network file has changed; stop it to synchronise by hand',
    );
  }
}

function waitFor({ refreshSeconds }: NetworkSettings, { clock, signal }: CliTools): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      cancel();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const cancel = clock.after(refreshSeconds * 1000, end);
    signal.addEventListener('abort', end);
  });
}

function observerFor(terminal: Terminal): Parameters<typeof createSynchroniser>[0]['observe'] {
  return {
    refreshed: () => undefined,
    failed: () => undefined,
    paused: (brand, milliseconds) =>
      terminal.note(`${brand}: its vendor wants a pause of ${seconds(milliseconds)} …`),
    withdrawn: () => undefined,
    // No search uses this index, which ends with the command.
    dateNotFollowed: () => {},
    clockWasSet: () => undefined,
    indexFull: (brand, calendars) =>
      terminal.note(`The index has no memory for ${calendars} calendars of ${brand}.`),
    loaded: () => undefined,
    storedRejections: () => undefined,
    controlsNotRead: () => undefined,
    storeFailed: (error) => terminal.note(`The store cannot be written: ${String(error)}`),
  };
}

function resultOf(runs: readonly SyncedRun[], { terminal, signal }: CliTools): CommandResult {
  const hasFailed = runs.some(({ run }) => run.outcome === 'failed');
  return {
    exit: signal.aborted ? EXIT.interrupted : hasFailed ? EXIT.faults : EXIT.done,
    json: {
      brands: runs.map(({ brand, run, report }) => ({
        brand,
        outcome: run.outcome,
        listings: run.listings,
        calendars_read: run.calendarsRead,
        milliseconds: Math.round(run.milliseconds),
        failures: run.failures.map(({ kind, error }) => ({ kind, message: messageOf(error) })),
        ...rejectionsJson(report),
      })),
    },
    text: summaryOf(runs, terminal),
  };
}

function summaryOf(runs: readonly SyncedRun[], terminal: Terminal): string {
  return runs
    .map(({ brand, run, report }) => {
      const [failure] = run.failures;
      const failed = failure ? `\n\n${failureText(failure, terminal)}` : '';
      const stopped = run.outcome === 'interrupted' ? '\n\nInterrupted; the next run goes on from here.' : '';
      return rejectionsText(brand, report, terminal) + failed + stopped;
    })
    .join('\n\n');
}

function failureText({ kind, error }: BrandRun['failures'][number], { styled }: Terminal): string {
  const advice = adviceFor(kind);
  const what = `${styled('bad', '✖')} ${kind}: ${messageOf(error)}; what was read before stays on offer`;
  return [paragraph(what, '  '), ...(advice === null ? [] : [paragraph(`→ ${advice}`, '  ')])].join('\n');
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}
