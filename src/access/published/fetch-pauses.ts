import type { Random } from '../../random.ts';
import type { PublishedKind } from './published-document.ts';

/** A key that was withdrawn must not be believed for long; networks change rarely. */
const REFRESH_MS: Readonly<Record<PublishedKind, number>> = { keys: 5 * 60_000, ranges: 60 * 60_000 };
const FIRST_RETRY_MS = 15_000;
/** However long a server asks to be left alone. */
const MAX_PAUSE_MS = 60 * 60_000;

/** The pause after a fetch that worked, ± 10 %, so that nodes and documents do not ask at the same moment. */
export function pauseAfterSuccess(kind: PublishedKind, random: Random): number {
  return REFRESH_MS[kind] * (0.9 + 0.2 * fractionOf(random));
}

/** Twice as long after each failure, up to the usual pause, and at least as long as the server asks for. */
export function pauseAfterFailure(
  kind: PublishedKind,
  { failuresInARow, retryAfterMs }: { readonly failuresInARow: number; readonly retryAfterMs: number | null },
  random: Random,
): number {
  const backoffMs = Math.min(FIRST_RETRY_MS * 2 ** Math.min(failuresInARow - 1, 20), REFRESH_MS[kind]);
  const jittered = backoffMs * (0.8 + 0.4 * fractionOf(random));
  return Math.max(jittered, Math.min(retryAfterMs ?? 0, MAX_PAUSE_MS));
}

function fractionOf(random: Random): number {
  return random.bytes(4).readUInt32BE() / 2 ** 32;
}
