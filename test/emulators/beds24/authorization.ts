import { type EmulatedAnswer, type EmulatedRequest, jsonAnswer } from '../exchange.ts';
import { createTokens } from '../tokens.ts';
import { beds24Failure } from './envelope.ts';

const LIFE_SECONDS = 86_400;
const DAY_MS = 86_400_000;
const CREDENTIALS = {
  invite_code: 'emulated-beds24-invite-code',
  refresh_token: 'emulated-beds24-refresh-token',
  long_life_token: 'emulated-beds24-long-life-token',
};
const SCOPES = ['read:inventory', 'read:properties'];

/** Tokens of a day for a refresh token, and a long-life token that needs none. Both lapse when they are not used. */
export function authorizeBeds24(now: () => number) {
  const tokens = createTokens({ prefix: 'beds24', lifeMs: LIFE_SECONDS * 1000, now });
  const refreshTokens = new Map<string, number>([[CREDENTIALS.refresh_token, now()]]);
  let inviteCodeUsed = false;
  let longLifeUsedAt = now();

  function tokenFor(refreshToken: string | undefined): EmulatedAnswer {
    const usedAt = refreshToken === undefined ? undefined : refreshTokens.get(refreshToken);
    if (refreshToken === undefined || usedAt === undefined || now() - usedAt > 30 * DAY_MS) {
      return beds24Failure(400, 'Refresh token not valid');
    }
    refreshTokens.set(refreshToken, now());
    return jsonAnswer(200, { token: tokens.issue(), expiresIn: LIFE_SECONDS });
  }

  function setUp(code: string | undefined): EmulatedAnswer {
    if (code !== CREDENTIALS.invite_code || inviteCodeUsed) return beds24Failure(400, 'Code not valid');
    inviteCodeUsed = true;
    const refreshToken = 'emulated-beds24-refresh-token-of-the-invitation';
    refreshTokens.set(refreshToken, now());
    return jsonAnswer(200, { token: tokens.issue(), expiresIn: LIFE_SECONDS, refreshToken });
  }

  function isValid(token: string | undefined): boolean {
    if (token !== CREDENTIALS.long_life_token) return tokens.judge(token) === 'valid';
    if (now() - longLifeUsedAt > 90 * DAY_MS) return false;
    longLifeUsedAt = now();
    return true;
  }

  return {
    credentials: CREDENTIALS,
    isValid,

    /** Null for a path that is not about tokens. */
    answer(path: string, { headers }: EmulatedRequest): EmulatedAnswer | null {
      if (path === '/authentication/setup') return setUp(headers.code);
      if (path === '/authentication/token') return tokenFor(headers.refreshtoken);
      if (path !== '/authentication/details') return null;
      const validToken = isValid(headers.token);
      return jsonAnswer(200, {
        validToken,
        ...(validToken
          ? { token: { ownerId: 77, scopes: SCOPES, linkedProperties: false, onlyPropertyId: null } }
          : {}),
        diagnostics: { requestIp: '127.0.0.1' },
      });
    },

    tokensIssued: tokens.issued,
    expireTokens: tokens.expireAll,
  };
}
