import { Compile } from 'typebox/compile';
import { shownText, shownValue } from '../../catalogue/rejections/rejected-value.ts';
import type { RejectionRule } from '../../catalogue/rejections/rejection-rules.ts';
import type { Clock } from '../../clock.ts';
import { BookingSystemFailure } from '../../limits/booking-system-failure.ts';
import { judgeAnswer, type QuoteVerdict } from '../../quotes/judge-answer.ts';
import { type Day, formatDay } from '../../stay/day.ts';
import { formatAmount, type MinorUnits, parseAmount } from '../../stay/money.ts';
import { Quoted, Unavailable } from '../open/protocol.ts';
import { readQuotes } from '../open/quote.ts';
import { parseDocument } from '../shared/intake/parse-document.ts';
import { firstFault } from '../shared/listings/first-fault.ts';
import type { CallServer } from './call-server.ts';
import { ruleOfDocument } from './check-catalogue.ts';
import { everyFault, exampleAt, exampleQuote, foundText, memberOf } from './every-fault.ts';
import {
  type CheckFault,
  PROTOCOL_RULES,
  type ProtocolCheck,
  type ProtocolRule,
  type VerdictCollector,
} from './verdict.ts';

export type SampleStay = { readonly checkIn: Day; readonly checkOut: Day };

type CheckedStay = {
  readonly references: readonly string[];
  readonly stay: SampleStay;
  readonly guests: number;
  readonly currency: string;
  /** Members beyond those of the protocol. */
  readonly more?: Readonly<Record<string, unknown>>;
};

type Answered = {
  readonly verdicts: ReadonlyMap<string, QuoteVerdict>;
  readonly quotes: readonly unknown[];
  readonly milliseconds: number;
};

export type Ask = (check: ProtocolCheck, asked: CheckedStay) => Promise<Answered | undefined>;

/** Reads and judges each answer like a search. */
export function createAsk(server: CallServer, collector: VerdictCollector, clock: Clock): Ask {
  return async (check, { references, stay, guests, currency, more = {} }) => {
    collector.begin(check);
    const result = await server.post('/quotes', {
      properties: references,
      check_in: formatDay(stay.checkIn),
      check_out: formatDay(stay.checkOut),
      guests,
      currency,
      ...more,
    });
    const { milliseconds } = result;
    if (result.kind !== 'document') {
      collector.skip(check, 'the call failed');
      return undefined;
    }
    try {
      const outcomes = [...readQuotes(result.bytes, { asked: references, currency })];
      const verdicts = judgeAnswer({ references, outcomes, currency, answeredAt: clock.now() });
      const { quotes } = parseDocument(result.bytes) as { readonly quotes: readonly unknown[] };
      return { verdicts, quotes, milliseconds };
    } catch (error) {
      if (!(error instanceof BookingSystemFailure)) throw error;
      const rule = ruleOfDocument(error, 'answer_shape');
      reportQuotes(collector, check, rule, { place: '', found: error.message, milliseconds });
      return undefined;
    }
  };
}

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

/** Searches the answer for its faults, because the connector reports only that it failed. */
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
    const example = rule in PROTOCOL_RULES || right === undefined ? {} : { example: JSON.stringify(right) };
    const place = `POST /quotes ${reference} ${field}`.trimEnd();
    collector.fault(check, { place, rule, found: reason, ...example, milliseconds });
  }
}

export function reportQuotes(
  collector: VerdictCollector,
  check: ProtocolCheck,
  rule: ProtocolRule,
  where: Pick<CheckFault, 'place' | 'found' | 'milliseconds' | 'isWarning'>,
): void {
  const place = `POST /quotes ${where.place}`.trimEnd();
  collector.fault(check, { ...where, place, rule });
}

type QuoteFault = {
  readonly field: string;
  readonly rule: ProtocolRule | RejectionRule;
  readonly reason: string;
};

const quoted = Compile(Quoted);
const unavailable = Compile(Unavailable);

/** Finds the faults for which the connector's reader rejected the answer for one property. */
function explainQuote(
  quotes: readonly unknown[],
  reference: string,
  currency: string,
): readonly QuoteFault[] {
  const entries = quotes.filter((entry) => memberOf(entry, 'property') === reference);
  const [entry] = entries;
  if (entry === undefined) {
    return [{ field: '', rule: 'quote_missing', reason: `no answer for ${reference}` }];
  }
  if (entries.length > 1) {
    return [{ field: '', rule: 'quote_twice', reason: `${entries.length} answers for ${reference}` }];
  }
  const schema = memberOf(entry, 'status') === 'unavailable' ? unavailable : quoted;
  const example =
    schema === quoted
      ? exampleQuote(reference, currency)
      : { property: reference, status: 'unavailable', reason: 'booked' };
  const faults: QuoteFault[] = everyFault(entry, example, (value) => {
    if (schema.Check(value)) return { faults: [], endedBy: null };
    const fault = firstFault(schema, value);
    return { faults: [fault], endedBy: fault };
  }).map(({ field, rule, reason, value }) => ({
    field,
    rule,
    reason: foundText(reason, value),
  }));
  if (schema === quoted) faults.push(...valueFaults(entry, currency));
  return faults.length > 0 ? faults : [whatIsLeft(entry)];
}

/** When no other fault is found, the deposit is out of proportion, which costs the price too. */
function whatIsLeft(entry: unknown): QuoteFault {
  const deposit = memberOf(entry, 'deposit') ?? null;
  if (deposit === null)
    return { field: '', rule: 'quote_unreadable', reason: 'an answer that cannot be read' };
  const amount = shownValue(memberOf(deposit, 'amount')) ?? 'none';
  return { field: 'deposit', rule: 'deposit_unreadable', reason: `an amount of ${amount}` };
}

/** Faults beyond the schema. */
function valueFaults(entry: unknown, currency: string): QuoteFault[] {
  const faults: QuoteFault[] = [];
  const [total, held] = [memberOf(entry, 'total'), memberOf(entry, 'held_until')];
  const found = memberOf(entry, 'currency');
  if (typeof found === 'string' && found !== currency) {
    faults.push({ field: 'currency', rule: 'wrong_currency', reason: shownText(found) });
  }
  if (typeof total === 'string' && /^\d{1,12}(?:\.\d{1,6})?$/.test(total)) {
    const amount = parseAmount(total, currency);
    if (amount === undefined) faults.push({ field: 'total', rule: 'price_too_fine', reason: total });
    else if (amount <= 0) faults.push({ field: 'total', rule: 'total_not_positive', reason: total });
  }
  if (typeof held === 'string' && !isInstant(held)) {
    faults.push({ field: 'held_until', rule: 'hold_not_an_instant', reason: shownValue(held) ?? '' });
  }
  return faults;
}

function isInstant(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?Z$/.test(text) && !Number.isNaN(Date.parse(text));
}
