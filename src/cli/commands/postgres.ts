import { existsSync, readFileSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { readJsonFile } from '../../parsing/read-file.ts';
import type { StoreMigration } from '../../storage/stores.ts';
import { type CliTools, type CommandResult, EXIT } from '../command.ts';
import { UsageFault } from '../faults.ts';
import { counted, table } from '../terminal.ts';
import { openSettings, openWorkspace, readWorkspaceNetwork, type WorkspaceOptions } from '../workspace.ts';

/** Checks the network file and the credentials as a start does, and stores both unchanged for all nodes. */
export async function storeNetwork(options: WorkspaceOptions, tools: CliTools): Promise<CommandResult> {
  const workspace = openWorkspace(tools, options);
  const { networkFile, credentialsFile, postgresUrl } = workspace.settings;
  const { network } = readWorkspaceNetwork(tools, workspace);
  assertNeedsNoFiles(networkFile);
  const credentials =
    credentialsFile !== null && existsSync(credentialsFile) ? readFileSync(credentialsFile) : null;
  const documents = await tools.openNetworkDocuments(addressOf(postgresUrl));
  try {
    const revision = await documents.store({ network: readFileSync(networkFile), credentials });
    const brands = [...network.brands.keys()];
    const what = credentials ? 'and its sealed credentials' : 'without credentials';
    return {
      exit: EXIT.done,
      json: { revision, brands, credentials: credentials !== null },
      text: [
        `Stored the network of ${counted(brands.length, 'brand')} ${what}: revision ${revision}.`,
        'Nodes without STAYWIRE_NETWORK take it when they start.',
      ].join('\n'),
    };
  } finally {
    await documents.close();
  }
}

/** Prints the stored network file as it is, to read it or to edit and store it again. */
export async function showNetwork(options: WorkspaceOptions, tools: CliTools): Promise<CommandResult> {
  const { postgresUrl } = openSettings(tools, options);
  const documents = await tools.openNetworkDocuments(addressOf(postgresUrl));
  try {
    const stored = await documents.stored();
    if (!stored) {
      throw new UsageFault(
        ['No network is stored in PostgreSQL yet.'],
        'store the one of this folder with staywire network store',
      );
    }
    const { revision, storedAt } = stored;
    const network = new TextDecoder().decode(stored.network);
    const hasCredentials = stored.credentials !== null;
    tools.terminal.note(
      `Revision ${revision}, stored ${storedAt.toISOString()}, ${hasCredentials ? 'with sealed credentials' : 'without credentials'}.`,
    );
    return {
      exit: EXIT.done,
      json: { revision, stored_at: storedAt.toISOString(), credentials: hasCredentials, network },
      text: network.trimEnd(),
    };
  } finally {
    await documents.close();
  }
}

/** The address is never in a message, because it holds a password. */
function addressOf(postgresUrl: string | null): string {
  if (postgresUrl !== null) return postgresUrl;
  throw new UsageFault(
    ['STAYWIRE_POSTGRES_URL is not set.'],
    'set it to the address of the PostgreSQL that the nodes share, in the environment or in .env',
  );
}

/** Refuses relative paths of files, which exist on this machine only. */
function assertNeedsNoFiles(networkFile: string): void {
  const file = readJsonFile(networkFile);
  const brands: unknown = file.kind === 'valid' ? Reflect.get(Object(file.value), 'brands') : undefined;
  if (!Array.isArray(brands)) return;
  const faults = brands.flatMap((brand, position) => {
    const path: unknown = Reflect.get(Object(Reflect.get(Object(brand), 'booking_system')), 'file');
    if (typeof path !== 'string' || isAbsolute(path)) return [];
    return [`/brands/${position}/booking_system/file: ${path} is beside the network file of this machine.`];
  });
  if (faults.length === 0) return;
  throw new UsageFault(
    faults,
    'publish the file under an address, or name it by an absolute path that every node has',
  );
}

type MigrateStoreOptions = {
  readonly from: 'sqlite';
  readonly to: 'postgres';
  readonly data?: string;
  /** Allows a PostgreSQL that has homes already. */
  readonly merge?: boolean;
};

const MAX_SHOWN = 20;
const AGAIN = 'run the same command again: it goes on from there';
const PHASES = {
  catalogues: 'Moving homes',
  calendars: 'Moving calendars',
  quotes: 'Moving the ledger',
  counts: 'Moving counts and bookings',
  comparison: 'Comparing',
} as const;

/** Moves all lasting data from the embedded store of the data folder to PostgreSQL, and compares the two. */
export async function migrateStore(
  { data, merge = false }: MigrateStoreOptions,
  tools: CliTools,
): Promise<CommandResult> {
  const { dataDirectory, postgresUrl } = openSettings(tools, { data });
  const bars = new Map<string, ReturnType<CliTools['terminal']['progress']>>();
  const outcome = await tools
    .migrateStore({
      directory: dataDirectory,
      postgresUrl: addressOf(postgresUrl),
      merge,
      onProgress(phase, done, total) {
        const bar = bars.get(phase) ?? tools.terminal.progress(PHASES[phase]);
        bars.set(phase, bar);
        bar.update(done, total);
        if (done >= total) bar.end(`${PHASES[phase]}: done`);
      },
    })
    .catch((failure: unknown) => explained(failure, dataDirectory));
  switch (outcome.kind) {
    case 'refused':
      throw refusalOf(outcome);
    case 'interrupted':
      return {
        exit: EXIT.interrupted,
        json: { outcome: 'interrupted' },
        text: `Interrupted; to go on, ${AGAIN}.`,
      };
    case 'migrated':
      return resultOf(outcome);
  }
}

function explained(failure: unknown, dataDirectory: string): never {
  const kind = failure instanceof Error && 'kind' in failure ? failure.kind : undefined;
  if (kind === 'in_use') {
    throw new UsageFault([`The service is running on ${dataDirectory}.`], 'stop it, and run this again');
  }
  const message = failure instanceof Error ? failure.message : String(failure);
  if (kind === 'unreachable') throw new UsageFault([message], `once PostgreSQL answers, ${AGAIN}`);
  throw failure;
}

function refusalOf({ reason, examples }: Extract<StoreMigration, { kind: 'refused' }>): UsageFault {
  const details = { reason, examples };
  return reason === 'nodes_are_running'
    ? new UsageFault(
        [`Nodes work on this PostgreSQL: ${examples.join(', ')}.`],
        'stop them, wait half a minute, and run this again',
        null,
        details,
      )
    : new UsageFault(
        [`PostgreSQL has homes that are not in the embedded store, such as ${examples.join(', ')}.`],
        'choose another database; or add --merge to keep other brands and to replace those of the same name',
        null,
        details,
      );
}

function resultOf({
  counts,
  isCopy,
  differing,
}: Extract<StoreMigration, { kind: 'migrated' }>): CommandResult {
  const { homes, calendars, documents, learned, ...others } = counts;
  const moved = { ...(!isCopy && { homes, calendars, documents, learned }), ...others };
  const rows = Object.entries(moved).map(([what, number]) => [what, String(number)]);
  const copied = isCopy
    ? ['The homes in this folder are the copy of a node that works with PostgreSQL, and were left alone.']
    : [];
  const verdict =
    differing.length === 0
      ? ['Everything is in PostgreSQL as it was here. Sessions are not moved: they end within half an hour.']
      : [
          `${counted(differing.length, 'difference')} between the two, because somebody has written meanwhile:`,
          ...differing.slice(0, MAX_SHOWN).map((what) => `  ${what}`),
          `→ ${AGAIN}`,
        ];
  return {
    exit: differing.length === 0 ? EXIT.done : EXIT.faults,
    json: { outcome: 'migrated', moved, homes_left_alone: isCopy, differing },
    text: [table(rows), '', ...copied, ...verdict].join('\n'),
  };
}
