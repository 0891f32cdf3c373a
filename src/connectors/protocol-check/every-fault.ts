/** A listing or a quote can have more faults than are worth a row. */
const MAX_ROUNDS = 30;

/** What a reader says of a value: the faults, and the first of them if it ended the reading. */
export type FaultsFound<Fault> = { readonly faults: readonly Fault[]; readonly endedBy: Fault | null };

/**
 * Every fault of a value, found by a reader that ends at the first grave one: what that names is replaced by what the example has
 * there, and the value is read again. So there is no second opinion on what a fault is.
 */
export function everyFault<Fault extends { readonly field: string; readonly rule: string }>(
  value: unknown,
  example: unknown,
  read: (value: unknown) => FaultsFound<Fault>,
): readonly Fault[] {
  const found = new Map<string, Fault>();
  const mended = structuredClone(value);
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const { faults, endedBy } = read(mended);
    const isNew = endedBy !== null && !found.has(keyOf(endedBy));
    for (const fault of faults) if (!found.has(keyOf(fault))) found.set(keyOf(fault), fault);
    if (!isNew || !mend(mended, endedBy.field, example)) break;
  }
  return [...found.values()];
}

function keyOf({ field, rule }: { readonly field: string; readonly rule: string }): string {
  return `${field} ${rule}`;
}

/** False when there is nothing to replace: the value as a whole is wrong. */
function mend(value: unknown, field: string, example: unknown): boolean {
  const steps = stepsOf(field);
  const last = steps.pop();
  let parent = value;
  for (const step of steps) parent = memberOf(parent, step);
  if (last === undefined || typeof parent !== 'object' || parent === null) return false;
  const right = exampleAt(example, field);
  if (right !== undefined) Reflect.set(parent, last, structuredClone(right));
  else if (Array.isArray(parent)) parent.splice(Number(last), 1);
  else Reflect.deleteProperty(parent, last);
  return true;
}

/** What the example has at a place; any entry of a list is like its first. */
export function exampleAt(example: unknown, field: string): unknown {
  let part = example;
  for (const step of stepsOf(field)) part = memberOf(part, Array.isArray(part) ? '0' : step);
  return part;
}

function stepsOf(field: string): string[] {
  return field === '' ? [] : field.split('/').map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function memberOf(whole: unknown, name: string): unknown {
  return typeof whole === 'object' && whole !== null && Object.hasOwn(whole, name)
    ? Reflect.get(whole, name)
    : undefined;
}
