import { shownText } from '../../catalogue/rejections/rejected-value.ts';
import type { RejectionFault } from '../../catalogue/rejections/rejection.ts';
import { parseDay } from '../../stay/day.ts';
import { parseAmount } from '../../stay/money.ts';
import type { PlacedFault } from '../shared/listings/first-fault.ts';
import type { Rates, TakenNights } from './rate-card.ts';

/**
 * What the schema cannot see: days that do not exist, seasons that end before they begin, amounts finer than the currency.
 * Rates without such a fault can be priced, so `priceStay`, `canBook` and `calendarOf` take them as they are.
 */
export function rateFault(
  rates: Rates,
  booked: readonly TakenNights[],
  currency: string,
): PlacedFault | undefined {
  return (
    amountFault(rates, currency) ??
    periodFault('rates/seasons', rates.seasons) ??
    periodFault('booked', booked)
  );
}

function amountFault(rates: Rates, currency: string): PlacedFault | undefined {
  const amounts = [
    ['rates/nightly', rates.nightly],
    ['rates/weekend_nightly', rates.weekend_nightly],
    ['rates/extra_guest/nightly', rates.extra_guest?.nightly],
    ...rates.seasons.flatMap((season, index) => [
      [`rates/seasons/${index}/nightly`, season.nightly],
      [`rates/seasons/${index}/weekend_nightly`, season.weekend_nightly],
    ]),
    ...rates.fees.map((fee, index) => [`rates/fees/${index}/amount`, fee.amount]),
    ...rates.taxes.map((tax, index) => [
      `rates/taxes/${index}/amount`,
      'amount' in tax ? tax.amount : undefined,
    ]),
  ] as const;
  for (const [field = '', amount] of amounts) {
    if (amount !== undefined && parseAmount(amount, currency) === undefined) {
      return { field, ...inexactAmount(amount, currency) };
    }
  }
  return undefined;
}

/** Its pattern is checked already, so the amount can be repeated. */
export function inexactAmount(amount: string, currency: string): RejectionFault {
  const reason = `is ${amount}, finer than ${currency} or too large to be exact`;
  return { rule: 'price_too_fine', reason, value: shownText(amount) };
}

function periodFault(
  field: string,
  periods: readonly { readonly from: string; readonly to: string }[],
): PlacedFault | undefined {
  for (const [index, period] of periods.entries()) {
    const [from, to] = [parseDay(period.from), parseDay(period.to)];
    if (from === undefined || to === undefined) {
      const [member, text] = from === undefined ? ['from', period.from] : ['to', period.to];
      const reason = `is ${text}, a day that does not exist`;
      return { field: `${field}/${index}/${member}`, rule: 'no_such_day', reason, value: shownText(text) };
    }
    if (from >= to) {
      const reason = `runs from ${period.from} to ${period.to}: it ends before its first night`;
      const value = shownText(`${period.from} to ${period.to}`);
      return { field: `${field}/${index}`, rule: 'period_backwards', reason, value };
    }
  }
  return undefined;
}
