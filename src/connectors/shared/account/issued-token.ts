import { BookingSystemFailure } from '../../../limits/booking-system-failure.ts';
import { parseDocument } from '../intake/parse-document.ts';
import { looseNumber, looseRecord } from '../vendors/loose-values.ts';
import type { IssuedToken } from './access-token.ts';

/** Characters that a header can carry. */
const USABLE = /^[\x21-\x7e]{1,8192}$/;

/** Intake task: reads the answer of a token endpoint of OAuth 2.0. */
export function* readIssuedToken(document: Uint8Array, _: null): Generator<IssuedToken, null> {
  const { access_token, expires_in, refresh_token } = looseRecord(parseDocument(document));
  const refreshToken = typeof refresh_token === 'string' && USABLE.test(refresh_token) ? refresh_token : null;
  yield { ...issuedToken(access_token, expires_in), ...(refreshToken === null ? {} : { refreshToken }) };
  return null;
}

/** Checks a token that a vendor issued. */
export function issuedToken(token: unknown, expiresIn: unknown): IssuedToken {
  if (typeof token !== 'string' || !USABLE.test(token)) {
    throw new BookingSystemFailure('garbled', 'the answer to the request for a token holds none');
  }
  const seconds = looseNumber(expiresIn);
  if (seconds === undefined || seconds <= 0) {
    throw new BookingSystemFailure('garbled', 'the answer does not say how long its token is valid');
  }
  return { token, lifetimeMs: seconds * 1000 };
}
