import { invalid, type Reading, valid } from '../reading/reading.ts';

const KEY_PATTERN = /^[A-Za-z0-9._:~-]{1,255}$/;
const SERVICE_PREFIX = 'sw.';
const SERVICE_KEY_PATTERN = /^sw\.(\d{1,9})\./;

const NO_KEY = valid(null);

/** All users of an assistant share its identity, so a guessable key at auth would hand one user's session to another. */
const MIN_KEY_LENGTH_AT_AUTH = 16;

/** Null without a key. Keys in query and header must be the same. */
export function readKey(keys: readonly string[]): Reading<string | null, 'invalid_idempotency_key'> {
  const [key] = keys;
  if (key === undefined) return NO_KEY;
  const isKey = KEY_PATTERN.test(key) && keys.every((other) => other === key);
  return isKey ? valid(key) : invalid('invalid_idempotency_key');
}

export function isUsableAtAuth(key: string): boolean {
  return key.length >= MIN_KEY_LENGTH_AT_AUTH;
}

/** For the addresses in answers: unique for a revision of the session and a position in its list of offers. */
export function serviceKey(revision: number, ordinal: number | string): string {
  return `${SERVICE_PREFIX}${revision}.${ordinal}`;
}

/** A client may follow `refine.href` with different amenities, all under its one service key: that is no reuse. */
export function isServiceKey(key: string): boolean {
  return key.startsWith(SERVICE_PREFIX);
}

/** The revision of the session that offered an address with this key; undefined for a key of the client's own. */
export function revisionOfServiceKey(key: string): number | undefined {
  const [, revision] = SERVICE_KEY_PATTERN.exec(key) ?? [];
  return revision === undefined ? undefined : Number(revision);
}
