/** An integer amount in the smallest unit of its currency: cents for EUR, yen for JPY. */
export type MinorUnits = number;

const CURRENCY_PATTERN = /^[A-Z]{3}$/;
const DECIMAL_PATTERN = /^(-?)(\d{1,12})(?:\.(\d{1,6}))?$/;
/**
 * From ISO 4217. `Intl` follows common usage (no decimals for HUF or COP) and changes between releases, but operators
 * send those decimals, and stored amounts must keep their meaning.
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

/** 41250 cents are 412.5. Dividing integers gives the nearest double, which prints without rounding errors. */
export function toDecimal(amount: MinorUnits, currency: string): number {
  return amount / 10 ** decimalsOf(currency);
}

/** Never rounds: `undefined` for too many decimals, exponents, and amounts beyond safe integers. */
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

/** With all decimals of the currency, as in the open operator protocol. */
export function formatAmount(amount: MinorUnits, currency: string): string {
  const decimals = decimalsOf(currency);
  const digits = String(Math.abs(amount)).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const sign = amount < 0 ? '-' : '';
  return decimals === 0 ? sign + whole : `${sign}${whole}.${digits.slice(-decimals)}`;
}
