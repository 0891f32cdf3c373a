import { parseDay } from '../../stay/day.ts';
import { parseAmount } from '../../stay/money.ts';
import type { Rates, TakenNights } from './rate-card.ts';

export type RateFault = { readonly field: string; readonly reason: string };

/**
 * What the schema cannot see: days that do not exist, seasons that end before they begin, amounts finer than the currency.
 * Rates without such a fault can be priced, so `priceStay`, `canBook` and `calendarOf` take them as they are.
 */
export function rateFault(
  rates: Rates,
  booked: readonly TakenNights[],
  currency: string,
): RateFault | undefined {
  return (
    amountFault(rates, currency) ??
    periodFault('rates/seasons', rates.seasons) ??
    periodFault('booked', booked)
  );
}

function amountFault(rates: Rates, currency: string): RateFault | undefined {
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
      return { field, reason: `has more decimals than ${currency}, or is too large` };
    }
  }
  return undefined;
}

function periodFault(
  field: string,
  periods: readonly { readonly from: string; readonly to: string }[],
): RateFault | undefined {
  for (const [index, period] of periods.entries()) {
    const [from, to] = [parseDay(period.from), parseDay(period.to)];
    if (from === undefined || to === undefined) {
      return { field: `${field}/${index}`, reason: 'names a day that does not exist' };
    }
    if (from >= to) return { field: `${field}/${index}`, reason: 'ends before its first night' };
  }
  return undefined;
}
