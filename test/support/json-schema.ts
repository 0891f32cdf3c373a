import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

/** Says what is wrong with a value; nothing when it agrees. */
export type Validator = (value: unknown) => readonly string[];

const ajv = new Ajv2020({ strict: true, strictRequired: true, allErrors: true });
formats.default(ajv);

/** Throws when the schema itself is not a sound one. */
export function compileSchema(schema: object): Validator {
  const validate = ajv.compile(schema);
  return (value) => {
    validate(value);
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  };
}
