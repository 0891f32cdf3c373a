import type { Clock } from '../../clock.ts';
import type { ConnectTools } from '../connector.ts';
import type { IssueToken } from '../shared/account/access-token.ts';
import { pauseOf } from '../shared/account/account-budget.ts';
import type { VendorConventions } from '../shared/account/account-client.ts';
import { requestToken } from '../shared/account/issue-token.ts';

export type BookingsyncCredentials = {
  readonly clientId: string;
  readonly clientSecret: string;
  /** The operator's authorization of the application; null for all that the application may read. */
  readonly authorization: { readonly refreshToken: string; readonly redirectUri: string | null } | null;
};

const MS_PER_SECOND = 1000;

export function bookingsyncConventions(clock: Clock): VendorConventions {
  return {
    authorization: (token) => ({ authorization: `Bearer ${token}` }),
    tokenRefusals: [401],
    readBudget(header, status) {
      const now = clock.now();
      const reset = Number(header('x-ratelimit-reset') ?? Number.NaN) * MS_PER_SECOND - now;
      const endsInMs = reset > 0 ? reset : undefined;
      if (status === 429) {
        return { ...(endsInMs === undefined ? {} : { pauseMs: endsInMs }), ...pauseOf(header, now) };
      }
      const left = Number(header('x-ratelimit-remaining') ?? Number.NaN);
      return Number.isNaN(left) || endsInMs === undefined ? {} : { left, leftEndsInMs: endsInMs };
    },
  };
}

/** Requests a token by one of the two grants that need no browser. Tokens are issued on the server of the API. */
export function issueBookingsyncToken(
  {
    baseUrl,
    account,
    credentials: { clientId, clientSecret, authorization },
  }: { readonly baseUrl: string; readonly account: string; readonly credentials: BookingsyncCredentials },
  { openClient, intake, context: { brand } }: Pick<ConnectTools, 'openClient' | 'intake' | 'context'>,
): IssueToken {
  const presented = authorization
    ? 'client_id, client_secret and refresh_token'
    : 'client_id and client_secret';
  const refusal = `BookingSync does not accept the ${presented} of the account ${account}`;
  return async (tokenRequest) => {
    const form = new URLSearchParams({ client_id: clientId, client_secret: clientSecret });
    form.set('grant_type', authorization ? 'refresh_token' : 'client_credentials');
    if (authorization) {
      // The vendor issues a new refresh token with each token.
      form.set('refresh_token', tokenRequest.refreshToken ?? authorization.refreshToken);
      if (authorization.redirectUri !== null) form.set('redirect_uri', authorization.redirectUri);
    }
    // Opened for one call: all brands of the account share the token, which outlives each of them.
    const client = openClient({ baseUrl: new URL(baseUrl).origin, connections: 1 });
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    try {
      return await requestToken(
        { method: 'POST', path: '/oauth/token', headers, body: form.toString() },
        'issued_token',
        { client, intake, brand, refusal },
        tokenRequest,
      );
    } finally {
      await client.close();
    }
  };
}
