import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

/** Returns the faults of a value, or none. */
export type Validator = (value: unknown) => readonly string[];

const ajv = new Ajv2020({ strict: true, strictRequired: true, allErrors: true });
formats.default(ajv);

/** Throws when the schema itself is invalid. */
export function compileSchema(schema: object): Validator {
  const validate = ajv.compile(schema);
  return (value) => {
    validate(value);
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  };
}
