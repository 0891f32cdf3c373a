import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../clock.ts';

/** What a verdict depends on, apart from the time, which is judged at every request. */
export type SignatureFacts = {
  readonly keysUrl: string;
  readonly keyid: string;
  /** Of the ring that the key is from: when keys change, nothing of before is found any more. */
  readonly ringSerial: number;
  readonly base: string;
  readonly signature: Uint8Array;
};

export type VerifiedSignatures = {
  has(name: string): boolean;
  add(name: string, keepMs: number): void;
  readonly size: number;
};

const MAX_REMEMBERED = 10_000;

/**
 * Signatures that were verified, so that one that is sent with many requests is computed once. Only what a known key has signed gets in, so
 * strangers can neither fill it nor learn from it; a signature with a nonce is used once and never gets in.
 */
export function createVerifiedSignatures(
  clock: Clock,
  { maxRemembered = MAX_REMEMBERED }: { readonly maxRemembered?: number } = {},
): VerifiedSignatures {
  const remembered = new LRUCache<string, true>({
    max: maxRemembered,
    ttl: 1,
    ttlResolution: 0,
    perf: { now: () => clock.elapsed() },
  });
  return {
    has: (name) => remembered.get(name) === true,
    add(name, keepMs) {
      remembered.set(name, true, { ttl: keepMs });
    },
    get size() {
      return remembered.size;
    },
  };
}

/** Different for any other signature, text, key or address. */
export function nameOf({ keysUrl, keyid, ringSerial, base, signature }: SignatureFacts): string {
  const bytes = Buffer.from(signature.buffer, signature.byteOffset, signature.byteLength);
  // An address, a number, a thumbprint and Base64 hold no line break, so no two sets of facts are the same text.
  return hash('sha256', [keysUrl, ringSerial, keyid, bytes.toString('base64'), base].join('\n'), 'base64');
}
