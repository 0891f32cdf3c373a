import type { Clock } from '../../clock.ts';

/** Stores the nonces of accepted signatures. A signature with a nonce is for one request, so a second one is a replay. */
export interface UsedNonces {
  /**
   * Returns true for a nonce that the signer has not used before. `name` is short and identifies signer, key and nonce. It is stored for
   * `keepMs`, after which no signature with the nonce is accepted.
   */
  claim(signer: string, name: string, keepMs: number): Promise<boolean>;
}

/** A thousand requests a second for the ten minutes and more that each nonce is stored. */
const MAX_NONCES = 700_000;

/** The expiry of each nonce by name, in the order of claims. */
type NoncesOfSigner = Map<string, number>;

/** A used nonce with its remaining time. */
export type KnownNonce = { readonly signer: string; readonly name: string; readonly keepMs: number };

/**
 * Nonces of one process. Only signers with a known key can fill it. When it is full, the signer with the most nonces loses its oldest: a
 * flooding signer can then be replayed itself, and harms no others.
 */
export function createNoncesInMemory(
  clock: Pick<Clock, 'elapsed'>,
  {
    maxNonces = MAX_NONCES,
    known = [],
  }: { readonly maxNonces?: number; readonly known?: readonly KnownNonce[] } = {},
): UsedNonces & { readonly size: number } {
  const signers = new Map<string, NoncesOfSigner>();
  let size = 0;
  for (const { signer, name, keepMs } of known) claim(signer, name, keepMs);

  return {
    claim: async (signer, name, keepMs) => claim(signer, name, keepMs),
    get size() {
      return size;
    },
  };

  function claim(signer: string, name: string, keepMs: number): boolean {
    const now = clock.elapsed();
    const used = noncesOf(signer);
    forgetEnded(used, now);
    const end = used.get(name);
    if (end !== undefined && end > now) return false;
    if (end === undefined) size += 1;
    // Set again at the end, so that the order stays that of claims.
    used.delete(name);
    used.set(name, now + keepMs);
    if (size > maxNonces) evictOldest(now);
    return true;
  }

  function noncesOf(signer: string): NoncesOfSigner {
    const known = signers.get(signer);
    if (known) return known;
    const used: NoncesOfSigner = new Map();
    signers.set(signer, used);
    return used;
  }

  /** A nonce with a longer time delays the removal of those behind it, at most by the longest time of one. */
  function forgetEnded(used: NoncesOfSigner, now: number): void {
    for (const [name, end] of used) {
      if (end > now) return;
      used.delete(name);
      size -= 1;
    }
  }

  function evictOldest(now: number): void {
    let largest: NoncesOfSigner | undefined;
    for (const [signer, used] of signers) {
      forgetEnded(used, now);
      if (used.size === 0) signers.delete(signer);
      else if (!largest || used.size > largest.size) largest = used;
    }
    const [oldest] = largest?.keys() ?? [];
    if (size <= maxNonces || oldest === undefined) return;
    largest?.delete(oldest);
    size -= 1;
  }
}
