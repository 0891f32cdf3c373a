import { looseInteger, looseRecord } from './loose-values.ts';

/** For vendors that number their records and send texts of any length. */

export function memberOf(value: unknown, name: string): unknown {
  return looseRecord(value)[name];
}

/** Empty when it is not a text; longer ones are cut. */
export function cutText(value: unknown, maxLength: number): string {
  return typeof value === 'string' ? value.slice(0, maxLength) : '';
}

/** A whole number that names a record, as text: digits only, so that it can stand in an address. */
export function recordNumber(value: unknown): string | undefined {
  const number = looseInteger(value);
  return number !== undefined && number >= 0 ? String(number) : undefined;
}
