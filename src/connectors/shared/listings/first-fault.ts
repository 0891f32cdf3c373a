import { shownValue } from '../../../catalogue/rejections/rejected-value.ts';
import type { RejectionFault } from '../../../catalogue/rejections/rejection.ts';
import type { RejectionRule } from '../../../catalogue/rejections/rejection-rules.ts';

/** The part of a compiled TypeBox schema that is used here. */
export type FaultFinder<Value = unknown> = {
  Type(): unknown;
  Check(value: unknown): value is Value;
  Errors(value: unknown): Iterable<SchemaError>;
};

type SchemaError = {
  readonly keyword: string;
  readonly schemaPath: string;
  readonly instancePath: string;
  readonly params: object;
  readonly message: string;
};

/** Where a listing or an entry breaks its schema, and how. */
export type PlacedFault = RejectionFault & { readonly field: string };

/** Several times the parts of any entry. TypeBox holds 400 bytes and more per faulty part until it has checked all of them. */
const MAX_PARTS = 20_000;

/** The first place where a value breaks its schema: the member, the value found, and the one expected. */
export function firstFault(schema: Omit<FaultFinder, 'Check'>, value: unknown): PlacedFault {
  const errors = partsOf(value, MAX_PARTS) < MAX_PARTS ? [...schema.Errors(value)] : [];
  const error = firstOf(errors);
  if (!error) {
    const reason = `breaks the schema, and has more than ${MAX_PARTS} parts: too many to look for the first fault`;
    return { field: '', rule: 'too_complex', reason };
  }
  if (error.keyword === 'required') return missingMember(schema, error);
  const part = partAt(value, error.instancePath);
  return {
    field: error.instancePath.slice(1),
    ...ruleOf(error, part, partAt(schema.Type(), error.schemaPath)),
    ...found(part),
  };
}

/** Of a union, takes the variant that the value was meant to be: it has all members, but some are wrong. */
function firstOf(errors: readonly SchemaError[]): SchemaError | undefined {
  const [first] = errors;
  if (first?.keyword !== 'required') return first;
  const union = errors.find(
    ({ keyword, schemaPath }) => keyword === 'anyOf' && first.schemaPath.startsWith(`${schemaPath}/anyOf/`),
  );
  if (!union) return first;
  const within = errors.filter(({ schemaPath }) => schemaPath.startsWith(`${union.schemaPath}/anyOf/`));
  const variants = Map.groupBy(within, ({ schemaPath }) =>
    schemaPath.slice(union.schemaPath.length).split('/', 3).join('/'),
  );
  const meant = [...variants.values()].find((faults) =>
    faults.every(
      ({ keyword, instancePath }) => keyword !== 'required' && instancePath !== union.instancePath,
    ),
  );
  return meant?.[0] ?? first;
}

function missingMember(
  schema: Pick<FaultFinder, 'Type'>,
  { schemaPath, instancePath, params }: SchemaError,
): PlacedFault {
  const missing: unknown = Reflect.get(params, 'requiredProperties');
  const [name = '', ...others] = Array.isArray(missing) ? missing.map(String) : [];
  const expected = expectedBy(partAt(schema.Type(), `${schemaPath}/properties/${name}`));
  const besides =
    others.length > 0 ? `; ${others.join(', ')} ${others.length > 1 ? 'are' : 'is'} missing too` : '';
  return {
    field: `${instancePath}/${name}`.slice(1),
    rule: 'missing_member',
    reason: `is missing, must be ${expected}${besides}`,
  };
}

function ruleOf(
  { keyword, params, message }: SchemaError,
  found: unknown,
  schema: unknown,
): Pick<RejectionFault, 'rule' | 'reason'> {
  const limit: unknown = Reflect.get(params, 'limit');
  const length = typeof found === 'string' || Array.isArray(found) ? found.length : 0;
  const instead = `is ${foundValue(found)}, must be ${expectedBy(schema)}`;
  switch (keyword) {
    case 'maxLength':
      return { rule: 'too_long', reason: `has ${length} characters, may have at most ${limit}` };
    case 'minLength':
      return { rule: 'empty_text', reason: 'is empty, must be a text' };
    case 'pattern':
      return {
        rule: 'wrong_format',
        reason: `is ${foundValue(found)}, must be ${formOf(String(Reflect.get(params, 'pattern')))}`,
      };
    case 'enum':
    case 'const':
      return { rule: 'unknown_choice', reason: instead };
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return { rule: 'out_of_range', reason: instead };
    case 'minItems':
      return { rule: 'too_few_entries', reason: `has ${length} entries, must have at least ${limit}` };
    case 'maxItems':
      return { rule: 'too_many_entries', reason: `has ${length} entries, may have at most ${limit}` };
    case 'type':
      return {
        rule: 'wrong_type',
        reason: typeof found === 'string' ? `is a text, must be ${expectedBy(schema)}` : instead,
      };
    default:
      return { rule: 'wrong_format', reason: message };
  }
}

/** Stops counting at the maximum. */
function partsOf(value: unknown, max: number): number {
  if (typeof value !== 'object' || value === null) return 1;
  let parts = 1;
  for (const part of Array.isArray(value) ? value : Object.values(value)) {
    if (parts >= max) break;
    parts += partsOf(part, max - parts);
  }
  return parts;
}

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

/** The values that the schema allows, in words: "a whole number from 1 to 100". */
function expectedBy(schema: unknown): string {
  if (!isSchema(schema)) return 'another value';
  const [firstOfSeveral] = schema.anyOf ?? [];
  // In these schemas, the other variants of a union are null or a variant of the same object.
  if (firstOfSeveral) return expectedBy(firstOfSeveral);
  if (schema.enum) return `one of ${schema.enum.join(', ')}`;
  if (schema.const !== undefined) return String(schema.const);
  if (schema.pattern !== undefined) return formOf(schema.pattern);
  return (TYPES.get(schema.type ?? '') ?? 'another value') + rangeOf(schema);
}

function formOf(pattern: string): string {
  return FORMS.get(pattern) ?? `a text that matches ${pattern}`;
}

/** Follows a JSON pointer, with or without a leading hash sign, in a schema or a value. */
function partAt(whole: unknown, pointer: string): unknown {
  let part = whole;
  for (const step of pointer.replace(/^#/, '').split('/').slice(1)) {
    if (typeof part !== 'object' || part === null) return undefined;
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    part = Object.hasOwn(part, name) ? Reflect.get(part, name) : undefined;
  }
  return part;
}

/** The value that was found, for a fault. */
export function found(value: unknown): { readonly value?: string } {
  const shown = shownValue(value);
  return shown === undefined ? {} : { value: shown };
}

/** An entry of a calendar: its index, and its name in reasons. */
export type EntryPlace = { readonly index: number; readonly label: string };

export function faultAt(
  list: 'nights' | 'periods',
  { index, label }: EntryPlace,
  rule: RejectionRule,
  reason: string,
  { member, value }: { readonly member?: string; readonly value?: unknown },
): PlacedFault {
  const field = member === undefined ? `${list}/${index}` : `${list}/${index}/${member}`;
  return { field, rule, reason: `${label}: ${reason}`, ...found(value) };
}

/** Describes a value for a log message: repeats only numbers, dates and amounts. */
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
