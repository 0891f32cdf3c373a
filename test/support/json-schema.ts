import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

/** Returns the faults of a value, or none. */
export type Validator = (value: unknown) => readonly string[];

const ajv = new Ajv2020({ strict: true, strictRequired: true, allErrors: true });
formats.default(ajv);

/** A schema of an OpenAPI document, with the others that it refers to. */
export function componentSchema(schemas: Readonly<Record<string, object>>, name: string): object {
  const $defs = JSON.parse(JSON.stringify(schemas).replaceAll('"#/components/schemas/', '"#/$defs/'));
  return { $ref: `#/$defs/${name}`, $defs };
}

/** Throws when the schema itself is invalid. */
export function compileSchema(schema: object): Validator {
  const validate = ajv.compile(schema);
  return (value) => {
    validate(value);
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  };
}
