import { toDecimal } from '../../../src/stay/money.ts';

/** A decimal as the vendor writes it: in text, with at least one digit after the point. */
export function decimalText(minorUnits: number, currency: string): string {
  return withPoint(toDecimal(minorUnits, currency));
}

export function withPoint(value: number): string {
  return Number.isInteger(value) ? `${value}.0` : String(value);
}
