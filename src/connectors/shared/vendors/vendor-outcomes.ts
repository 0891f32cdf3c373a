import type { FailureKind } from '../../../limits/booking-system-failure.ts';
import type { QuoteOutcome, UnavailableReason } from '../../../quotes/booking-system.ts';

export function unavailableStay(reference: string, reason: UnavailableReason): QuoteOutcome {
  return { kind: 'unavailable', reference, reason };
}

export function failedStay(reference: string, failure: FailureKind): QuoteOutcome {
  return { kind: 'failed', reference, failure };
}
