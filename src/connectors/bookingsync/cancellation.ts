import { BookingSystemFailure } from '../../limits/booking-system-failure.ts';
import type { RawListing } from '../shared/listings/listing.ts';
import type { ReadingOfLists } from './pages.ts';
import type { BookingsyncRecordOf } from './payloads.ts';

type Policy = BookingsyncRecordOf<'rental_cancelation_policies'>;
type BookingsyncPolicyItem = BookingsyncRecordOf<'rental_cancelation_policy_items'>;

type BookingsyncPreset = {
  /** Our wording, for a policy without a text. */
  readonly summary: string;
  /** Cancelling is free until so many days before check-in, at the hour of check-in. */
  readonly freeDaysBefore: number | null;
};

/** The vendor's ready-made policies, as documented. Each of them refunds something. */
const PRESETS: Readonly<Record<string, BookingsyncPreset>> = {
  flexible: {
    summary:
      'Flexible: full refund until 24 hours before check-in. After that the first night is kept, and the other nights and all fees are refunded.',
    freeDaysBefore: 1,
  },
  moderate: {
    summary:
      'Moderate: full refund until 5 days before check-in. After that the first night is kept, half of the other nights and all fees are refunded.',
    freeDaysBefore: 5,
  },
  strict: {
    summary:
      'Strict: full refund within 48 hours of booking when check-in is at least 14 days away. Half is refunded until 7 days before check-in, and nothing but fees after that.',
    freeDaysBefore: null,
  },
  moderate20200317: {
    summary:
      'Moderate: full refund until 5 days before check-in. After that half of the stay and the fees for cleaning and linen are refunded, and nothing after check-in.',
    freeDaysBefore: 5,
  },
  strict20200317: {
    summary:
      'Strict: half of the stay is refunded until 7 days before check-in, and nothing of it after that. Fees for cleaning and linen are refunded until check-in.',
    freeDaysBefore: null,
  },
};

/** The longest notice that a listing can state. */
const MAX_DAYS = 365;
const LAST_MINUTE = '23:59';
const MIDNIGHT = '00:00';

/**
 * Undefined when the rental has no policy, or an empty one. `items` are the valid steps; `checkInTime` is null when unknown.
 */
export function bookingsyncCancellation(
  policy: Policy | undefined,
  items: readonly BookingsyncPolicyItem[],
  checkInTime: string | null,
): RawListing['cancellation'] {
  if (!policy) return undefined;
  const inOrder = items.toSorted((one, other) => other.days - one.days);
  const steps = inOrder.filter(({ percent }) => percent > 0);
  const preset = Object.hasOwn(PRESETS, policy.preset) ? PRESETS[policy.preset] : undefined;
  const summary = policy.text.trim() === '' ? (preset?.summary ?? describedSteps(steps)) : policy.text;
  if (summary === '') return undefined;
  // A policy is defined by a preset or by steps.
  if (preset && policy.items.length === 0) {
    const { freeDaysBefore: days } = preset;
    // Without the hour of check-in, free cancellation ends at the start of the day.
    const free_until = days === null ? null : { days_before: days, time: checkInTime ?? MIDNIGHT };
    return { summary, free_until, refundable: true };
  }
  const free = items.length < policy.items.length ? null : freeBeforeSteps(policy, inOrder);
  return { summary, free_until: free, refundable: free && true };
}

/**
 * A policy's text may withhold a down-payment that its steps omit. So a policy with a text has free cancellation only when a step states
 * a penalty of 0.
 */
function freeBeforeSteps(
  { text }: Policy,
  inOrder: readonly BookingsyncPolicyItem[],
): { days_before: number; time: string } | null {
  const firstPenalty = inOrder.find(({ percent }) => percent > 0);
  if (!firstPenalty) return null;
  const saysThatNothingIsKept = inOrder.some(
    ({ days, percent }) => percent === 0 && days > firstPenalty.days,
  );
  if (text.trim() !== '' && !saysThatNothingIsKept) return null;
  // The penalty begins so many days before check-in, so the day before that is the last free one.
  const daysBefore = Math.ceil(firstPenalty.days) + 1;
  return daysBefore >= 1 && daysBefore <= MAX_DAYS ? { days_before: daysBefore, time: LAST_MINUTE } : null;
}

function describedSteps(steps: readonly BookingsyncPolicyItem[]): string {
  return steps
    .map(
      ({ days, percent }) =>
        `From ${days} ${days === 1 ? 'day' : 'days'} before check-in, ${percent} % of the price is kept.`,
    )
    .join(' ');
}

/** Reads the default policies by account; accounts without one are missing. */
export type ReadAccountPolicies = (accounts: readonly string[]) => Promise<ReadonlyMap<string, Policy>>;

/** The list may hold a copy for each booking, so it is not always read to its end. */
const MAX_PAGES = 20;
/** A brand usually has one account. Each adds a cached policy, and may cost one reading of the list. */
const MAX_ACCOUNTS = 200;

/** For one reading of the catalogue. Reads the list only when a rental has no policy. */
export function createReadAccountPolicies({
  readList,
  language,
  pass,
  sent,
}: ReadingOfLists): ReadAccountPolicies {
  const known = new Map<string, Policy>();
  const sought = new Set<string>();

  async function readUntilFound(accounts: readonly string[]): Promise<void> {
    let pages = 0;
    await readList({
      path: '/rental_cancelation_policies',
      task: 'bookingsync_records',
      parameters: { resource: 'rental_cancelation_policies', language, asked: null },
      ...pass,
      onPage(records, bytes) {
        sent(bytes);
        pages += 1;
        for (const record of records) {
          if (record.resource !== 'rental_cancelation_policies' || record.account === null) continue;
          if (sought.has(record.account)) known.set(record.account, record);
        }
        return pages < MAX_PAGES && accounts.some((account) => !known.has(account));
      },
    });
  }

  return async (accounts) => {
    const missing = [...new Set(accounts)].filter((account) => !known.has(account) && !sought.has(account));
    const added = missing.slice(0, Math.max(0, MAX_ACCOUNTS - sought.size));
    for (const account of added) sought.add(account);
    try {
      if (added.length > 0) await readUntilFound(added);
    } catch (failure) {
      // Without the list the rentals have no policy; the report states that for each of them.
      if (!(failure instanceof BookingSystemFailure) || failure.kind !== 'rejected') throw failure;
    }
    return known;
  };
}
