import type { RawListing } from '../listings/gather-listings.ts';
import type { BookingsyncRecordOf } from './records.ts';

type Policy = BookingsyncRecordOf<'rental_cancelation_policies'>;
type BookingsyncPolicyItem = BookingsyncRecordOf<'rental_cancelation_policy_items'>;

/** What the vendor's ready-made policies say, for a policy that has no text of its own. */
const PRESETS: Readonly<Record<string, string>> = {
  flexible:
    'Flexible: full refund until 24 hours before check-in. After that the first night is kept, and the other nights and all fees are refunded.',
  moderate:
    'Moderate: full refund until 5 days before check-in. After that the first night is kept, half of the other nights and all fees are refunded.',
  strict:
    'Strict: full refund within 48 hours of booking when check-in is at least 14 days away. Half is refunded until 7 days before check-in, and nothing but fees after that.',
  moderate20200317:
    'Moderate: full refund until 5 days before check-in. After that half of the stay and the fees for cleaning and linen are refunded, and nothing after check-in.',
  strict20200317:
    'Strict: half of the stay is refunded until 7 days before check-in, and nothing of it after that. Fees for cleaning and linen are refunded until check-in.',
};

/** The longest notice that a listing can state. */
const MAX_DAYS = 365;
const LAST_MINUTE = '23:59';

/** Undefined when the rental has no policy, or one that says nothing. */
export function bookingsyncCancellation(
  policy: Policy | undefined,
  items: readonly BookingsyncPolicyItem[],
): RawListing['cancellation'] {
  if (!policy) return undefined;
  const steps = items.filter(({ percent }) => percent > 0).toSorted((one, other) => other.days - one.days);
  const preset = Object.hasOwn(PRESETS, policy.preset) ? PRESETS[policy.preset] : undefined;
  const summary = policy.text.trim() === '' ? (preset ?? describedSteps(steps)) : policy.text;
  if (summary === '') return undefined;
  const [first] = steps;
  // A penalty applies from that many days before check-in on, so the day before is the last that is free.
  const daysBefore = first === undefined ? undefined : Math.ceil(first.days) + 1;
  const isKnown = daysBefore !== undefined && daysBefore >= 1 && daysBefore <= MAX_DAYS;
  return {
    summary,
    free_until: isKnown ? { days_before: daysBefore, time: LAST_MINUTE } : null,
    refundable: isKnown ? true : null,
  };
}

function describedSteps(steps: readonly BookingsyncPolicyItem[]): string {
  return steps
    .map(({ days, percent }) => `From ${days} days before check-in, ${percent} % of the price is kept.`)
    .join(' ');
}
