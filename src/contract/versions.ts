import { readFileSync } from 'node:fs';

/** A request may pin the version; a session keeps the one it was opened with. */
export const API_VERSION = '2026-11-01';

/** Newest first. A retired version must stay here for at least twelve months, with `Deprecation` and `Sunset` headers. */
export const SUPPORTED_VERSIONS: readonly string[] = [API_VERSION];

/** Of the package; not the version of the interface, which is a date. */
export const SOFTWARE_VERSION: string = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
).version;
