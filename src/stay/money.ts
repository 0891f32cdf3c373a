/** An amount in the smallest unit of its currency: cents for EUR, whole yen for JPY. Never a float. */
export type MinorUnits = number;

const CURRENCY_PATTERN = /^[A-Z]{3}$/;
const DECIMAL_PATTERN = /^(-?)(\d{1,12})(?:\.(\d{1,6}))?$/;
const decimalsByCurrency = new Map<string, number>();

export function isCurrency(text: string): boolean {
  return CURRENCY_PATTERN.test(text);
}

export function decimalsOf(currency: string): number {
  let decimals = decimalsByCurrency.get(currency);
  if (decimals === undefined) {
    const format = new Intl.NumberFormat('en', { style: 'currency', currency });
    decimals = format.resolvedOptions().maximumFractionDigits ?? 2;
    decimalsByCurrency.set(currency, decimals);
  }
  return decimals;
}

/** The number that the interface shows: 41250 cents are 412.5. Division of integers gives the nearest double, which prints exactly. */
export function toDecimal(amount: MinorUnits, currency: string): number {
  return amount / 10 ** decimalsOf(currency);
}

/** Exact or nothing: `undefined` for more decimals than the currency has, exponents, and amounts beyond safe integers. */
export function parseAmount(text: string, currency: string): MinorUnits | undefined {
  const match = DECIMAL_PATTERN.exec(text);
  if (!match) return undefined;
  const [, sign, whole = '', fraction = ''] = match;
  const decimals = decimalsOf(currency);
  const significant = fraction.replace(/0+$/, '');
  if (significant.length > decimals) return undefined;
  const amount = Number(whole + significant.padEnd(decimals, '0'));
  if (!Number.isSafeInteger(amount)) return undefined;
  return sign === '-' ? -amount || 0 : amount;
}

/** The text form of an amount, with all the decimals of its currency: what our operator protocol carries. */
export function formatAmount(amount: MinorUnits, currency: string): string {
  return toDecimal(amount, currency).toFixed(decimalsOf(currency));
}
