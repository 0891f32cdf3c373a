/** An amount in the smallest unit of its currency: cents for EUR, whole yen for JPY. Never a float. */
export type MinorUnits = number;

const CURRENCY_PATTERN = /^[A-Z]{3}$/;
const DECIMAL_PATTERN = /^(-?)(\d{1,12})(?:\.(\d{1,6}))?$/;
/**
 * ISO 4217 and not `Intl`, which follows common usage (no decimals for HUF or COP) and changes between releases:
 * operators send those decimals, and stored amounts must keep their meaning.
 */
const DECIMALS_OTHER_THAN_TWO = new Map<string, number>([
  ...'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'
    .split(' ')
    .map((code) => [code, 0] as const),
  ...'BHD IQD JOD KWD LYD OMR TND'.split(' ').map((code) => [code, 3] as const),
  ...'CLF UYW'.split(' ').map((code) => [code, 4] as const),
]);

export function isCurrency(text: string): boolean {
  return CURRENCY_PATTERN.test(text);
}

export function decimalsOf(currency: string): number {
  if (!isCurrency(currency)) throw new RangeError(`${currency} is not a currency code`);
  return DECIMALS_OTHER_THAN_TWO.get(currency) ?? 2;
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
  const decimals = decimalsOf(currency);
  const digits = String(Math.abs(amount)).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const sign = amount < 0 ? '-' : '';
  return decimals === 0 ? sign + whole : `${sign}${whole}.${digits.slice(-decimals)}`;
}
