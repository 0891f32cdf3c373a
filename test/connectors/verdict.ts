import type { QuoteOutcome } from '../../src/quotes/booking-system.ts';

/** Why a stay is refused, how its price failed, or that it is quoted. */
export function verdictOf(outcome: QuoteOutcome | undefined): string | undefined {
  if (outcome?.kind === 'failed') return outcome.failure;
  return outcome?.kind === 'unavailable' ? outcome.reason : outcome?.kind;
}
