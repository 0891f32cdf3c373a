import { decimalsOf, type MinorUnits, parseAmount } from '../../stay/money.ts';

/** Vendors calculate in doubles: 0.1 + 0.2 is meant to be 0.3. Anything further off is not an amount of the currency. */
const MAX_NOISE = 1e-6;

/** An amount as vendors write them: a number, or a decimal as text. `undefined` when it is not an exact amount of the currency. */
export function amountOf(published: unknown, currency: string): MinorUnits | undefined {
  if (typeof published === 'string') return parseAmount(published.trim(), currency);
  if (typeof published !== 'number' || !Number.isFinite(published)) return undefined;
  const exact = published * 10 ** decimalsOf(currency);
  const rounded = Math.round(exact);
  const isExact = Math.abs(exact - rounded) <= MAX_NOISE * Math.max(1, Math.abs(published));
  return isExact && Number.isSafeInteger(rounded) ? rounded || 0 : undefined;
}
