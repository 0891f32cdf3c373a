import { type Static, Type } from 'typebox';
import { ACCESS, Closed, Count, Described, Text, Texts } from './vocabulary.ts';

/** The body of an error on every endpoint but search. */
export const Problem = Closed({
  api_version: Text('Version date of the interface.'),
  status: Count('HTTP status mirrored in the body.'),
  endpoint: Text(
    'Path of the called endpoint. Of an address that is not part of the interface only the part that is.',
  ),
  method: Text('HTTP method of the call.'),
  error: Text('Error code of the registry.'),
  message: Text('What was wrong.'),
  reason: Type.Optional(
    Type.Literal('end_user_access', { description: 'A person opened the address in a browser.' }),
  ),
  access: Type.Optional(
    Closed({
      audience: Type.Literal(ACCESS.audience),
      end_user_access: Type.Literal(ACCESS.end_user_access),
    }),
  ),
  help_url: Type.Optional(
    Text('Page that says how an assistant is approved and how it signs. Public, unlike the rest.'),
  ),
  invalid_field: Type.Optional(Text('The parameter that was refused, where its name is plain.')),
  did_you_mean: Type.Optional(Text('The nearest name that the endpoint knows.')),
  allowed_methods: Type.Optional(Texts('The methods that the address takes.')),
  missing_fields: Type.Optional(Type.Array(Type.String())),
  next_required: Type.Optional(Type.String()),
  next_request: Type.Optional(
    Described('The request that goes on from here.', {
      url: Text('Complete address.'),
      method: Type.Optional(Type.String()),
      body: Type.Optional(Closed({ source: Type.Optional(Type.String()) })),
      field: Type.Optional(Type.String()),
      value: Type.Optional(Type.String()),
    }),
  ),
  sources: Type.Optional(Texts('The sources that exist.')),
  expired_at: Type.Optional(Type.String()),
  retry_after_seconds: Type.Optional(Type.Integer()),
  supported_versions: Type.Optional(Type.Array(Type.String())),
  schema_url: Type.String(),
  terms_url: Type.String(),
  self_url: Text('Path that was called. Empty where the address is not part of the interface.'),
});
export type Problem = Static<typeof Problem>;
