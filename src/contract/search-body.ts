import { type Static, Type } from 'typebox';
import { PLACE_KINDS } from '../catalogue/catalogue.ts';
import { membersFor, NIGHTS } from './payload-fields.ts';
import { FieldRefusal, Position, RefusalReason } from './refusal-reasons.ts';
import { Closed, Count, Described, Nullable, PATHS, Text, Texts } from './vocabulary.ts';

/** What a request did besides taking its values, in a step and in a result alike. */
export const sideEffectMembers = {
  cleared_fields: Type.Optional(
    Texts(
      'Beyond the base interface: fields whose values no longer fit and were cleared; amenities when a filter had to go.',
    ),
  ),
  cleared_amenities: Type.Optional(
    Texts(
      'Beyond the base interface: filters that were taken off, because no match has them any more or because a request for a whole stay did not name them.',
    ),
  ),
  fulfilled_amenities: Type.Optional(
    Texts(
      'Beyond the base interface: amenities of the request that every match has, so that no filter was needed.',
    ),
  ),
  from_earlier_step: Type.Optional(
    Type.Literal(true, {
      description:
        'Beyond the base interface: the address that was followed belongs to an earlier step; its value was supplied to the search as it stands.',
    }),
  ),
};

const Value = Type.Union([
  Type.String(),
  Type.Boolean(),
  Type.Integer(),
  Type.Array(Type.String(), { maxItems: 1 }),
]);

/** The body of `POST /search`. Other members are allowed here, because the service answers them with `unknown_field`. */
export const SearchRequest = Type.Object(
  {
    field: Type.Optional(Type.String({ description: 'Name of the field that value is for.' })),
    value: Type.Optional(Value),
    ...membersFor('request'),
    [NIGHTS]: Type.Optional(
      Type.Union([Type.Integer(), Type.String()], {
        description:
          'Beyond the base interface: in place of check_out, how many nights from check_in_day on.',
      }),
    ),
  },
  {
    description:
      'Empty to read the step. Otherwise fields with their values, as {"destination": "x", "guests": 2}, or one as {"field": "destination", "value": "x"}.',
  },
);

const changesMember = {
  changes: Type.Optional(
    Texts(
      'Beyond the base interface: fields in which the request differs from what was asked for. Ask the traveller before you follow it.',
    ),
  ),
};

export const OfferedRequest = Described('A request that can be followed as it is.', {
  field: Text('The field that this request supplies.'),
  value: Text('The value, as text.'),
  url: Text('Complete address: following it with GET, or with POST and an empty object, supplies the value.'),
  ...changesMember,
});

export const ResultLink = Closed({
  method: Type.Literal('GET', { description: 'HTTP method to use.' }),
  path: Type.Literal(PATHS.result, { description: 'Path of the endpoint to call.' }),
  url: Text('Complete address of the result.'),
});

export const AllowedValues = Described(
  'One entry for each open field that has values, given everything received. Every value leads on to a match.',
  membersFor('offered'),
);
export type AllowedValues = Static<typeof AllowedValues>;

export const Received = Described('Every field accepted so far, in the form in which it is offered.', {
  source: Type.Optional(Text('The source of a sourced session.')),
  ...membersFor('received'),
});
export type Received = Static<typeof Received>;

export const Place = Closed({
  name: Text('What people call it.'),
  kind: Type.Enum([...PLACE_KINDS], { description: 'city, region or country.' }),
  within: Nullable(Type.String(), 'Identifier of the place that it lies in.'),
});

const callMembers = {
  api_version: Text('Version date of the interface.'),
  status: Count('HTTP status mirrored in the body. Always 200 on search.'),
  endpoint: Type.Literal(PATHS.search, { description: 'Path of the called endpoint.' }),
  method: Type.String({ description: 'HTTP method of the call.' }),
};

