import { OK } from '../contract/errors.ts';
import { formatTimestamp } from '../contract/scalars.ts';
import type { AuthRequest, SessionBody } from '../contract/session-body.ts';
import { API_VERSION } from '../contract/version.ts';
import { PATHS } from '../contract/vocabulary.ts';
import { serviceKey } from '../sessions/idempotency.ts';
import type { Session } from '../sessions/session.ts';
import type { Links } from './links.ts';

export function sessionAnswer(
  session: Session,
  request: AuthRequest,
  token: string,
  links: Links,
): SessionBody {
  return {
    api_version: API_VERSION,
    status: OK,
    endpoint: PATHS.auth,
    method: 'POST',
    object: 'session',
    session: token,
    source: session.source,
    request,
    expires_at: formatTimestamp(session.expiresAt),
    next_request: { url: links.search(token, serviceKey(session.revision, 'read')), method: 'GET' },
    self_url: PATHS.auth,
    terms_url: PATHS.terms,
  };
}
