import { OK } from '../contract/errors.ts';
import { formatTimestamp } from '../contract/scalars.ts';
import type { AuthRequest, SessionBody } from '../contract/session-body.ts';
import { API_VERSION } from '../contract/version.ts';
import { PATHS } from '../contract/vocabulary.ts';
import { wholeStayHint, wholeStayTemplate } from '../contract/whole-stay.ts';
import type { OpeningContext } from '../search/answer-writer.ts';
import { serviceKey } from '../sessions/idempotency.ts';
import type { Session } from '../sessions/session.ts';
import type { Links } from './links.ts';

export function sessionAnswer(
  session: Session,
  request: AuthRequest,
  { token, method, view }: OpeningContext,
  links: Links,
): SessionBody {
  const scope = { isDirect: session.source === null, isSingleLocation: session.onlyPlace !== null };
  const read = links.search(token, serviceKey(session.revision, 'read'));
  return {
    api_version: API_VERSION,
    status: OK,
    endpoint: PATHS.auth,
    method,
    object: 'session',
    session: token,
    source: session.source,
    request,
    expires_at: formatTimestamp(session.expiresAt),
    next_request: { url: view === 'full' ? read : `${read}&view=${view}`, method: 'GET' },
    hint: wholeStayHint(scope),
    url_template: wholeStayTemplate({ searchUrl: links.at(PATHS.search), session: token, scope, view }),
    self_url: PATHS.auth,
    terms_url: PATHS.terms,
  };
}
