/** The version of the interface, as a date. A request may pin it; a session keeps the one it was opened with. */
export const API_VERSION = '2026-11-01';

/** Newest first. A retired version stays for at least twelve months with `Deprecation` and `Sunset` headers. */
export const SUPPORTED_VERSIONS: readonly string[] = [API_VERSION];
