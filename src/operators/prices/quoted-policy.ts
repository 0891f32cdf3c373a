import type { QuotedPolicy } from '../../quotes/booking-system.ts';
import { POLICY_NOT_PUBLISHED } from '../listings/gather-listings.ts';
import { MAX_POLICY_LENGTH } from '../listings/listing-reader.ts';
import { verbatimText } from '../model-text/operator-text.ts';

/** Of a price whose own policy the booking system does not state, while others of the home may differ. */
export const UNSTATED_POLICY: QuotedPolicy = {
  summary: POLICY_NOT_PUBLISHED,
  free: null,
  refundable: null,
};

/** The words of a policy, cleaned as those of a listing are. Undefined when they cannot be shown. */
export function readQuotedPolicy(words: string): QuotedPolicy | undefined {
  const policy = verbatimText(words, MAX_POLICY_LENGTH);
  if (policy.kind === 'invalid' || policy.value.text === '') return undefined;
  const { text, wasCut } = policy.value;
  return { summary: text, free: null, refundable: null, ...(wasCut ? { wasCut } : {}) };
}
