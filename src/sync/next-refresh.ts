import type { Random } from '../random.ts';

const FIRST_RETRY_MS = 1000;
const MAX_RETRY_MS = 300_000;
const FIRST_PAUSE_MS = 10_000;
const MAX_PAUSE_MS = 300_000;
/** Of the refresh interval. */
const SHORTEST_PAUSE = 0.9;

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
  const jitter = fractionOf(random);
  if (failuresInARow === 0) return refreshMs * (SHORTEST_PAUSE + 0.2 * jitter);
  const backoffMs = FIRST_RETRY_MS * 2 ** (failuresInARow - 1);
  return Math.min(backoffMs, MAX_RETRY_MS, refreshMs) * (0.5 + 0.5 * jitter);
}

/** The age from which a calendar is read again: what one refresh has read, the next one does, however short the pause. */
export function oldCalendarMs(refreshMs: number): number {
  return refreshMs * SHORTEST_PAUSE;
}

/** The pause of a read that a booking system refused as one too many, without saying for how long. */
export function pauseWhenRateLimited({
  pausesInARow,
  random,
}: {
  /** This one included. */
  readonly pausesInARow: number;
  readonly random: Random;
}): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** (pausesInARow - 1), MAX_PAUSE_MS) * (0.5 + 0.5 * fractionOf(random));
}

function fractionOf(random: Random): number {
  return random.bytes(4).readUInt32BE() / 2 ** 32;
}
