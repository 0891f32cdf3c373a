import {
  type LooseRecord,
  looseIdentifier,
  looseInteger,
  looseList,
  looseNumber,
  looseRecord,
  looseText,
} from '../shared/vendors/loose-values.ts';
import { hostawayResult } from './hostaway-envelope.ts';

/** A cancellation policy in the shape of a listing's. */
export type HostawayPolicy = {
  readonly summary: string;
  readonly free_until: { readonly days_before: number; readonly time: string } | null;
  readonly refundable: boolean | null;
};

type HostawayPolicyItem = {
  readonly refund: number;
  readonly isPercentage: boolean;
  /** Negative before the event, positive after it. */
  readonly seconds: number;
  readonly event: 'arrival' | 'reservation';
};

const MAX_POLICIES = 1000;
const MAX_ITEMS = 50;
const MAX_NAME = 200;
const MAX_DAYS_BEFORE = 365;
const SECONDS_PER_DAY = 86_400;
const SECONDS_PER_HOUR = 3600;

/** A task of the intake: `GET /cancellationPolicies`. A policy with an item that cannot be understood is given by its name only. */
export function* readHostawayPolicies(
  document: Uint8Array,
  _: null,
): Generator<readonly [id: string, HostawayPolicy], null> {
  for (const published of looseList(hostawayResult(document).result).slice(0, MAX_POLICIES)) {
    const policy = looseRecord(published);
    const [id, name] = [looseIdentifier(policy.id), looseText(policy.name)?.slice(0, MAX_NAME)];
    if (id !== undefined && name !== undefined) yield [id, readPolicy(name, policy.cancellationPolicyItem)];
  }
  return null;
}

function readPolicy(name: string, published: unknown): HostawayPolicy {
  const items = looseList(published)
    .slice(0, MAX_ITEMS)
    .map((item) => readItem(looseRecord(item)));
  const understood = items.filter((item) => item !== undefined);
  if (understood.length === 0 || understood.length < items.length) {
    return { summary: `Cancellation policy: ${name}`, free_until: null, refundable: null };
  }
  const inOrder = understood.toSorted((one, other) => one.seconds - other.seconds);
  return {
    summary: `${name}: ${inOrder.map(inWords).join('; ')}.`,
    free_until: freeUntil(inOrder),
    refundable: inOrder.some(({ refund }) => refund > 0),
  };
}

function readItem({
  refundAmount,
  refundType,
  timeDelta,
  event,
}: LooseRecord): HostawayPolicyItem | undefined {
  const [refund, seconds] = [looseNumber(refundAmount), looseInteger(timeDelta)];
  if (refund === undefined || refund < 0 || seconds === undefined) return undefined;
  if (refundType !== 'percentage' && refundType !== 'flat') return undefined;
  if (event !== 'arrival' && event !== 'reservation') return undefined;
  return { refund, isPercentage: refundType === 'percentage', seconds, event };
}

function inWords({ refund, isPercentage, seconds, event }: HostawayPolicyItem): string {
  const amount = isPercentage ? `${refund}% of the total price` : `an amount of ${refund}`;
  const moment = event === 'arrival' ? 'arrival' : 'the booking';
  const relation = seconds <= 0 ? 'before' : 'after';
  const limit = seconds === 0 ? moment : `${durationInWords(Math.abs(seconds))} ${relation} ${moment}`;
  return `${amount} is refunded until ${limit}`;
}

function durationInWords(seconds: number): string {
  if (seconds % SECONDS_PER_DAY === 0) return counted(seconds / SECONDS_PER_DAY, 'day');
  if (seconds % SECONDS_PER_HOUR === 0) return counted(seconds / SECONDS_PER_HOUR, 'hour');
  return counted(Math.round(seconds / 60), 'minute');
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Until when everything is refunded. The day of arrival begins at midnight: nobody is promised an hour more than that. */
function freeUntil(items: readonly HostawayPolicyItem[]): HostawayPolicy['free_until'] {
  const latest = items.findLast(
    ({ refund, isPercentage, event, seconds }) =>
      isPercentage && refund >= 100 && event === 'arrival' && seconds <= 0,
  );
  if (!latest) return null;
  const before = Math.abs(latest.seconds);
  const days = Math.ceil(before / SECONDS_PER_DAY);
  if (days > MAX_DAYS_BEFORE) return null;
  const minutes = Math.floor((days * SECONDS_PER_DAY - before) / 60);
  const [hour, minute] = [Math.floor(minutes / 60), minutes % 60].map((part) =>
    String(part).padStart(2, '0'),
  );
  return { days_before: days, time: `${hour}:${minute}` };
}
