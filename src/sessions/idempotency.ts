const KEY_PATTERN = /^[A-Za-z0-9._:~-]{1,255}$/;
const SERVICE_PREFIX = 'sw.';

/** All users of one assistant share its identity: a guessable key at auth would hand one conversation's session to another. */
const MIN_KEY_AT_AUTH = 16;

export type KeyReading =
  | { readonly kind: 'none' }
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'invalid' };

/** The key from the query or from the header; both may be given when they agree. The header may be a quoted string. */
export function readKey(fromQuery: string | undefined, fromHeader: string | undefined): KeyReading {
  const unquoted = fromHeader?.replace(/^"(.*)"$/, '$1');
  const key = fromQuery ?? unquoted;
  if (key === undefined) return { kind: 'none' };
  if (!KEY_PATTERN.test(key)) return { kind: 'invalid' };
  if (unquoted !== undefined && unquoted !== key) return { kind: 'invalid' };
  return { kind: 'key', key };
}

export function isUsableAtAuth(key: string): boolean {
  return key.length >= MIN_KEY_AT_AUTH;
}

/** Keys in the addresses that we hand out: unique for a state of the session and a place in its list of offers. */
export function serviceKey(revision: number, ordinal: number | string): string {
  return `${SERVICE_PREFIX}${revision}.${ordinal}`;
}

/** A client follows `refine.href` with different amenities under one key that we made: that is no reuse. */
export function isServiceKey(key: string): boolean {
  return key.startsWith(SERVICE_PREFIX);
}
