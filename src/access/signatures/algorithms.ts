import { constants, type KeyObject, sign, verify } from 'node:crypto';

/**
 * Of the algorithms of RFC 9421 those that are asymmetric and not out of date. Which one a signature was made with follows from its key
 * alone; a signature that names another is refused, so nobody can choose a weaker reading of a key.
 */
export type Algorithm = 'ed25519' | 'ecdsa-p256-sha256' | 'rsa-pss-sha512';

type Scheme = {
  readonly digest: string | null;
  readonly keyOptions: (key: KeyObject) => Parameters<typeof verify>[2];
};

const SCHEMES: Readonly<Record<Algorithm, Scheme>> = {
  ed25519: { digest: null, keyOptions: (key) => key },
  // Both numbers side by side, 64 bytes; the other common form, DER, is not the one of RFC 9421.
  'ecdsa-p256-sha256': { digest: 'sha256', keyOptions: (key) => ({ key, dsaEncoding: 'ieee-p1363' }) },
  'rsa-pss-sha512': {
    digest: 'sha512',
    keyOptions: (key) => ({ key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 64 }),
  },
};

/** Whether the signature was made over the base with the private half of the key. */
export function isSignedBy(
  { algorithm, key }: { readonly algorithm: Algorithm; readonly key: KeyObject },
  base: string,
  signature: Uint8Array,
): boolean {
  const { digest, keyOptions } = SCHEMES[algorithm];
  try {
    return verify(digest, Buffer.from(base, 'latin1'), keyOptions(key), signature);
  } catch {
    return false;
  }
}

export function signBase(
  { algorithm, key }: { readonly algorithm: Algorithm; readonly key: KeyObject },
  base: string,
): Buffer {
  const { digest, keyOptions } = SCHEMES[algorithm];
  return sign(digest, Buffer.from(base, 'latin1'), keyOptions(key) as Parameters<typeof sign>[2]);
}
