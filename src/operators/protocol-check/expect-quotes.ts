import { HELD_BACK_RULES } from '../../quotes/held-back-rules.ts';
import { formatAmount, type MinorUnits } from '../../stay/money.ts';
import type { Answered } from './ask-for-quotes.ts';
import { exampleAt } from './every-fault.ts';
import { exampleQuote } from './example-answers.ts';
import { explainQuote } from './explain-quote.ts';
import { isProtocolRule, PROTOCOL_RULES, type ProtocolRule } from './protocol-rules.ts';
import type { CheckFault, ProtocolCheck, VerdictCollector } from './verdict.ts';

type Expectation = {
  readonly answer: Answered | undefined;
  readonly reference: string;
  readonly currency: string;
  readonly rule: ProtocolRule;
};

export function mustBeRefused(
  collector: VerdictCollector,
  check: ProtocolCheck,
  {
    answer,
    reference,
    currency,
    rule,
    found,
    reason,
  }: Expectation & { readonly found: string; readonly reason?: string },
): void {
  const verdict = answer?.verdicts.get(reference);
  if (!answer || !verdict) return;
  const { milliseconds } = answer;
  if (verdict.kind === 'failed') {
    explainFailure(collector, check, { answer, reference, currency, failure: verdict.failure });
  } else if (verdict.kind === 'quoted') {
    reportQuotes(collector, check, rule, { place: reference, found, milliseconds });
  } else if (reason !== undefined && verdict.reason !== reason) {
    const isWarning = true;
    reportQuotes(collector, check, 'other_reason', {
      place: reference,
      found: verdict.reason,
      milliseconds,
      isWarning,
    });
  }
}

export function mustBe(
  collector: VerdictCollector,
  check: ProtocolCheck,
  { answer, reference, currency, total, rule }: Expectation & { readonly total: MinorUnits },
): void {
  const verdict = answer?.verdicts.get(reference);
  if (!answer || !verdict) return;
  const { milliseconds } = answer;
  if (verdict.kind === 'failed') {
    explainFailure(collector, check, { answer, reference, currency, failure: verdict.failure });
    return;
  }
  if (verdict.kind === 'quoted' && verdict.total === total) return;
  const now = verdict.kind === 'quoted' ? formatAmount(verdict.total, currency) : verdict.reason;
  const found = `${now}, and ${formatAmount(total, currency)} before`;
  reportQuotes(collector, check, rule, { place: `${reference} total`, found, milliseconds });
}

/** The connector says no more than that the answer failed; what is wrong with it is looked up in the answer. */
export function explainFailure(
  collector: VerdictCollector,
  check: ProtocolCheck,
  {
    answer: { quotes, milliseconds },
    reference,
    currency,
    failure,
  }: Omit<Expectation, 'answer' | 'rule'> & { readonly answer: Answered; readonly failure: string },
): void {
  if (failure === 'hold_too_short') {
    const found = 'a hold that ends within a minute, or has ended';
    reportQuotes(collector, check, 'hold_too_short', {
      place: `${reference} held_until`,
      found,
      milliseconds,
    });
    return;
  }
  for (const { field, rule, reason } of explainQuote(quotes, reference, currency)) {
    const right = exampleAt({ ...exampleQuote(reference, currency), reason: 'booked' }, field);
    const text = isProtocolRule(rule)
      ? PROTOCOL_RULES[rule]
      : { expected: HELD_BACK_RULES[rule].remedy, example: right === undefined ? '' : JSON.stringify(right) };
    const place = `POST /quotes ${reference} ${field}`.trimEnd();
    collector.fault(check, { place, rule, found: reason, ...text, milliseconds });
  }
}

export function reportQuotes(
  collector: VerdictCollector,
  check: ProtocolCheck,
  rule: ProtocolRule,
  where: Pick<CheckFault, 'place' | 'found' | 'milliseconds' | 'isWarning'>,
): void {
  const place = `POST /quotes ${where.place}`.trimEnd();
  collector.fault(check, { ...where, place, rule, ...PROTOCOL_RULES[rule] });
}
