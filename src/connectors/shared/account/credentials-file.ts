import { readFileSync } from 'node:fs';
import { invalid, type Reading, valid } from '../../../parsing/reading.ts';
import { replaceFile } from '../../../parsing/replace-file.ts';
import { seal } from '../../../parsing/sealed-text.ts';
import type { Random } from '../../../random.ts';
import { CREDENTIALS_PURPOSE, type SealedCredentials, unsealCredentials } from './account-credentials.ts';

/** A file that is not there has no credentials yet. */
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

/** Replaces the file at once, so that an interruption leaves the old one whole. Only its owner can read it. */
export function writeCredentialsFile(
  path: string,
  key: Uint8Array,
  credentials: SealedCredentials,
  random: Random,
): void {
  const text = seal(JSON.stringify(Object.fromEntries(credentials)), key, CREDENTIALS_PURPOSE, random);
  replaceFile(path, `${text}\n`, 0o600);
}
