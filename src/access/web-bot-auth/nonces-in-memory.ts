import type { Clock } from '../../clock.ts';
import type { UsedNonces } from '../used-nonces.ts';

/** A thousand requests a second for the ten minutes and more that each is remembered. */
const MAX_NONCES = 700_000;

/** By name, the end of its time. Those that were claimed first are first. */
type NoncesOfSigner = Map<string, number>;

/** One that was used before, and counts for so long yet. */
export type KnownNonce = { readonly signer: string; readonly name: string; readonly keepMs: number };

/**
 * For one process. Only signers with a known key can fill it. When it is full, whoever has used most nonces loses the oldest of its
 * own: a signer that floods us can then be replayed itself, and harms nobody else.
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
    // Set anew at the end, so that the order stays that of claims.
    used.delete(name);
    used.set(name, now + keepMs);
    if (size > maxNonces) makeRoom(now);
    return true;
  }

  function noncesOf(signer: string): NoncesOfSigner {
    const known = signers.get(signer);
    if (known) return known;
    const used: NoncesOfSigner = new Map();
    signers.set(signer, used);
    return used;
  }

  /** One that is remembered longer keeps those behind it for as long, which is never more than the longest time of one. */
  function forgetEnded(used: NoncesOfSigner, now: number): void {
    for (const [name, end] of used) {
      if (end > now) return;
      used.delete(name);
      size -= 1;
    }
  }

  function makeRoom(now: number): void {
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
