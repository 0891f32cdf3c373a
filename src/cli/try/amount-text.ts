import { decimalsOf, isCurrency } from '../../stay/money.ts';

/** `1,234.50`, with the decimals of the currency. */
export function amountText(amount: number, currency: string): string {
  // A service of another make may name a currency that nobody knows.
  const decimals = isCurrency(currency) ? decimalsOf(currency) : 2;
  return amount.toLocaleString('en', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
}

/** `EUR 1,234.50` */
export function priceText(amount: number, currency: string): string {
  return `${currency} ${amountText(amount, currency)}`;
}
