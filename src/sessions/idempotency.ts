import { invalid, type Reading, valid } from '../reading/reading.ts';

const KEY_PATTERN = /^[A-Za-z0-9._:~-]{1,255}$/;
const SERVICE_PREFIX = 'sw.';

const NO_KEY = valid(null);

/** All users of one assistant share its identity: a guessable key at auth would hand one conversation's session to another. */
const MIN_KEY_LENGTH_AT_AUTH = 16;

/** The one key among those that a request carries; null when it carries none. Two that differ are no key. */
export function readKey(keys: readonly string[]): Reading<string | null, 'invalid_idempotency_key'> {
  const [key] = keys;
  if (key === undefined) return NO_KEY;
  const isKey = KEY_PATTERN.test(key) && keys.every((other) => other === key);
  return isKey ? valid(key) : invalid('invalid_idempotency_key');
}

export function isUsableAtAuth(key: string): boolean {
  return key.length >= MIN_KEY_LENGTH_AT_AUTH;
}

/** Keys in the addresses that we hand out: unique for a state of the session and a place in its list of offers. */
export function serviceKey(revision: number, ordinal: number | string): string {
  return `${SERVICE_PREFIX}${revision}.${ordinal}`;
}

/** A client follows `refine.href` with different amenities under one key that we made: that is no reuse. */
export function isServiceKey(key: string): boolean {
  return key.startsWith(SERVICE_PREFIX);
}
