import { type TSchema, Type } from 'typebox';
import type { BrandId } from '../catalogue/catalogue.ts';
import type { Connector } from '../connectors/connector.ts';
import { CONNECTORS } from '../connectors/connectors.ts';
import {
  credentialVariable,
  readCredentialsFile,
  type SealedCredentials,
  writeCredentialsFile,
} from '../connectors/shared/account/account-credentials.ts';
import { whileLocked } from '../parsing/file-lock.ts';
import type { CliTools } from './command.ts';
import { shellOption, UsageFault } from './faults.ts';
import type { BrandInFile } from './network-file.ts';
import type { Terminal } from './terminal.ts';
import { OPEN_CREDENTIALS, type Workspace } from './workspace.ts';

const connectors: readonly Connector[] = CONNECTORS;
export const SYSTEM_KINDS: readonly string[] = connectors.map(({ kind }) => kind);

/** The connector of the kind that the options name or the owner chooses; suggests the brand's current one. */
export async function chooseSystem(
  system: string | undefined,
  terminal: Terminal,
  before: BrandInFile | undefined,
): Promise<Connector> {
  const current = memberOf(before?.booking_system, 'kind');
  const isKnown = connectors.some(({ kind }) => kind === current);
  const kind =
    system ??
    (isKnown && !terminal.canAsk ? String(current) : undefined) ??
    (await terminal.ask({
      message: 'Booking system',
      option: `--system: one of ${SYSTEM_KINDS.join(', ')}`,
      choices: connectors.map(({ kind: value, documentation }) => ({ value, label: documentation.title })),
      ...(isKnown ? { initial: String(current) } : {}),
    }));
  const connector = connectors.find((one) => one.kind === kind);
  if (connector) return connector;
  throw new UsageFault([`There is no connector for ${kind}.`], `use one of ${SYSTEM_KINDS.join(', ')}`);
}

/** The entry of the booking system, from the options and the previous entry; asks for required members that are missing. */
export async function completeEntry(
  connector: Connector,
  brand: BrandId,
  { set = [], account }: { readonly set?: readonly string[]; readonly account?: string },
  terminal: Terminal,
  before: BrandInFile | undefined,
): Promise<Readonly<Record<string, unknown>>> {
  const members: readonly [string, TSchema][] = Object.entries(connector.entry.properties);
  const hasAccount = members.some(([name]) => name === 'account');
  if (account !== undefined && !hasAccount)
    throw new UsageFault([`${connector.kind} has no accounts.`], 'leave out --account');
  const previous = memberOf(before?.booking_system, 'kind') === connector.kind ? before?.booking_system : {};
  const entry: Record<string, unknown> = { ...(previous as object), kind: connector.kind };
  for (const assignment of set) Object.assign(entry, assigned(assignment, connector, members));
  if (hasAccount) entry.account = account ?? entry.account ?? brand;
  for (const [name, schema] of members) {
    if (name in entry || Type.IsOptional(schema)) continue;
    const { description = name } = schema as { readonly description?: string };
    const answer = await terminal.ask({
      message: `${name} (${description.replace(/\.$/, '')})`,
      option: `--set ${name}=…`,
    });
    entry[name] = asMember(answer, schema);
  }
  return entry;
}

export function settableMembers({ entry }: Connector): readonly string[] {
  return Object.keys(entry.properties).filter((name) => name !== 'kind');
}

function assigned(
  assignment: string,
  connector: Connector,
  members: readonly [string, TSchema][],
): Readonly<Record<string, unknown>> {
  const [name = '', ...value] = assignment.split('=');
  const member = members.find(([known]) => known === name && name !== 'kind');
  if (member && value.length > 0) return { [name]: asMember(value.join('='), member[1]) };
  throw new UsageFault(
    [`${shellOption('--set', assignment)} is not a member of ${connector.kind}.`],
    `write member=value with one of ${settableMembers(connector).join(', ')}`,
  );
}

/** Text where the schema has text, even if it looks like a number; otherwise JSON. Validation against the schema comes later. */
function asMember(text: string, schema: TSchema): unknown {
  if (Type.IsString(schema)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

type AccountSecrets = {
  /** The content of the encrypted file with the given secrets. */
  readonly sealed: SealedCredentials;
  /** Writes the encrypted file if secrets were given. */
  save(): Promise<void>;
};

/** Takes the secrets of an account from the input, the environment or the encrypted file, and asks for the rest. */
export async function readSecrets(
  { credentials }: Pick<Connector, 'credentials'>,
  account: string,
  isPiped: boolean,
  {
    terminal,
    readInput,
    random,
    clock,
    signal,
  }: Pick<CliTools, 'terminal' | 'readInput' | 'random' | 'clock' | 'signal'>,
  { env, settings }: Workspace,
): Promise<AccountSecrets> {
  const { credentialsFile, credentialsKey } = settings;
  const sealed = sealedIn(settings);
  const piped = isPiped ? pipedSecrets(await readInput(), Object.keys(credentials)) : {};
  const given: Record<string, string> = {};
  for (const [name, { title, found, isOptional = false }] of Object.entries(credentials)) {
    const variable = credentialVariable(account, name);
    const known = piped[name];
    if (known !== undefined) given[name] = known;
    else if (env[variable]?.trim() || sealed.get(account)?.[name] || isOptional) continue;
    else {
      const option = `${variable} in the environment, or --secrets-from-stdin`;
      given[name] = await terminal.ask({ message: `${title} (${found})`, option, isSecret: true });
    }
  }
  const isNew = Object.keys(given).length > 0;
  if (isNew && (credentialsFile === null || credentialsKey === null)) {
    throw new UsageFault(
      ['There is nowhere to keep the secrets.'],
      'set STAYWIRE_CREDENTIALS and STAYWIRE_CREDENTIALS_KEY (staywire init writes both into .env), or give the secrets in the environment',
    );
  }
  const withGiven = (before: SealedCredentials) =>
    new Map(before).set(account, { ...before.get(account), ...given });
  return {
    sealed: withGiven(sealed),
    async save() {
      if (!isNew || credentialsFile === null || credentialsKey === null) return;
      // Read the file again under the lock: another command may have added secrets meanwhile.
      await whileLocked(credentialsFile, { clock, signal }, () =>
        writeCredentialsFile(credentialsFile, credentialsKey, withGiven(sealedIn(settings)), random),
      );
    },
  };
}

function sealedIn({ credentialsFile, credentialsKey }: Workspace['settings']): SealedCredentials {
  if (credentialsFile === null || credentialsKey === null) return new Map();
  const reading = readCredentialsFile(credentialsFile, credentialsKey);
  if (reading.kind === 'valid') return reading.value;
  throw new UsageFault(
    reading.faults.map((fault) => `${credentialsFile} ${fault}.`),
    OPEN_CREDENTIALS,
  );
}

function pipedSecrets(text: string, names: readonly string[]): Readonly<Record<string, string>> {
  const next = `pipe one JSON object with ${names.join(' and ') || 'no secret: this booking system has none'}`;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The input may be a secret: repeat nothing of it.
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UsageFault(['The input is not a JSON object of secrets.'], next);
  const secrets: Record<string, string> = {};
  for (const [name, secret] of Object.entries(value)) {
    if (!names.includes(name)) throw new UsageFault(['The input has a secret that is not asked for.'], next);
    if (typeof secret !== 'string' || secret.trim() === '')
      throw new UsageFault([`The ${name} in the input is not a text.`], next);
    secrets[name] = secret.trim();
  }
  return secrets;
}
