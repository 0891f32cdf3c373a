import type { UnavailableReason } from '../../quotes/booking-system.ts';
import { looseList, looseRecord, looseText } from '../vendors/loose-values.ts';

/** What an answer with an error status says. */
export type GuestyRefusal =
  | { readonly kind: 'refused'; readonly reason: UnavailableReason }
  /** Not available, and not said why: the calendar may know. */
  | { readonly kind: 'refused_without_reason' }
  /** Not about the stay at all. */
  | { readonly kind: 'not_understood' };

const REASON_OF_CODE: Readonly<Record<string, UnavailableReason>> = {
  LISTING_CALENDAR_BLOCKED: 'booked',
  MIN_NIGHT_MISMATCH: 'minimum_stay',
  // The listing does not exist in the account, or is not part of this booking engine.
  NOT_FOUND: 'unknown_property',
  FORBIDDEN: 'unknown_property',
};
const NOT_AVAILABLE = 'LISTING_IS_NOT_AVAILABLE';
const INVALID_REQUEST = 'VALIDATION_ERROR';

/** Why a rate plan cannot be booked, in the order in which one of several is named. */
const REASON_OF_FLAG: readonly (readonly [flag: string, UnavailableReason])[] = [
  ['closed', 'booked'],
  ['minNights', 'minimum_stay'],
  ['maxNights', 'maximum_stay'],
  ['cta', 'closed_to_arrival'],
  ['ctd', 'closed_to_departure'],
  ['advanceNotice', 'lead_time'],
  ['bookingWindow', 'not_offered'],
  ['manual', 'not_offered'],
];

const MAX_PARTS = 100;

/** Two envelopes are documented: one with the code at the top, one with everything inside `error`. */
export function readGuestyRefusal(answer: unknown): GuestyRefusal {
  const outer = looseRecord(answer);
  const inner = looseRecord(outer.error);
  const data = looseRecord(inner.data ?? outer.data);
  const codes = [outer.error_code, outer.code, inner.code, ...looseList(data.errors).slice(0, MAX_PARTS)];
  for (const code of codes) {
    const reason =
      typeof code === 'string' && Object.hasOwn(REASON_OF_CODE, code) ? REASON_OF_CODE[code] : undefined;
    if (reason !== undefined) return { kind: 'refused', reason };
  }
  if (codes.includes(NOT_AVAILABLE)) return reasonOfPlans(looseRecord(data.moreDetails));
  const message = looseText(inner.message ?? outer.message) ?? '';
  // Seen for more guests than the listing takes; the same code is also given for a request that is wrong otherwise.
  if (codes.includes(INVALID_REQUEST) && /guest|occupan/i.test(message)) {
    return { kind: 'refused', reason: 'too_many_guests' };
  }
  return { kind: 'not_understood' };
}

function reasonOfPlans(details: Readonly<Record<string, unknown>>): GuestyRefusal {
  const plans = looseList(details.notApplicableRatePlans).slice(0, MAX_PARTS);
  for (const [flag, reason] of REASON_OF_FLAG) {
    const isStated = plans.some((plan) => looseRecord(looseRecord(plan).notApplicable)[flag] === true);
    if (isStated) return { kind: 'refused', reason };
  }
  return { kind: 'refused_without_reason' };
}
