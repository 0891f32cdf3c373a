import type { ClockTime } from '../clock.ts';

/** By how much a stored time may lie ahead, after a small correction of the clock or by the clock of another node. Beyond it, its age is not known. */
const MAX_AHEAD_MS = 300_000;

/** What a stored instant is in elapsed time. Of one that lies well ahead nobody knows how long ago it was: it counts as the oldest. */
export function elapsedAt(instant: number, { now, elapsed }: ClockTime): number {
  return instant > now + MAX_AHEAD_MS ? Number.NEGATIVE_INFINITY : elapsed - Math.max(0, now - instant);
}
