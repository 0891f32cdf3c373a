import type { BrandId } from '../../inventory/catalogue.ts';
import type { IssueToken } from '../account/access-token.ts';
import { requestToken } from '../account/issue-token.ts';
import type { OpenClient } from '../http/operator-client.ts';
import type { Intake } from '../intake/intake.ts';

export type BookingsyncCredentials = {
  readonly clientId: string;
  readonly clientSecret: string;
  /** With which the operator has let the application in; null for all that the application may read. */
  readonly authorization: { readonly refreshToken: string; readonly redirectUri: string | null } | null;
};

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

  const presented = authorization
    ? 'client_id, client_secret and refresh_token'
    : 'client_id and client_secret';
  const refusal = `BookingSync does not accept the ${presented} of the account ${account}`;

  return async (tokenRequest) => {
    // Opened for this one call: the token belongs to all brands of the account, and outlives each of them.
    const client = openClient({ baseUrl: new URL(baseUrl).origin, connections: 1 });
    try {
      return await requestToken(
        {
          method: 'POST',
          path: '/oauth/token',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: formFor(tokenRequest.refreshToken).toString(),
        },
        'issued_token',
        { client, intake, brand, refusal },
        tokenRequest,
      );
    } finally {
      await client.close();
    }
  };
}
