import { BookingSystemFailure } from '../../../limits/booking-system-failure.ts';
import { parseDocument } from '../intake/parse-document.ts';
import { looseNumber, looseRecord } from '../vendors/loose-values.ts';
import type { IssuedToken } from './access-token.ts';

/** Characters that a header can carry. */
const USABLE = /^[\x21-\x7e]{1,8192}$/;

/** A task of the intake: the answer of a token endpoint of OAuth 2.0. */
export function* readIssuedToken(document: Uint8Array, _: null): Generator<IssuedToken, null> {
  const { access_token, expires_in, refresh_token } = looseRecord(parseDocument(document));
  const seconds = looseNumber(expires_in);
  if (typeof access_token !== 'string' || !USABLE.test(access_token)) {
    throw new BookingSystemFailure('garbled', 'the answer to the request for a token holds none');
  }
  if (seconds === undefined || seconds <= 0) {
    throw new BookingSystemFailure('garbled', 'the answer does not say how long its token is valid');
  }
  const hasRefreshToken = typeof refresh_token === 'string' && USABLE.test(refresh_token);
  yield {
    token: access_token,
    lifetimeMs: seconds * 1000,
    ...(hasRefreshToken ? { refreshToken: refresh_token } : {}),
  };
  return null;
}
