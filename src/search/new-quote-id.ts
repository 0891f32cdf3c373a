import type { Random } from '../random.ts';

const INSTANT_BYTES = 6;
/** As many as nobody guesses, for an identifier that was seen together with its instant. */
const RANDOM_BYTES = 10;

/**
 * Begins with the instant, which the quote tells anyway: identifiers of one result are then neighbours in an index of millions, and cost
 * it one changed page instead of twenty.
 */
export function newQuoteId(now: number, random: Random): string {
  const bytes = Buffer.alloc(INSTANT_BYTES + RANDOM_BYTES);
  bytes.writeUIntBE(Math.max(0, Math.floor(now)) % 2 ** (8 * INSTANT_BYTES), 0, INSTANT_BYTES);
  random.bytes(RANDOM_BYTES).copy(bytes, INSTANT_BYTES);
  return `nxq_${bytes.toString('base64url')}`;
}
