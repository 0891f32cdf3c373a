import { createHmac } from 'node:crypto';
import type { PasswordRecord } from './password-record.ts';

/**
 * What a browser keeps that was signed in with this password: it proves that, and opens nothing. It is the same for all of them, outlives a
 * restart, and is worth nothing with another password. Nobody learns the record from it, whose salt nobody can guess.
 */
export function knownBrowserProof(password: PasswordRecord): string {
  return createHmac('sha256', password).update('was signed in to the console').digest('base64url');
}
