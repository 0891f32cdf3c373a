/** Values as vendors write them: numbers as text, 0 and 1 for booleans, null for missing values, PHP's `[]` for an empty object. */

const DECIMAL = /^-?\d{1,15}(?:\.\d{1,10})?$/;

export function looseNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  return typeof value === 'string' && DECIMAL.test(value.trim()) ? Number(value) : undefined;
}

export function looseInteger(value: unknown): number | undefined {
  const number = looseNumber(value);
  return Number.isSafeInteger(number) ? number : undefined;
}

/** Null for anything but a positive integer: vendors also write 0 for "no limit". */
export function loosePositive(value: unknown): number | null {
  const number = looseInteger(value);
  return number !== undefined && number > 0 ? number : null;
}

/** Trimmed; undefined for anything but a non-blank text. */
export function looseText(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  return value.trim() || undefined;
}

export function looseFlag(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (value === 0 || value === '0') return false;
  return value === 1 || value === '1' ? true : undefined;
}

export function looseList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export type LooseRecord = Readonly<Record<string, unknown>>;
const NOTHING: LooseRecord = {};

/** Empty for anything but an object, so that callers can read nested members directly. */
export function looseRecord(value: unknown): LooseRecord {
  return isLooseRecord(value) ? value : NOTHING;
}

export function isLooseRecord(value: unknown): value is LooseRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An identifier, which some vendors write as a number and others as a text. */
export function looseIdentifier(value: unknown): string | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : looseText(value);
}

export function memberOf(value: unknown, name: string): unknown {
  return looseRecord(value)[name];
}

/** Cuts a text; empty when it is not a text. */
export function cutText(value: unknown, maxLength: number): string {
  return typeof value === 'string' ? value.slice(0, maxLength) : '';
}

/** The number of a record as text: digits only, so that it is safe in an address. */
export function recordNumber(value: unknown): string | undefined {
  const number = looseInteger(value);
  return number !== undefined && number >= 0 ? String(number) : undefined;
}
