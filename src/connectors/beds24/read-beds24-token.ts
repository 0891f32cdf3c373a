import { BookingSystemFailure } from '../../limits/booking-system-failure.ts';
import type { IssuedToken } from '../shared/account/access-token.ts';
import { parseDocument } from '../shared/intake/parse-document.ts';
import { looseNumber, looseRecord } from '../shared/vendors/loose-values.ts';

/** What a header can carry. */
const USABLE = /^[\x21-\x7e]{1,8192}$/;

/** A task of the intake: `GET /authentication/token`. The refresh token stays the same, so none comes with it. */
export function* readBeds24Token(document: Uint8Array, _: null): Generator<IssuedToken, null> {
  const { success, token, expiresIn } = looseRecord(parseDocument(document));
  if (success === false) throw new BookingSystemFailure('rejected', 'Beds24 refused the refresh token');
  const seconds = looseNumber(expiresIn);
  if (typeof token !== 'string' || !USABLE.test(token)) {
    throw new BookingSystemFailure('garbled', 'the answer to the request for a token holds none');
  }
  if (seconds === undefined || seconds <= 0) {
    throw new BookingSystemFailure('garbled', 'the answer does not say how long its token is valid');
  }
  yield { token, lifetimeMs: seconds * 1000 };
  return null;
}
