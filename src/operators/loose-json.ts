/** For answers of vendors whose documents leave open how they write a number, or that a value is missing. */

/** Undefined when it is not an object, or has no such member. */
export function memberOf(value: unknown, name: string): unknown {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
}

/** Empty when it is not a text; longer ones are cut. */
export function looseText(value: unknown, maxLength: number): string {
  return typeof value === 'string' ? value.slice(0, maxLength) : '';
}

/** A number, or a decimal as text; undefined for anything else. */
export function looseNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  const text = typeof value === 'string' ? value.trim() : '';
  return /^-?\d{1,15}(?:\.\d{1,12})?$/.test(text) ? Number(text) : undefined;
}

/** Empty when it is not a list. */
export function looseList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A whole number that names a record, as text; undefined for anything else. */
export function looseId(value: unknown): string | undefined {
  const number = looseNumber(value);
  return number !== undefined && Number.isSafeInteger(number) && number >= 0 ? String(number) : undefined;
}
