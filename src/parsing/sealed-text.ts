import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import type { Random } from '../random.ts';

/** AES-256-GCM. `purpose` is authenticated with the text, so that a text sealed for one purpose is invalid for another. */
const VERSION = 'v1';
const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;

export function seal(text: string, key: Uint8Array, purpose: string, random: Random): string {
  const nonce = random.bytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(purpose));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return [VERSION, ...[nonce, cipher.getAuthTag(), sealed].map((part) => part.toString('base64url'))].join(
    '.',
  );
}

/** Undefined when key or purpose differ, or the text was changed. */
export function unseal(sealed: string, key: Uint8Array, purpose: string): string | undefined {
  const [version, nonce = '', tag = '', text, ...rest] = sealed.trim().split('.');
  if (version !== VERSION || text === undefined || rest.length > 0) return undefined;
  try {
    const decipher = createDecipheriv(ALGORITHM, key, Buffer.from(nonce, 'base64url'), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(Buffer.from(purpose));
    decipher.setAuthTag(Buffer.from(tag, 'base64url'));
    const open = Buffer.concat([decipher.update(Buffer.from(text, 'base64url')), decipher.final()]);
    return open.toString('utf8');
  } catch {
    return undefined;
  }
}

/** Derives a key, so that only the holder of the secret can unseal a text. */
export function keyFromSecret(secret: string, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', purpose, KEY_BYTES));
}
