import { createPrivateKey, type JsonWebKey } from 'node:crypto';
import { thumbprintOf } from '../access/signatures/keys.ts';
import type { Random } from '../random.ts';

/** What stands before the 32 bytes of a private Ed25519 key in PKCS #8 (RFC 8410, 7). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const SEED_BYTES = 32;

/** A private Ed25519 key, as an entry of a JSON Web Key Set. */
export function newSigningKey(random: Random): { readonly jwk: JsonWebKey; readonly keyid: string } {
  const key = createPrivateKey({
    key: Buffer.concat([PKCS8_PREFIX, random.bytes(SEED_BYTES)]),
    format: 'der',
    type: 'pkcs8',
  });
  const keyid = thumbprintOf(key);
  return { jwk: { ...key.export({ format: 'jwk' }), kid: keyid, use: 'sig' }, keyid };
}
