import { invalid, type Reading, valid } from '../parsing/reading.ts';

/** Printable ASCII without leading or trailing blanks, which a header would lose. */
const KEY_PATTERN = /^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/;
const SERVICE_PREFIX = 'sw.';
/** Exactly the form of `serviceKey`: any other key that begins alike is the client's own. */
const SERVICE_KEY_PATTERN = /^sw\.(\d{1,9})\.[a-z0-9_-]{1,40}$/;

export const NO_KEY = valid(null);
const INVALID_KEY = invalid<'invalid_idempotency_key'>('invalid_idempotency_key');

/**
 * Null without a key; an empty one counts as none. Every offered address carries a key of the service, so a client's own key takes
 * precedence over it. Two different own keys contradict each other.
 */
export function readKey(keys: readonly string[]): Reading<string | null, 'invalid_idempotency_key'> {
  let own: string | null = null;
  let offered: string | null = null;
  for (const key of keys) {
    if (key === '') continue;
    if (!KEY_PATTERN.test(key)) return INVALID_KEY;
    if (SERVICE_KEY_PATTERN.test(key)) offered = key;
    else if (own === null) own = key;
    else if (own !== key) return INVALID_KEY;
  }
  return valid(own ?? offered);
}

/** The key of an address in an answer: unique for a revision of the session and a position in its list of offers. */
export function serviceKey(revision: number, ordinal: number | string): string {
  return `${SERVICE_PREFIX}${revision}.${ordinal}`;
}

const REFUSED = 'refused-';

/** The key of the address that reads the step after a value of the field was refused, so that the step can say so. */
export function keyAfterRefusal(revision: number, field: string): string {
  return serviceKey(revision, `${REFUSED}${field}`);
}

/** The field of such a key, if the session is still at that revision. */
export function refusedFieldOf(key: string | null, revision: number): string | undefined {
  if (!key?.includes(REFUSED)) return undefined;
  const field = key.slice(key.indexOf(REFUSED) + REFUSED.length);
  return key === keyAfterRefusal(revision, field) ? field : undefined;
}

/** A client may follow `refine.href` with different amenities under its one service key: that is not a reuse. */
export function isServiceKey(key: string): boolean {
  return SERVICE_KEY_PATTERN.test(key);
}

/** The revision of the session that offered an address with this key; undefined for a key of the client's own. */
export function revisionOfServiceKey(key: string): number | undefined {
  const [, revision] = SERVICE_KEY_PATTERN.exec(key) ?? [];
  return revision === undefined ? undefined : Number(revision);
}
