import { shownValue } from '../../../catalogue/rejections/rejected-value.ts';
import type { RejectionFault } from '../../../catalogue/rejections/rejection.ts';
import { expectedBy, formOf, foundValue, partAt } from './expected-value.ts';

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

/** Several times what any entry has. TypeBox keeps 400 bytes and more for each part with a fault until it has seen all of them. */
const MAX_PARTS = 20_000;

/** Where a value that breaks its schema does so first: the member, what was found, and what was expected. */
export function firstFault(schema: Omit<FaultFinder, 'Check'>, value: unknown): PlacedFault {
  const errors = partsOf(value, MAX_PARTS) < MAX_PARTS ? [...schema.Errors(value)] : [];
  const error = firstOf(errors);
  if (!error) {
    const reason = `breaks the schema, and has more than ${MAX_PARTS} parts: too many to look for the first fault`;
    return { field: '', rule: 'too_complex', reason };
  }
  if (error.keyword === 'required') return missingMember(schema, error);
  const found = partAt(value, error.instancePath);
  const shown = shownValue(found);
  return {
    field: error.instancePath.slice(1),
    ...ruleOf(error, found, partAt(schema.Type(), error.schemaPath)),
    ...(shown === undefined ? {} : { value: shown }),
  };
}

/** Of the variants of a union the one that the value was meant to be: it has the members, but not all of them are right. */
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

/** Counts no further than to the maximum. */
function partsOf(value: unknown, max: number): number {
  if (typeof value !== 'object' || value === null) return 1;
  let parts = 1;
  for (const part of Array.isArray(value) ? value : Object.values(value)) {
    if (parts >= max) break;
    parts += partsOf(part, max - parts);
  }
  return parts;
}
