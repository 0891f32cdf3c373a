import type { Clock } from '../../clock.ts';
import type { UsedNonces } from '../used-nonces.ts';

/** A thousand requests a second for the ten minutes and more that each is remembered. */
const MAX_NONCES = 700_000;

/**
 * For a process that is alone. When it is full it rejects, because to forget a nonce would be to accept it again; only signers with a known
 * key can fill it.
 */
export function createNoncesInMemory(
  clock: Clock,
  { maxNonces = MAX_NONCES }: { readonly maxNonces?: number } = {},
): UsedNonces & { readonly size: number } {
  /** By name, the end of its time. Those that were claimed first are first. */
  const used = new Map<string, number>();

  return {
    async claim(name, keepMs) {
      const now = clock.elapsed();
      forgetEnded(now);
      const end = used.get(name);
      if (end !== undefined && end > now) return false;
      if (used.size >= maxNonces) throw new Error(`more than ${maxNonces} nonces are in use`);
      // Set anew at the end, so that the order stays that of claims.
      used.delete(name);
      used.set(name, now + keepMs);
      return true;
    },
    get size() {
      return used.size;
    },
  };

  /** One that is remembered longer keeps those behind it for as long, which is never more than the longest time of one. */
  function forgetEnded(now: number): void {
    for (const [name, end] of used) {
      if (end > now) return;
      used.delete(name);
    }
  }
}
