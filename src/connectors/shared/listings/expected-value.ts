/** The part of a JSON schema that is described here. */
type SchemaPart = {
  readonly type?: string;
  readonly anyOf?: readonly SchemaPart[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
};

const TYPES: ReadonlyMap<string, string> = new Map([
  ['string', 'a text'],
  ['integer', 'a whole number'],
  ['number', 'a number'],
  ['boolean', 'true or false'],
  ['array', 'a list'],
  ['object', 'an object'],
  ['null', 'null'],
]);

/** The patterns of the schemas for operators, in words. */
const FORMS: ReadonlyMap<string, string> = new Map([
  ['^[A-Za-z0-9._-]{1,64}$', 'a reference of at most 64 letters, digits, dots, hyphens and underscores'],
  ['^[A-Z]{3}$', 'a currency code of three capitals, such as EUR'],
  ['^([01]\\d|2[0-3]):[0-5]\\d$', 'a time of day, HH:MM'],
  ['^\\d{4}-\\d{2}-\\d{2}$', 'a day, YYYY-MM-DD'],
  ['^\\d{1,12}(\\.\\d{1,6})?$', 'a decimal string, at least 0'],
  ['^-?\\d{1,12}(\\.\\d{1,6})?$', 'a decimal string'],
]);

/** What a value of the schema is, in words: "a whole number from 1 to 100". */
export function expectedBy(schema: unknown): string {
  if (!isSchema(schema)) return 'another value';
  const [firstOfSeveral] = schema.anyOf ?? [];
  // Of the schemas here, the others of a union are null or a variant of the same object.
  if (firstOfSeveral) return expectedBy(firstOfSeveral);
  if (schema.enum) return `one of ${schema.enum.join(', ')}`;
  if (schema.const !== undefined) return String(schema.const);
  if (schema.pattern !== undefined) return formOf(schema.pattern);
  return (TYPES.get(schema.type ?? '') ?? 'another value') + rangeOf(schema);
}

export function formOf(pattern: string): string {
  return FORMS.get(pattern) ?? `a text that matches ${pattern}`;
}

/** Follows a JSON pointer within a schema or a value, which may have a hash sign before it. */
export function partAt(whole: unknown, pointer: string): unknown {
  let part = whole;
  for (const step of pointer.replace(/^#/, '').split('/').slice(1)) {
    if (typeof part !== 'object' || part === null) return undefined;
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    part = Object.hasOwn(part, name) ? Reflect.get(part, name) : undefined;
  }
  return part;
}

/** What was found, for a sentence that is logged: only numbers, dates and amounts are repeated, anything else is described. */
export function foundValue(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') {
    if (/^[\d.-]{1,20}$/.test(value)) return value;
    return value === '' ? 'an empty text' : 'another text';
  }
  return Array.isArray(value) ? 'a list' : 'an object';
}

function rangeOf({ minimum, maximum, exclusiveMinimum }: SchemaPart): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`;
  if (exclusiveMinimum !== undefined && maximum !== undefined) {
    return ` above ${exclusiveMinimum} and at most ${maximum}`;
  }
  if (minimum !== undefined) return `, at least ${minimum}`;
  return maximum === undefined ? '' : `, at most ${maximum}`;
}

function isSchema(schema: unknown): schema is SchemaPart {
  return typeof schema === 'object' && schema !== null;
}
