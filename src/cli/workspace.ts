import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import type { NetworkFault, NetworkSettings } from '../network/read-network.ts';
import { readOwnIdentity } from '../outbound/signing.ts';
import { readJsonFile } from '../parsing/read-file.ts';
import type { CliEnvironment, CliSettings, CliTools } from './command.ts';
import { UsageFault } from './faults.ts';
import { readNetworkDocument } from './network-file.ts';

export const NETWORK_FILE = 'network.jsonc';
export const ENVIRONMENT_FILE = '.env';
export const CREDENTIALS_FILE = 'credentials.sealed';

export type WorkspaceOptions = { readonly network?: string | undefined; readonly data?: string | undefined };

/** The environment of a command, and the settings in it. */
export type Workspace = { readonly env: CliEnvironment; readonly settings: CliSettings };

/** Options of the command line win over the environment, which wins over `.env` in the folder. */
export function openWorkspace(
  tools: Pick<CliTools, 'env' | 'directory' | 'readSettings'>,
  options: WorkspaceOptions,
): Workspace {
  const env = workspaceEnvironment(tools, options);
  assertHasNetwork(env);
  return { env, settings: settingsIn(tools, env) };
}

/** For commands that need no network file. */
export function openSettings(
  tools: Pick<CliTools, 'env' | 'directory' | 'readSettings'>,
  options: WorkspaceOptions,
): Omit<CliSettings, 'networkFile'> {
  return settingsIn(tools, { STAYWIRE_NETWORK: NETWORK_FILE, ...workspaceEnvironment(tools, options) });
}

function settingsIn({ readSettings }: Pick<CliTools, 'readSettings'>, env: CliEnvironment): CliSettings {
  const settings = readSettings(env);
  if (settings.kind === 'valid') return settings.value;
  throw new UsageFault(settings.faults, 'see docs/running.md for every setting');
}

/** The environment of a command; without `STAYWIRE_NETWORK` where there is no network file. */
export function workspaceEnvironment(
  { env, directory }: Pick<CliTools, 'env' | 'directory'>,
  { network, data }: WorkspaceOptions,
): CliEnvironment {
  const file = resolve(directory, ENVIRONMENT_FILE);
  const fromFile = existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {};
  const all: Record<string, string | undefined> = { ...fromFile, ...env };
  const found = [NETWORK_FILE, 'network.json'].find((name) => existsSync(resolve(directory, name)));
  const named = network ?? all.STAYWIRE_NETWORK ?? found;
  if (named !== undefined) all.STAYWIRE_NETWORK = named;
  if (data !== undefined) all.STAYWIRE_DATA_DIR = data;
  // Resolve paths against the folder in which the command runs: code that reads them later may run elsewhere.
  for (const name of [
    'STAYWIRE_NETWORK',
    'STAYWIRE_DATA_DIR',
    'STAYWIRE_CREDENTIALS',
    'STAYWIRE_ASSISTANTS',
    'STAYWIRE_SIGNING_KEYS',
  ]) {
    const path = all[name];
    if (path) all[name] = resolve(directory, path);
  }
  return all;
}

export function assertHasNetwork({ STAYWIRE_NETWORK: named }: CliEnvironment): void {
  if (named) return;
  throw new UsageFault(
    ['There is no network file here.'],
    'write one with staywire init, or name one with --network FILE',
  );
}

/** For commands that ask operators, before they open anything. */
export function assertCanSign(settings: CliSettings): void {
  const identity = readOwnIdentity(settings);
  if (identity.kind === 'invalid')
    throw new UsageFault(identity.faults, 'see docs/running.md for the keys by which requests are signed');
}

/** The network with the connections of these brands, or one fault that names everything wrong with it; all brands when left out. */
export function readWorkspaceNetwork(
  tools: CliTools,
  { env, settings }: Workspace,
  connected?: readonly string[],
): NetworkSettings {
  const { networkFile } = settings;
  const reading = tools.readNetworkSettings(env, connected);
  if (reading.kind === 'valid') return reading.value;
  // First the clearer faults: a file that cannot be read, or that has no brand yet.
  readNetworkDocument(networkFile);
  assertHasBrands(networkFile);
  throw new UsageFault(
    reading.faults.map(({ message }) => message),
    remedyFor(reading.faults, tools.directory, networkFile),
  );
}

export const OPEN_CREDENTIALS =
  'set STAYWIRE_CREDENTIALS_KEY to the key with which it was written; if the file is damaged, put a copy in its place, or take it away and run staywire connect again';

function remedyFor(faults: readonly NetworkFault[], directory: string, networkFile: string): string {
  const remedies = [
    ...(faults.some(({ about }) => about === 'network_file')
      ? ['mend the network file (docs/network-file.md)']
      : []),
    ...(faults.some(({ about }) => about === 'credentials_file') ? [OPEN_CREDENTIALS] : []),
    ...(faults.some(({ about }) => about === 'secret') ? [GIVE_SECRETS] : []),
  ];
  const isOfFile = faults.every(({ about }) => about === 'network_file');
  return remedies.join('; ') + (isOfFile ? '' : otherEnvironmentFile(directory, networkFile));
}

export const GIVE_SECRETS =
  'set what is missing in the environment or in .env (docs/command-line.md has the names)';

/** Only `.env` of the current folder is read; an owner who names a network elsewhere may expect that of its folder. */
function otherEnvironmentFile(directory: string, networkFile: string): string {
  const beside = join(dirname(networkFile), ENVIRONMENT_FILE);
  const isOther = beside !== resolve(directory, ENVIRONMENT_FILE) && existsSync(beside);
  return isOther ? `; ${beside} is not read from here: run the command in its folder` : '';
}

/** Throws for a network file without brands, as `init` writes it. Ignores all other faults of the file. */
export function assertHasBrands(networkFile: string): void {
  const file = readJsonFile(networkFile);
  const brands = file.kind === 'valid' ? Reflect.get(Object(file.value), 'brands') : undefined;
  if (!Array.isArray(brands) || brands.length > 0) return;
  throw new UsageFault(
    ['There is no brand on this network yet.'],
    'connect the first with staywire connect BRAND',
  );
}

/** The brands that a command is about: the one that is named, or all. */
export function chosenBrands({ network }: NetworkSettings, brand: string | undefined): readonly string[] {
  const all = [...network.brands.keys()];
  if (brand === undefined) return all;
  if (network.brands.has(brand)) return [brand];
  throw new UsageFault([`There is no brand ${brand} on this network.`], `name one of ${all.join(', ')}`);
}

/** The network, with the connections of these brands alone. */
export function onlyThese({ network, connections }: NetworkSettings, brands: readonly string[]) {
  return { network, connections: new Map([...connections].filter(([id]) => brands.includes(id))) };
}
