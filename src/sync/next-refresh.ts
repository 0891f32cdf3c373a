import type { Random } from '../random.ts';

const FIRST_RETRY_MS = 1000;
const MAX_RETRY_MS = 300_000;

/**
 * The pause before a brand is read again: the refresh interval ± 10 %, or exponential backoff after failures. The random
 * part keeps brands, and several servers of one network, from reading at the same moment.
 */
export function pauseBeforeNextRefresh({
  failuresInARow,
  refreshMs,
  random,
}: {
  readonly failuresInARow: number;
  readonly refreshMs: number;
  readonly random: Random;
}): number {
  const jitter = random.bytes(4).readUInt32BE() / 2 ** 32;
  if (failuresInARow === 0) return refreshMs * (0.9 + 0.2 * jitter);
  const backoffMs = FIRST_RETRY_MS * 2 ** (failuresInARow - 1);
  return Math.min(backoffMs, MAX_RETRY_MS, refreshMs) * (0.5 + 0.5 * jitter);
}
