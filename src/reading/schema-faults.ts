/** What is wrong, and where: a JSON pointer into the document that was read. */
export type PointedFault = { readonly pointer: string; readonly message: string };

/** A compiled TypeBox schema, as far as its errors go. */
type Validator = {
  Errors(
    value: unknown,
  ): Iterable<{ readonly keyword: string; readonly instancePath: string; readonly message: string }>;
};

export function schemaFaults(validator: Validator, value: unknown): PointedFault[] {
  return [...validator.Errors(value)].flatMap(({ keyword, instancePath, message }) => {
    // An unknown member is reported twice: at its object and at itself, which is the better place.
    if (keyword === 'additionalProperties') return [];
    return [
      { pointer: instancePath, message: keyword === 'boolean' ? 'is not a member of this object' : message },
    ];
  });
}
