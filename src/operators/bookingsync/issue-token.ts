import type { BrandId } from '../../inventory/catalogue.ts';
import { BookingSystemFailure } from '../../quotes/booking-system.ts';
import type { IssuedToken, IssueToken } from '../account/access-token.ts';
import type { OpenClient } from '../http/operator-client.ts';
import type { Intake } from '../intake/intake.ts';

export type BookingsyncCredentials = {
  readonly clientId: string;
  readonly clientSecret: string;
  /** With which the operator has let the application in; null for all that the application may read. */
  readonly authorization: { readonly refreshToken: string; readonly redirectUri: string | null } | null;
};

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 64 * 1024;

/** Asks for a token in one of the two ways that need nobody at a browser. */
export function createBookingsyncTokens({
  baseUrl,
  account,
  credentials: { clientId, clientSecret, authorization },
  openClient,
  intake,
  brand,
}: {
  /** Of the API; tokens are issued on the same server. */
  readonly baseUrl: string;
  readonly account: string;
  readonly credentials: BookingsyncCredentials;
  readonly openClient: OpenClient;
  readonly intake: Intake;
  readonly brand: BrandId;
}): IssueToken {
  function formFor(latestRefreshToken: string | undefined): URLSearchParams {
    const application = { client_id: clientId, client_secret: clientSecret };
    if (!authorization) return new URLSearchParams({ ...application, grant_type: 'client_credentials' });
    return new URLSearchParams({
      ...application,
      grant_type: 'refresh_token',
      // The vendor gives a new one with each token.
      refresh_token: latestRefreshToken ?? authorization.refreshToken,
      ...(authorization.redirectUri === null ? {} : { redirect_uri: authorization.redirectUri }),
    });
  }

  function refused(cause: BookingSystemFailure): BookingSystemFailure {
    const presented = authorization
      ? 'client_id, client_secret and refresh_token'
      : 'client_id and client_secret';
    return new BookingSystemFailure(
      'rejected',
      `BookingSync does not accept the ${presented} of the account ${account}`,
      { cause },
    );
  }

  async function ask(form: URLSearchParams, signal: AbortSignal): Promise<IssuedToken> {
    // Opened for this one call: the token belongs to all brands of the account, and outlives each of them.
    const client = openClient({ baseUrl: new URL(baseUrl).origin, connections: 1 });
    try {
      const answer = await client.send(
        {
          method: 'POST',
          path: '/oauth/token',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: form.toString(),
        },
        { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, signal },
      );
      if (answer.kind === 'unchanged') throw new BookingSystemFailure('garbled', 'no token was sent');
      let issued: IssuedToken | undefined;
      await intake.run({
        task: 'issued_token',
        lane: 'live',
        brand,
        document: answer.bytes,
        parameters: null,
        signal,
        take: ([token]) => {
          issued = token;
        },
      });
      if (!issued) throw new BookingSystemFailure('garbled', 'no token was sent');
      return issued;
    } finally {
      await client.close();
    }
  }

  return async (latestRefreshToken, signal) => {
    try {
      return await ask(formFor(latestRefreshToken), signal);
    } catch (failure) {
      const isRefusal = failure instanceof BookingSystemFailure && failure.kind === 'rejected';
      throw isRefusal ? refused(failure) : failure;
    }
  };
}
