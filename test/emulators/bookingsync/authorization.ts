import { type EmulatedAnswer, type EmulatedRequest, jsonAnswer } from '../exchange.ts';
import { createTokens } from '../tokens.ts';

const LIFE_SECONDS = 7200;
export const BOOKINGSYNC_CREDENTIALS = {
  client_id: 'emulated-bookingsync-client',
  client_secret: 'emulated-bookingsync-secret',
  refresh_token: 'emulated-bookingsync-refresh-0',
};

/** Tokens of an application: with the public scope alone, or with what an account authorised. */
export function authorizeBookingsync(now: () => number) {
  const publicTokens = createTokens({ prefix: 'bookingsync-public', lifeMs: LIFE_SECONDS * 1000, now });
  const accountTokens = createTokens({ prefix: 'bookingsync-account', lifeMs: LIFE_SECONDS * 1000, now });
  // Each refresh gives a new one, and the one before is worth nothing.
  let refreshToken: string = BOOKINGSYNC_CREDENTIALS.refresh_token;

  return {
    credentials: BOOKINGSYNC_CREDENTIALS,

    answerTokenRequest(request: EmulatedRequest): EmulatedAnswer {
      // The guide sends the parameters in the query as well as in the form.
      const form = new URLSearchParams(request.body);
      const value = (name: string) => form.get(name) ?? request.query.get(name);
      if (request.method !== 'POST') return jsonAnswer(404, { error: 'not_found' });
      if (
        value('client_id') !== BOOKINGSYNC_CREDENTIALS.client_id ||
        value('client_secret') !== BOOKINGSYNC_CREDENTIALS.client_secret
      ) {
        return jsonAnswer(401, { error: 'invalid_client' });
      }
      if (value('grant_type') === 'client_credentials') {
        return jsonAnswer(200, {
          access_token: publicTokens.issue(),
          token_type: 'bearer',
          expires_in: LIFE_SECONDS,
          scope: 'public',
          created_at: Math.floor(now() / 1000),
        });
      }
      if (value('grant_type') !== 'refresh_token')
        return jsonAnswer(401, { error: 'unsupported_grant_type' });
      if (value('refresh_token') !== refreshToken) return jsonAnswer(401, { error: 'invalid_grant' });
      const token = accountTokens.issue();
      refreshToken = `emulated-bookingsync-refresh-${accountTokens.issued()}`;
      return jsonAnswer(200, {
        access_token: token,
        token_type: 'bearer',
        expires_in: LIFE_SECONDS,
        refresh_token: refreshToken,
        scope: 'public rates_read',
      });
    },

    /** Null for a token that is unknown or has expired. */
    scopesOf(token: string | undefined): readonly string[] | null {
      if (accountTokens.judge(token) === 'valid') return ['public', 'rates_read'];
      return publicTokens.judge(token) === 'valid' ? ['public'] : null;
    },

    tokensIssued: () => publicTokens.issued() + accountTokens.issued(),

    expireTokens() {
      publicTokens.expireAll();
      accountTokens.expireAll();
    },
  };
}
