/** The part of a compiled TypeBox schema that is used here. */
type FaultFinder = {
  Errors(value: unknown): Iterable<{ readonly instancePath: string; readonly message: string }>;
};

/** Several times what any entry has. TypeBox keeps 400 bytes and more for each part with a fault until it has seen all of them. */
const MAX_PARTS = 20_000;

/** Where a value that breaks its schema does so first, and how. */
export function firstFault(
  schema: FaultFinder,
  value: unknown,
): { readonly field: string; readonly reason: string } {
  const [first] = partsOf(value, MAX_PARTS) < MAX_PARTS ? schema.Errors(value) : [];
  return {
    field: first?.instancePath.slice(1) ?? '',
    reason: first?.message ?? 'does not follow the schema, and is too large to say where',
  };
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
