/** The result of reading outside input: a valid value, or all of its faults. */
export type Reading<Value, Fault = string> =
  | { readonly kind: 'valid'; readonly value: Value }
  | { readonly kind: 'invalid'; readonly faults: readonly Fault[] };

export function valid<Value>(value: Value): { readonly kind: 'valid'; readonly value: Value } {
  return { kind: 'valid', value };
}

export function invalid<Fault>(...faults: readonly Fault[]): {
  readonly kind: 'invalid';
  readonly faults: readonly Fault[];
} {
  return { kind: 'invalid', faults };
}

/** A fault with a JSON pointer into the document. */
export type PointedFault = {
  readonly pointer: string;
  readonly message: string;
  /** The missing value is a secret outside the document, so the document need not change. */
  readonly isSecret?: true;
};

/** The part of a compiled TypeBox schema that is used here. */
type Validator = {
  Errors(
    value: unknown,
  ): Iterable<{ readonly keyword: string; readonly instancePath: string; readonly message: string }>;
};

export function schemaFaults(validator: Validator, value: unknown): PointedFault[] {
  return [...validator.Errors(value)].flatMap(({ keyword, instancePath, message }) => {
    // TypeBox reports an unknown member twice, at its object and at itself; use only the second.
    if (keyword === 'additionalProperties') return [];
    return [
      { pointer: instancePath, message: keyword === 'boolean' ? 'is not a member of this object' : message },
    ];
  });
}

/** A JSON document; undefined for anything else. */
export function jsonIn(document: string | Uint8Array): unknown {
  try {
    return JSON.parse(typeof document === 'string' ? document : new TextDecoder().decode(document));
  } catch {
    return undefined;
  }
}
