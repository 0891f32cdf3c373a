import {
  looseIdentifier,
  looseInteger,
  looseNumber,
  looseRecord,
  looseText,
} from '../shared/vendors/loose-values.ts';
import { qloappsEntries } from './qloapps-answer.ts';
import { wordsOfHtml } from './words-of-html.ts';

/** What is kept when a stay is cancelled so many days before arrival or earlier. Texts are still the operator's. */
export type QloappsRefundRule = {
  readonly words: string;
  readonly days: number;
  readonly isPercentage: boolean;
  /** Of a stay that was paid in full, and of one for which an advance was paid. */
  readonly keptOfFullPayment: number;
  readonly keptOfAdvance: number;
};

const MAX_RULES = 1000;
const MAX_NAME = 200;
const MAX_DESCRIPTION = 4000;
const FIXED = 1;
const PERCENTAGE = 2;

/** A task of the intake: `GET /api/hotel_refund_rules`. A rule that cannot be understood is left out. */
export function* readQloappsRefundRules(
  document: Uint8Array,
  _: null,
): Generator<readonly [id: string, QloappsRefundRule], null> {
  for (const published of qloappsEntries(document, 'hotel_refund_rules', MAX_RULES)) {
    const rule = looseRecord(published);
    const id = looseIdentifier(rule.id);
    const type = looseInteger(rule.payment_type);
    const days = looseNumber(rule.days);
    const keptOfFullPayment = looseNumber(rule.deduction_value_full_pay);
    const keptOfAdvance = looseNumber(rule.deduction_value_adv_pay);
    if (id === undefined || days === undefined || (type !== FIXED && type !== PERCENTAGE)) continue;
    if (keptOfFullPayment === undefined || keptOfAdvance === undefined) continue;
    const name = looseText(rule.name)?.slice(0, MAX_NAME);
    const description = wordsOfHtml(looseText(rule.description)?.slice(0, MAX_DESCRIPTION));
    const words = [name, description].filter((part) => part !== undefined).join(' - ');
    yield [id, { words, days, isPercentage: type === PERCENTAGE, keptOfFullPayment, keptOfAdvance }];
  }
  return null;
}
