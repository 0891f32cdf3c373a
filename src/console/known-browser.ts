import { createHmac } from 'node:crypto';
import type { PasswordRecord } from '../access/owner-settings.ts';
import { isSameToken } from './guard.ts';

/** So much of a proof is the same for every account. */
const HALF = 21;

/**
 * What a browser keeps that was signed in with this password: it proves that, and opens nothing. It is the same for all browsers of an account of
 * the machine (null where it is not known), because other accounts may get hold of it; it outlives a restart, and is worth nothing with another
 * password. Nobody learns the record from it, whose salt nobody can guess.
 */
export function knownBrowserProof(password: PasswordRecord, account: number | null): string {
  const digestOf = (who: string) =>
    createHmac('sha256', password).update(`${who} was signed in to the console`).digest('base64url');
  return digestOf('an account').slice(0, HALF) + digestOf(`account ${account}`).slice(HALF);
}

/** Whether it proves that some account was signed in. */
export function isOfKnownBrowser(proof: string, password: PasswordRecord): boolean {
  return isSameToken(proof.slice(0, HALF), knownBrowserProof(password, null).slice(0, HALF));
}
