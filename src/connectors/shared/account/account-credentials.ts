import { readFileSync } from 'node:fs';
import { invalid, type Reading, valid } from '../../../parsing/reading.ts';
import { replaceFile } from '../../../parsing/replace-file.ts';
import { seal, unseal } from '../../../parsing/sealed-text.ts';
import type { Random } from '../../../random.ts';

/** A secret that a vendor's customer enters: shown in the documents and by `staywire connect`. */
export type CredentialDescription = {
  readonly title: string;
  /** Where the vendor shows it. */
  readonly found: string;
  /** Only some customers have it; the connector gets an empty text when it is missing. */
  readonly isOptional?: true;
};

/** By account, then by the name of the secret. */
export type SealedCredentials = ReadonlyMap<string, Readonly<Record<string, string>>>;

const USABLE = /^[\x21-\x7e]{1,4096}$/;
const CREDENTIALS_PURPOSE = 'staywire credentials';

/** The environment wins, so that an owner can replace a secret without writing the file. */
export function credentialVariable(account: string, name: string): string {
  return `STAYWIRE_SECRET_${account}_${name}`.toUpperCase().replaceAll('-', '_');
}

/** All secrets of an account, or a fault for each missing one; optional ones may be empty. A fault never shows a secret. */
export function readCredentials<Name extends string>(
  account: string,
  names: readonly Name[],
  {
    env,
    sealed,
    optional = [],
  }: {
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly sealed: SealedCredentials;
    readonly optional?: readonly Name[];
  },
): Reading<Readonly<Record<Name, string>>> {
  const faults: string[] = [];
  const found: [string, string][] = [];
  for (const name of names) {
    const variable = credentialVariable(account, name);
    const secret = env[variable]?.trim() || sealed.get(account)?.[name];
    if (secret === undefined && optional.includes(name)) found.push([name, '']);
    else if (secret === undefined) {
      faults.push(`has no ${name} for the account ${account}: set ${variable}, or run staywire connect`);
    } else if (!USABLE.test(secret))
      faults.push(`the ${name} of the account ${account} has a character that no secret has`);
    else found.push([name, secret]);
  }
  // Without faults there is a secret for every name.
  return faults.length > 0 ? invalid(...faults) : valid(Object.fromEntries(found) as Record<Name, string>);
}

/** 32 bytes, as 64 hexadecimal digits or in base64. */
export function readCredentialsKey(text: string): Uint8Array | undefined {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  const bytes = /^[A-Za-z0-9+/_-]{43}=?$/.test(text) ? Buffer.from(text, 'base64url') : undefined;
  return bytes?.length === 32 ? bytes : undefined;
}

/** Reads the text that `writeCredentialsFile` writes. */
function unsealCredentials(text: string, key: Uint8Array): Reading<SealedCredentials> {
  const json = unseal(text, key, CREDENTIALS_PURPOSE);
  if (json === undefined) return invalid('cannot be opened with this key, or was changed');
  const accounts: Record<string, Record<string, string>> = JSON.parse(json);
  return valid(new Map(Object.entries(accounts)));
}

/** A missing file is empty. */
export function readCredentialsFile(path: string, key: Uint8Array): Reading<SealedCredentials> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return valid(new Map());
    return invalid(error instanceof Error ? error.message : String(error));
  }
  return unsealCredentials(text, key);
}

/** Replaces the file atomically: an interruption leaves the old one intact. Only the file's owner can read it. */
export function writeCredentialsFile(
  path: string,
  key: Uint8Array,
  credentials: SealedCredentials,
  random: Random,
): void {
  const text = seal(JSON.stringify(Object.fromEntries(credentials)), key, CREDENTIALS_PURPOSE, random);
  replaceFile(path, `${text}\n`, 0o600);
}
