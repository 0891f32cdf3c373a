import { decimalsOf, type MinorUnits, parseAmount } from '../../../stay/money.ts';

/** Vendors calculate in doubles: 0.1 + 0.2 means 0.3. A larger deviation is not an amount of the currency. */
const MAX_NOISE = 1e-6;
/** Further digits of a double are noise. */
const FAITHFUL_DIGITS = 15;
const DECIMAL = /^(-?)(\d{1,12})(?:\.(\d{1,20}))?$/;
/** Decimals of the integers that are added: the most that `DECIMAL` allows. */
const SCALE = 20;
const MAX_AMOUNT = 1e12;
/** Smaller doubles would be written with an exponent. */
const MIN_AMOUNT = 1e-6;

/** Reads an amount: a number, or a decimal as text. `undefined` when it is not an exact amount of the currency. */
export function amountOf(published: unknown, currency: string): MinorUnits | undefined {
  if (typeof published === 'string') return parseAmount(published.trim(), currency);
  if (typeof published !== 'number' || !Number.isFinite(published)) return undefined;
  const exact = published * 10 ** decimalsOf(currency);
  const rounded = Math.round(exact);
  const isExact = Math.abs(exact - rounded) <= MAX_NOISE * Math.max(1, Math.abs(published));
  return isExact && Number.isSafeInteger(rounded) ? rounded || 0 : undefined;
}

/**
 * For vendors that send unrounded results: the nearest amount of the currency, half away from zero. `undefined` when it is not a number.
 */
export function roundedAmountOf(published: unknown, currency: string): MinorUnits | undefined {
  return roundedSumOf([published], currency);
}

/** Adds exact decimals and rounds once. `undefined` when a part is not a number. */
export function roundedSumOf(parts: readonly unknown[], currency: string): MinorUnits | undefined {
  let sum = 0n;
  for (const part of parts) {
    const scaled = scaledOf(part);
    if (scaled === undefined) return undefined;
    sum += scaled;
  }
  const step = 10n ** BigInt(SCALE - decimalsOf(currency));
  const size = sum < 0n ? -sum : sum;
  const rounded = Number((size + step / 2n) / step);
  if (!Number.isSafeInteger(rounded)) return undefined;
  return sum < 0n ? -rounded || 0 : rounded;
}

function scaledOf(published: unknown): bigint | undefined {
  const match = DECIMAL.exec(decimalText(published));
  if (!match) return undefined;
  const [, sign, whole = '', fraction = ''] = match;
  const size = BigInt(whole + fraction.padEnd(SCALE, '0'));
  return sign === '-' ? -size : size;
}

/** Empty when it is not a decimal. */
function decimalText(published: unknown): string {
  if (typeof published === 'number') return textOfDouble(published);
  if (typeof published !== 'string') return '';
  const text = published.trim();
  const isLong = text.length > FAITHFUL_DIGITS && DECIMAL.test(text);
  return isLong ? textOfDouble(Number(text)) : text;
}

function textOfDouble(double: number): string {
  const size = Math.abs(double);
  if (!(size < MAX_AMOUNT)) return '';
  return size < MIN_AMOUNT ? '0' : double.toPrecision(FAITHFUL_DIGITS);
}
