import type { RawListing } from '../shared/listings/listing.ts';
import type { QloappsHotel } from './read-qloapps-hotels.ts';
import type { QloappsRefundRule } from './read-qloapps-refund-rules.ts';

/** What the owner says of refunds, because the web service does not show it. */
export type QloappsRefunds =
  | { readonly kind: 'not_said' }
  | { readonly kind: 'none' }
  | { readonly kind: 'by_rules'; readonly rules: ReadonlyMap<string, QloappsRefundRule> };

const MAX_DAYS_BEFORE = 365;
const LAST_MINUTE = '23:59';
const MIDNIGHT = '00:00';
/** What the website of QloApps says of a hotel without refunds. */
const NON_REFUNDABLE = 'Non Refundable';

/** The policies of the hotel, or its refund rules in their place where the owner says that they apply. */
export function qloappsCancellation(
  hotel: QloappsHotel,
  refunds: QloappsRefunds,
): RawListing['cancellation'] {
  if (hotel.hasRefunds === false || refunds.kind === 'none') {
    return { summary: hotel.policies ?? NON_REFUNDABLE, free_until: null, refundable: false };
  }
  if (refunds.kind === 'not_said' || hotel.hasRefunds === undefined) return { summary: hotel.policies };
  const rules = hotel.refundRules.flatMap((id) => refunds.rules.get(id) ?? []);
  if (rules.length < hotel.refundRules.length) return { summary: hotel.policies };
  // QloApps keeps everything where no rule applies.
  if (rules.length === 0)
    return { summary: hotel.policies ?? NON_REFUNDABLE, free_until: null, refundable: false };
  const longestNoticeFirst = rules.toSorted((one, other) => other.days - one.days);
  const words = longestNoticeFirst.map((rule) => rule.words).filter((text) => text !== '');
  return {
    summary: words.join('\n') || hotel.policies,
    free_until: freeUntil(longestNoticeFirst),
    refundable: isRefundable(rules),
  };
}

/**
 * The rule of the longest notice that was kept to applies. QloApps counts days, so the whole of the last one is free; and guests may
 * have paid either way.
 */
function freeUntil(
  longestNoticeFirst: readonly QloappsRefundRule[],
): { days_before: number; time: string } | null {
  const firstCharge = longestNoticeFirst.findIndex((rule) => !keepsNothing(rule));
  const free = longestNoticeFirst.slice(0, firstCharge === -1 ? undefined : firstCharge).at(-1);
  const days = free && Math.ceil(free.days);
  if (days === undefined || days < 0 || days > MAX_DAYS_BEFORE) return null;
  return { days_before: days, time: days === 0 ? MIDNIGHT : LAST_MINUTE };
}

/** Null when only amounts are kept, which may be more than the stay costs. */
function isRefundable(rules: readonly QloappsRefundRule[]): boolean | null {
  if (rules.some((rule) => keepsNothing(rule) || (rule.isPercentage && mostKept(rule) < 100))) return true;
  return rules.every((rule) => rule.isPercentage && leastKept(rule) >= 100) ? false : null;
}

function keepsNothing(rule: QloappsRefundRule): boolean {
  return mostKept(rule) <= 0;
}

function mostKept({ keptOfFullPayment, keptOfAdvance }: QloappsRefundRule): number {
  return Math.max(keptOfFullPayment, keptOfAdvance);
}

function leastKept({ keptOfFullPayment, keptOfAdvance }: QloappsRefundRule): number {
  return Math.min(keptOfFullPayment, keptOfAdvance);
}
