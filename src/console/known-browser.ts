import { createHmac } from 'node:crypto';
import type { PasswordRecord } from './password-record.ts';

/**
 * What a browser keeps that was signed in with this password: it proves that, and opens nothing. It is the same for all browsers of an account of
 * the machine (null where it is not known), because other accounts may get hold of it; it outlives a restart, and is worth nothing with another
 * password. Nobody learns the record from it, whose salt nobody can guess.
 */
export function knownBrowserProof(password: PasswordRecord, account: number | null): string {
  return createHmac('sha256', password)
    .update(`account ${account} was signed in to the console`)
    .digest('base64url');
}
