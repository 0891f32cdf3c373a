import type { FailureKind } from '../limits/booking-system-failure.ts';
import type { MinorUnits } from '../stay/money.ts';
import type {
  BreakdownFault,
  Deposit,
  OperatorQuote,
  QuotedPolicy,
  QuoteOutcome,
  UnavailableReason,
} from './booking-system.ts';

/** A price held for less time expires before a traveller has read it. */
const MIN_HOLD_MS = 60_000;
/** A larger deposit is probably a phone number. Without its deposit a price would look better than it is, so it is not shown. */
const MAX_DEPOSIT_TIMES_TOTAL = 100;

/** An operator's answer for one property, after our checks. */
export type QuoteVerdict =
  | BelievableQuote
  | { readonly kind: 'unavailable'; readonly reason: UnavailableReason }
  | { readonly kind: 'failed'; readonly failure: FailureKind };

export type BelievableQuote = {
  readonly kind: 'quoted';
  readonly total: MinorUnits;
  /** The breakdown if it adds up to the total, otherwise empty. */
  readonly lines: readonly QuoteLine[];
  readonly linesAvailable: boolean;
  /** Present if a breakdown was given and is not shown. */
  readonly linesFault?: BreakdownFault;
  /** Null when the operator promised no hold. */
  readonly heldUntil: number | null;
  /** When the price was read at its source. */
  readonly retrievedAt: number;
  readonly deposit: Deposit | null;
  /** Paid at the property besides the total. */
  readonly dueOnSite: MinorUnits | null;
  /** The policy of this price; left out when the listing's applies. */
  readonly cancellation?: QuotedPolicy;
};

const NOT_ANSWERED: QuoteVerdict = failed('garbled');

/** Exactly one verdict for each requested reference, whatever the system answered. */
export function judgeAnswer({
  references,
  outcomes,
  currency,
  answeredAt,
}: {
  readonly references: readonly string[];
  readonly outcomes: readonly QuoteOutcome[];
  readonly currency: string;
  readonly answeredAt: number;
}): ReadonlyMap<string, QuoteVerdict> {
  const verdicts = new Map<string, QuoteVerdict>();
  for (const reference of references) verdicts.set(reference, NOT_ANSWERED);
  for (const outcome of outcomes) {
    const earlier = verdicts.get(outcome.reference);
    if (!earlier) continue;
    // With two answers for one property, neither can be trusted.
    const isFirst = earlier === NOT_ANSWERED;
    verdicts.set(
      outcome.reference,
      isFirst ? judgeOutcome(outcome, currency, answeredAt) : failed('garbled'),
    );
  }
  return verdicts;
}

/** Why the call as a whole failed; null when at least one property got its own answer. */
export function failureOfCall(verdicts: ReadonlyMap<string, QuoteVerdict>): FailureKind | null {
  let failure: FailureKind | null = null;
  for (const verdict of verdicts.values()) {
    if (verdict.kind !== 'failed' || isAboutOneProperty(verdict.failure)) return null;
    // The failure of the system outweighs that of a stay.
    if (failure === null || failure === 'stay_rejected') failure = verdict.failure;
  }
  return failure;
}

/** The system answered, but not with a price that can be shown. */
function isAboutOneProperty(failure: FailureKind): boolean {
  return failure === 'wrong_currency' || failure === 'hold_too_short';
}

function judgeOutcome(outcome: QuoteOutcome, currency: string, answeredAt: number): QuoteVerdict {
  if (outcome.kind === 'unavailable') return { kind: 'unavailable', reason: outcome.reason };
  if (outcome.kind === 'failed') return failed(outcome.failure);
  const { total, lines, heldUntil, currency: quotedIn, cancellation } = outcome.quote;
  const { retrievedAt = answeredAt, deposit = null, dueOnSite = null } = outcome.quote;
  // A total of zero is a gap in a price list, and would rank first in every comparison.
  if (!Number.isSafeInteger(total) || total <= 0) return failed('garbled');
  if (deposit && !(deposit.amount >= 0 && deposit.amount <= total * MAX_DEPOSIT_TIMES_TOTAL)) {
    return failed('garbled');
  }
  if (quotedIn !== currency) return failed('wrong_currency');
  if (heldUntil !== null && !Number.isFinite(heldUntil)) return failed('garbled');
  // A price cannot have been read after it was given.
  if (!(retrievedAt <= answeredAt)) return failed('garbled');
  if (heldUntil !== null && heldUntil - answeredAt < MIN_HOLD_MS) {
    return failed('hold_too_short');
  }
  const linesFault = outcome.quote.linesFault ?? breakdownFault(lines, total);
  const shown = linesFault === undefined ? lines : [];
  return {
    kind: 'quoted',
    total,
    lines: shown,
    linesAvailable: shown.length > 0,
    ...(linesFault === undefined ? {} : { linesFault }),
    heldUntil,
    retrievedAt,
    deposit,
    dueOnSite,
    ...(cancellation === undefined ? {} : { cancellation }),
  };
}

function failed(failure: FailureKind): QuoteVerdict {
  return { kind: 'failed', failure };
}

type QuoteLine = OperatorQuote['lines'][number];

/** Twice what a rate card's largest discount needs. Two huge lines that cancel each other out can spell a phone number. */
const MAX_LINE_TIMES_TOTAL = 20;

/** Why a breakdown is not shown; undefined when it adds up exactly to the total, and when there is none. */
export function breakdownFault(lines: readonly QuoteLine[], total: MinorUnits): BreakdownFault | undefined {
  if (lines.length === 0) return undefined;
  const maxLine = total * MAX_LINE_TIMES_TOTAL;
  let sum = 0;
  let isInProportion = true;
  for (const { amount } of lines) {
    sum += amount;
    // Beyond safe integers a sum may be rounded, and match by accident.
    if (!Number.isSafeInteger(amount) || !Number.isSafeInteger(sum)) return 'does_not_add_up';
    if (Math.abs(amount) > maxLine) isInProportion = false;
  }
  if (sum !== total) return 'does_not_add_up';
  return isInProportion ? undefined : 'out_of_proportion';
}

/** Taxes and a cleaning fee on site are common; an operator that charges half the price again there has not quoted a price. */
const MAX_SHARE_BESIDES = 0.5;

type PricedTerms = {
  readonly total: MinorUnits;
  readonly dueOnSite: MinorUnits | null;
  readonly deposit: Deposit | null;
};

/** What a traveller pays besides the total. A non-refundable deposit is a part of the total that is paid in advance, up to the total. */
export function paidBesides({ total, dueOnSite, deposit }: PricedTerms): MinorUnits {
  const kept = deposit && !deposit.refundable ? Math.max(0, deposit.amount - total) : 0;
  return (dueOnSite ?? 0) + kept;
}

/** Such a price would rank too high by its total. */
export function isMostlyPaidElsewhere(terms: PricedTerms): boolean {
  return paidBesides(terms) > terms.total * MAX_SHARE_BESIDES;
}
