/** An integer amount in the smallest unit of its currency: cents for EUR, yen for JPY. */
export type MinorUnits = number;

const CURRENCY_PATTERN = /^[A-Z]{3}$/;
const MAX_WHOLE_DIGITS = 12;
const MAX_FRACTION_DIGITS = 6;
const [MINUS, POINT, ZERO] = [0x2d, 0x2e, 0x30];
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

/**
 * Never rounds: `undefined` for too many decimals, exponents, and amounts beyond safe integers. Digit by digit in one pass, because a
 * search reads some two hundred amounts.
 */
export function parseAmount(text: string, currency: string): MinorUnits | undefined {
  const decimals = decimalsOf(currency);
  const start = text.charCodeAt(0) === MINUS ? 1 : 0;
  const end = text.length;
  let point = end;
  let amount = 0;
  for (let at = start; at < end; at += 1) {
    const digit = text.charCodeAt(at) - ZERO;
    if (digit >= 0 && digit <= 9) {
      if (at - point <= decimals) amount = amount * 10 + digit;
      else if (digit !== 0) return undefined;
    } else if (digit === POINT - ZERO && point === end) point = at;
    else return undefined;
  }
  const fraction = end - point - 1;
  if (point === start || point - start > MAX_WHOLE_DIGITS || fraction > MAX_FRACTION_DIGITS) return undefined;
  // "1."
  if (fraction === 0) return undefined;
  if (fraction < decimals) amount *= 10 ** (decimals - Math.max(0, fraction));
  if (!Number.isSafeInteger(amount)) return undefined;
  return start === 1 ? -amount || 0 : amount;
}

/** With all decimals of the currency, as in the open operator protocol. */
export function formatAmount(amount: MinorUnits, currency: string): string {
  const decimals = decimalsOf(currency);
  const digits = String(Math.abs(amount)).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const sign = amount < 0 ? '-' : '';
  return decimals === 0 ? sign + whole : `${sign}${whole}.${digits.slice(-decimals)}`;
}
