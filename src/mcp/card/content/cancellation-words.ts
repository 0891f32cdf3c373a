import type { CardCancellation } from './card-stay.ts';
import type { TravellerFormat } from './traveller-format.ts';

export type CancellationWords = {
  readonly tone: 'good' | 'strict' | 'plain';
  readonly sentence: string;
  /** True when only the operator's own words state the cost of cancelling. */
  readonly isUnknown: boolean;
};

/** States only the structured policy: the operator's prose is shown beside it and never interpreted. */
export function cancellationInWords(
  { operatorWords, free, freeUntil, freeUntilLocal, refundable }: CardCancellation,
  format: TravellerFormat,
  now: number,
): CancellationWords {
  if (free === 'never') return { tone: 'strict', sentence: 'Not refundable', isUnknown: false };
  if (free === 'over') return { tone: 'strict', sentence: 'Free cancellation is over', isUnknown: false };
  if (freeUntil !== null) {
    const until =
      freeUntilLocal === null
        ? format.instant(freeUntil, true)
        : `${format.localTime(freeUntilLocal)}, local time there`;
    return Date.parse(freeUntil) > now
      ? { tone: 'good', sentence: `Free cancellation until ${until}`, isUnknown: false }
      : { tone: 'strict', sentence: `Free cancellation ended on ${until}`, isUnknown: false };
  }
  if (refundable) return { tone: 'plain', sentence: 'Refundable on the operator’s terms', isUnknown: false };
  return operatorWords === ''
    ? { tone: 'plain', sentence: 'Cancellation terms are on the operator’s website', isUnknown: false }
    : { tone: 'plain', sentence: 'Cancellation, in the operator’s words', isUnknown: true };
}
