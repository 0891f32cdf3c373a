import { OK } from '../../contract/errors.ts';
import type { AuthRequest, SessionBody } from '../../contract/session-body.ts';
import { API_VERSION, formatTimestamp, PATHS } from '../../contract/vocabulary.ts';
import { wholeStayHint, wholeStayTemplate } from '../../contract/whole-stay.ts';
import type { Session } from '../../sessions/session.ts';
import type { FindExampleStay } from '../example-stay.ts';
import { askedFields } from '../payload.ts';
import type { Links } from './links.ts';
import type { AnswerForm } from './side-effects.ts';

/** An opened session, with the request that begins its search. */
export function sessionAnswer(
  session: Session,
  request: AuthRequest,
  { token, method, view }: AnswerForm & { readonly token: string },
  { links, findExampleStay }: { readonly links: Links; readonly findExampleStay: FindExampleStay },
): SessionBody {
  const { order } = askedFields(session);
  const { revision } = session;
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
    next_request: { url: links.forSession({ token, revision, view }).read(), method: 'GET' },
    hint: wholeStayHint(order, findExampleStay(session.openedAt, session.onlyPlace)),
    // Compact, because the answer to it is a whole comparison set.
    url_template: wholeStayTemplate({
      searchUrl: links.at(PATHS.search),
      session: token,
      order,
      view: 'compact',
    }),
    self_url: PATHS.auth,
    terms_url: PATHS.terms,
  };
}
