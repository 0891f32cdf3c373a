import type { Connector } from '../connectors/connector.ts';
import {
  credentialVariable,
  readCredentialsFile,
  type SealedCredentials,
  writeCredentialsFile,
} from '../connectors/shared/account/account-credentials.ts';
import { whileLocked } from '../parsing/file-lock.ts';
import type { CliTools } from './command.ts';
import { UsageFault } from './faults.ts';
import { OPEN_CREDENTIALS, type Workspace } from './workspace.ts';

export type AccountSecrets = {
  /** What the encrypted file will hold: what it holds now, and what was given. */
  readonly sealed: SealedCredentials;
  /** Writes the encrypted file when something was given. */
  save(): Promise<void>;
};

/** The secrets of an account: piped in, from the environment or the encrypted file, or asked for. */
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
      // Read again, because other secrets may have been added while the booking system was asked, or are added at this moment.
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
    // What was piped may be a secret, so nothing of it is repeated.
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