const stateMembers = {
  received: Received,
  missing_fields: Texts('Open fields in order.'),
  allowed_values: AllowedValues,
  allowed_values_truncated: Type.Optional(
    Type.Record(
      Type.String(),
      Closed({
        shown: Count('How many are listed.'),
        total: Count('How many there are.'),
      }),
      {
        description:
          'Beyond the base interface: which lists were cut, by field. Every value on offer remains acceptable.',
      },
    ),
  ),
  places: Type.Optional(
    Type.Record(Type.String(), Place, {
      description:
        'Beyond the base interface: the names of the places on offer, by identifier. In the compact view only of those in available_requests.',
    }),
  ),
  field_hints: Type.Optional(
    Type.Record(Type.String(), Type.String(), {
      description: 'Beyond the base interface: what to know about an open field.',
    }),
  ),
  field_order: Texts('The order that applies to this session.'),
  depends_on: Type.Record(Type.String(), Type.String(), {
    description: 'A dependent field and its prerequisite.',
  }),
  ...sideEffectMembers,
  result_ready: Type.Optional(
    Type.Literal(true, {
      description: 'Beyond the base interface: the session has a result, which GET /ai/v1/result returns.',
    }),
  ),
  url_template: Type.Optional(
    Text(
      'Beyond the base interface: fields can be given by name, several or all of them in one request. Replace the braces, leave out what is not known.',
    ),
  ),
  schema_url: Type.Literal(PATHS.schema, { description: 'The interface, described for machines.' }),
  terms_url: Type.Literal(PATHS.terms, { description: 'The terms that govern the use.' }),
  terms_notice: Text('States that use is subject to the terms.'),
  self_url: Text('Relative path of this search.'),
};

const truncationMembers = {
  available_requests_truncated: Type.Optional(
    Described('Beyond the base interface: available_requests was cut.', {
      shown: Count('How many values have an entry.'),
      total: Count('How many values there are.'),
      url_template: Text('Address for any of them: replace {value}.'),
    }),
  ),
};

const SearchState = Type.Object(stateMembers);
export type SearchState = Static<typeof SearchState>;

/** The ordinary step: the next field and its allowed values. */
export const SearchStep = Closed({
  ...callMembers,
  session: Text('Session token.'),
  error: Type.Literal('incomplete_payload', { description: 'While a field is missing.' }),
  message: Type.String({
    pattern: '^Missing required field: ',
    description: 'Missing required field: <field>',
  }),
  ...stateMembers,
  next_required: Text('The next field to supply.'),
  next_request: OfferedRequest,
  available_requests: Type.Array(Type.Union([OfferedRequest, ResultLink]), {
    description:
      'One entry for each allowed value of the next field (at most 60; 12 in the compact view). In the refine step the last one returns to the result.',
  }),
  ...truncationMembers,
});
export type SearchStep = Static<typeof SearchStep>;

export const NextCall = Closed({
  url: Text('Complete address.'),
  method: Type.String(),
  body: Type.Optional(Closed({ source: Type.Optional(Type.String()) })),
  ...changesMember,
});

/** An error on search, with the current step where there is a session. */
export const SearchProblem = Closed({
  ...callMembers,
  session: Type.Optional(Type.String()),
  error: Text('Error code of the registry.'),
  message: Text('What was wrong.'),
  invalid_field: Type.Optional(
    Text('Beyond the base interface: the field that was refused; the first one if there are several.'),
  ),
  reason: Type.Optional(RefusalReason),
  position: Position,
  did_you_mean: Type.Optional(
    Text('Beyond the base interface: the field that an unknown name was probably meant for.'),
  ),
  suggestions: Type.Optional(
    Texts(
      'Beyond the base interface: up to 5 values on offer for invalid_field, nearest to what was meant first; an arrival with as many nights as were asked for comes before nearer ones.',
    ),
  ),
  suggested_stays: Type.Optional(
    Type.Array(
      Closed({
        check_in_day: Text('Its arrival.'),
        check_out: Text('Its departure.'),
        url: Text('Complete address: following it supplies both dates.'),
        ...changesMember,
      }),
      {
        description:
          'Beyond the base interface: where a date was refused, up to 5 stays on offer of as many nights as were asked for, nearest arrival first, earlier and later ones.',
      },
    ),
  ),
  candidates: Type.Optional(Texts('Beyond the base interface: places that the name could have meant.')),
  accepted_fields: Type.Optional(
    Texts('Beyond the base interface: fields of the same request that were taken.'),
  ),
  refused_fields: Type.Optional(
    Texts('Beyond the base interface: fields of the same request that were not taken.'),
  ),
  other_refusals: Type.Optional(
    Type.Array(FieldRefusal, {
      description: 'Beyond the base interface: what else was refused, when invalid_field is not all.',
    }),
  ),
  ...Type.Partial(SearchState).properties,
  next_required: Type.Optional(Type.String()),
  next_request: Type.Optional(Type.Union([OfferedRequest, ResultLink, NextCall])),
  available_requests: Type.Optional(Type.Array(Type.Union([OfferedRequest, ResultLink]))),
  ...truncationMembers,
  expired_at: Type.Optional(Type.String()),
  retry_after_seconds: Type.Optional(Type.Integer()),
  supported_versions: Type.Optional(Type.Array(Type.String())),
});
export type SearchProblem = Static<typeof SearchProblem>;
