import { BookingSystemFailure } from '../../quotes/booking-system.ts';
import type { IssuedToken } from '../account/access-token.ts';
import { parseDocument } from '../intake/parse-document.ts';
import { looseNumber, looseText, memberOf } from '../loose-json.ts';

const TOKEN = /^[\x21-\x7e]{1,4096}$/;
/** Longer than any token lives that can be renewed. */
const MAX_LIFETIME_MS = 30 * 86_400_000;

/** A task of the intake: the answer of the vendor's token endpoint. It has no items. */
// biome-ignore lint/correctness/useYield: what there is to say is said at the end.
export function* readBookingsyncToken(
  document: Uint8Array,
  _parameters: null,
): Generator<never, IssuedToken> {
  const answer = parseDocument(document);
  const token = looseText(memberOf(answer, 'access_token'), 5000);
  const lifetimeMs = (looseNumber(memberOf(answer, 'expires_in')) ?? 0) * 1000;
  const refreshToken = looseText(memberOf(answer, 'refresh_token'), 5000);
  if (!TOKEN.test(token) || lifetimeMs <= 0) {
    throw new BookingSystemFailure('garbled', 'the answer holds no token, or does not say how long it lives');
  }
  return {
    token,
    lifetimeMs: Math.min(lifetimeMs, MAX_LIFETIME_MS),
    ...(TOKEN.test(refreshToken) ? { refreshToken } : {}),
  };
}
