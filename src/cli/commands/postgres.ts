import { existsSync, readFileSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { readJsonFile } from '../../parsing/read-file.ts';
import { type CliTools, type CommandResult, EXIT } from '../command.ts';
import { UsageFault } from '../faults.ts';
import { counted, paragraph } from '../terminal.ts';
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

/** Copies what no operator can give again from the embedded store of the data folder to PostgreSQL. */
export async function migrateStore(
  { data }: { readonly data?: string },
  tools: CliTools,
): Promise<CommandResult> {
  const { dataDirectory, postgresUrl } = openSettings(tools, { data });
  const options = { directory: dataDirectory, postgresUrl: addressOf(postgresUrl) };
  const copied = await tools
    .migrateStore(options)
    .catch((failure: unknown) => explained(failure, dataDirectory));
  const { quotes, bookings, pausedBrands } = copied;
  return {
    exit: EXIT.done,
    json: { outcome: 'migrated', quotes, bookings, paused_brands: pausedBrands },
    text: paragraph(
      `${counted(quotes, 'quote')} of the ledger, ${counted(bookings, 'reported booking')} and the pauses of ${counted(pausedBrands, 'brand')} are in PostgreSQL. The nodes read homes and calendars from the operators.`,
    ),
  };
}

function explained(failure: unknown, dataDirectory: string): never {
  const kind = failure instanceof Error && 'kind' in failure ? failure.kind : undefined;
  if (kind === 'in_use') {
    throw new UsageFault([`The service is running on ${dataDirectory}.`], 'stop it, and run this again');
  }
  const message = failure instanceof Error ? failure.message : String(failure);
  if (kind === 'unreachable') throw new UsageFault([message], 'once PostgreSQL answers, run this again');
  throw failure;
}
