import { bearerOf, type EmulatedAnswer, type EmulatedRequest, jsonAnswer } from '../exchange.ts';
import { createTokens } from '../tokens.ts';

export const HOSTAWAY_ACCOUNT_ID = 61_148;
export const HOSTAWAY_API_KEY = 'emulated-hostaway-key';

const TOKEN_LIFE_SECONDS = 15_897_600;
/** A token is good only from then on. */
const TOKEN_STARTS_AFTER_MS = 1000;

export function createHostawayAccess(now: () => number) {
  const tokens = createTokens({ prefix: 'emulated-hostaway-token', lifeMs: TOKEN_LIFE_SECONDS * 1000, now });
  const startsAt = new Map<string, number>();

  return {
    issue({ body }: EmulatedRequest): EmulatedAnswer {
      const form = new URLSearchParams(body);
      if (form.get('grant_type') !== 'client_credentials') return refused(400, 'unsupported_grant_type');
      if (form.get('scope') !== 'general') return refused(400, 'invalid_scope');
      const known =
        form.get('client_id') === String(HOSTAWAY_ACCOUNT_ID) &&
        form.get('client_secret') === HOSTAWAY_API_KEY;
      if (!known) return refused(401, 'invalid_client');
      const token = tokens.issue();
      startsAt.set(token, now() + TOKEN_STARTS_AFTER_MS);
      return jsonAnswer(200, {
        token_type: 'Bearer',
        expires_in: TOKEN_LIFE_SECONDS,
        access_token: token,
      });
    },
    revoke({ query }: EmulatedRequest): EmulatedAnswer {
      startsAt.delete(query.get('token') ?? '');
      return jsonAnswer(200, { status: 'success', result: [] });
    },
    isAllowed(request: EmulatedRequest): boolean {
      const token = bearerOf(request);
      const start = token === undefined ? undefined : startsAt.get(token);
      return start !== undefined && now() >= start && tokens.judge(token) === 'valid';
    },
    expireAll: tokens.expireAll,
    issued: tokens.issued,
  };
}

function refused(status: number, error: string): EmulatedAnswer {
  return jsonAnswer(status, { error, message: 'Client authentication failed' });
}
