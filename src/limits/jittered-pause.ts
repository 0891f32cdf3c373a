import type { Random } from '../random.ts';

const FIRST_PAUSE_MS = 10;
const MAX_PAUSE_MS = 160;

/** Before something is asked for again that others have: longer after each try, and never at the same time as the others. */
export function jitteredPauseMs(tries: number, random: Random): number {
  const wholeMs = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(tries, 10), MAX_PAUSE_MS);
  const share = random.bytes(2).readUInt16LE() / 2 ** 16;
  return wholeMs * (0.5 + share / 2);
}
