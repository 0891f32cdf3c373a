import { verbatimText } from '../../../catalogue/text/operator-text.ts';
import type { QuotedPolicy } from '../../../quotes/booking-system.ts';
import { MAX_POLICY_LENGTH } from '../listings/listing-reader.ts';
import { POLICY_NOT_PUBLISHED } from '../listings/policy-not-published.ts';

/** Of a price whose own policy the booking system does not state, while others of the home may differ. */
export const UNSTATED_POLICY: QuotedPolicy = {
  summary: POLICY_NOT_PUBLISHED,
  free: null,
  refundable: null,
};

/** The listing's may be another one, so it cannot stand in; and without this price a dearer one would look like the lowest. */
const POLICY_DROPPED: QuotedPolicy = {
  summary: 'The policy of this price could not be shown; read it on the operator’s website before booking.',
  free: null,
  refundable: null,
  isRejected: true,
};

/** The words of a policy, cleaned as those of a listing are. */
export function readQuotedPolicy(words: string): QuotedPolicy {
  const policy = verbatimText(words, MAX_POLICY_LENGTH);
  if (policy.kind === 'invalid' || policy.value.text === '') return POLICY_DROPPED;
  const { text, wasCut } = policy.value;
  return { summary: text, free: null, refundable: null, ...(wasCut ? { wasCut } : {}) };
}
