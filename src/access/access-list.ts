import type { Assistant } from './registry/assistant-registry.ts';

/** A public key of an assistant that signatures can be verified with (RFC 7517): only the members that are the key. */
export type PublicKey =
  | { readonly kty: 'OKP'; readonly crv: 'Ed25519'; readonly x: string }
  | { readonly kty: 'EC'; readonly crv: 'P-256'; readonly x: string; readonly y: string }
  | { readonly kty: 'RSA'; readonly n: string; readonly e: string };

/** The keys at one address. Keys are looked up by address and thumbprint together, never by the thumbprint alone. */
export type KeysAtAddress = {
  /** The address that they were fetched from, in full. */
  readonly url: string;
  readonly keys: readonly PublicKey[];
};

/**
 * All that callers are judged by, as it is now: who is registered, with their published ranges, and their keys. Plain data, because
 * it crosses threads. It is never changed, but replaced as a whole.
 */
export type AccessList = {
  readonly assistants: readonly Assistant[];
  readonly keys: readonly KeysAtAddress[];
};
