import type { Random } from '../random.ts';

const FIRST_RETRY_MS = 1000;
const MAX_RETRY_MS = 300_000;

/**
 * How long a brand rests before it is read again: the refresh time give or take a tenth, or after failures an ever
 * longer pause. The spread keeps brands, and many servers of one network, from asking all at once.
 */
export function restBeforeNextRefresh({
  failuresInARow,
  refreshMs,
  random,
}: {
  readonly failuresInARow: number;
  readonly refreshMs: number;
  readonly random: Random;
}): number {
  const spread = random.bytes(4).readUInt32BE() / 2 ** 32;
  if (failuresInARow === 0) return refreshMs * (0.9 + 0.2 * spread);
  const longest = Math.min(MAX_RETRY_MS, refreshMs);
  const pause = Math.min(longest, FIRST_RETRY_MS * 2 ** (failuresInARow - 1));
  return pause * (0.5 + 0.5 * spread);
}
