import { readFileSync } from 'node:fs';

/** Of the package; not the version of the interface, which is a date. */
export const SOFTWARE_VERSION: string = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
).version;
