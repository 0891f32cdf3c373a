import { type Static, Type } from 'typebox';
import { Closed, Count, Described, Nullable, PATHS, Text, Timestamp } from './vocabulary.ts';

export const AuthRequest = Closed({
  source: Type.Optional(
    Nullable(
      Type.String({ minLength: 1, maxLength: 64 }),
      'The brand of the entry. Left out or null: a direct session over every brand.',
    ),
  ),
});
export type AuthRequest = Static<typeof AuthRequest>;

export const SessionBody = Closed({
  api_version: Text('Version date of the interface.'),
  status: Count('HTTP status mirrored in the body.'),
  endpoint: Type.Literal(PATHS.auth, { description: 'Path of the called endpoint.' }),
  method: Text('HTTP method of the call.'),
  object: Type.Literal('session', { description: 'Always session.' }),
  session: Text('Session token. Every later request carries it as the session query parameter.'),
  source: Nullable(
    Type.String(),
    'The source named at entry, stored in the session. Null on a direct session.',
  ),
  request: Described('Echo of the request: its body, or the source in the query.', {
    source: AuthRequest.properties.source,
  }),
  expires_at: Timestamp('End of the session.'),
  next_request: Described('The first search request.', {
    url: Text('Complete address of the first search request.'),
    method: Type.Literal('GET', { description: 'Always GET: it reads the first step.' }),
  }),
  hint: Text('Beyond the base interface: how the whole stay can be given in one request, with an example.'),
  url_template: Text(
    'Beyond the base interface: the address of that request, with the names of the fields in braces.',
  ),
  self_url: Text('Relative path of the called resource.'),
  terms_url: Type.Literal(PATHS.terms, { description: 'The terms that govern the use.' }),
});
export type SessionBody = Static<typeof SessionBody>;
