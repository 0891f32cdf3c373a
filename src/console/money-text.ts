import { decimalsOf } from '../stay/money.ts';

/** An amount for people, with all decimals of its currency: 1,235.60 EUR. */
export function moneyText(amount: number, currency: string): string {
  const decimals = decimalsOf(currency);
  const text = amount.toLocaleString('en', {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
  return `${text} ${currency}`;
}
