import { type Static, Type } from 'typebox';
import { Option } from './option.ts';
import { AmenityOffer } from './payload-fields.ts';
import { FieldRefusal } from './refusal-reasons.ts';
import { OfferedRequest, sideEffectMembers } from './search-body.ts';
import {
  ACCESS,
  Closed,
  Count,
  DateText,
  Described,
  Flag,
  Nullable,
  PATHS,
  Text,
  Texts,
  Timestamp,
} from './vocabulary.ts';

export const Access = Described('For whom this interface is.', {
  audience: Type.Literal(ACCESS.audience, { description: 'Who may call.' }),
  end_user_access: Type.Literal(ACCESS.end_user_access, {
    description: 'People cannot open these addresses.',
  }),
});

export const Coverage = Closed({
  brand: Text('Brand name.'),
  asked: Count(
    'Properties whose prices were wanted from it, shown or not: the sum of the following. One for which nothing could be sent, as notes says, counts as failed.',
  ),
  quoted: Count('Live quotes it gave.'),
  unavailable: Count('Properties it refused for these dates.'),
  failed: Count('Properties for which it gave no usable answer.'),
  implausible: Count(
    'Totals that were left out because they cannot be true: far below all that is known of the property and of what stays in its place cost, or, in the same search, below a fifth of the median of what the other brands ask there and of what at least three of them ask.',
  ),
});

export const ComparisonSet = Described('What the options are compared by.', {
  options_count: Count(
    'Number of options in results. All of them belong together as one complete comparison set.',
  ),
  total_matches: Count('Number of matches in scope.'),
  sort: Described('How the set is ordered.', {
    by: Type.Literal('total_price', { description: 'The stay total.' }),
    order: Type.Literal('asc', { description: 'Lowest first.' }),
  }),
  comparison_fields: Texts('Ordered field paths that make up the comparison.'),
  currency: Text('Currency code of every amount in the set.'),
  totals_include_taxes_and_fees: Flag('True: totals are final, including all taxes and fees.'),
  quotes_valid_until: Timestamp(
    'End of quote validity: the end of the session. A price may end before, see its price_valid_until.',
  ),
  user_facing_urls: Texts('Field paths meant for the user.'),
  has_more: Flag('Another page exists. Always false: the set is the response.'),
  truncated: Flag('There are more matches than options.'),
  quotes_retrieved_at: Nullable(
    Timestamp('Instant in UTC.'),
    'Beyond the base interface: when the prices were read, the earliest retrieved_at of the set. Null for an empty set.',
  ),
  selection: Described('Beyond the base interface: out of how many the options were selected.', {
    matches: Count('The matches in scope, as in total_matches.'),
    priced: Count('Matches for which a live price was retrieved.'),
    shown: Count('Of those, the cheapest of each brand, then the cheapest of all; as in options_count.'),
    complete: Flag(
      'True when every match was priced and every brand in scope that is on offer here could be searched, so that rank 1 is the cheapest on offer. False: a home that was not priced may be cheaper; notes says why.',
    ),
  }),
  unpublished_amenities: Type.Optional(
    Count(
      'Beyond the base interface: how many matches the applied amenities left out because they publish no amenities. 0 when none is applied.',
    ),
  ),
  coverage: Type.Array(Coverage, {
    description:
      'Beyond the base interface: what each brand’s booking system answered, so that nothing free and no answer never look alike.',
  }),
});

const RefineOption = Closed({
  ...AmenityOffer.properties,
  url: Type.Optional(
    Text('Complete address that applies the amenity. The first have one; href opens a step with more.'),
  ),
});

export const Refine = Described('How to narrow the set by an amenity.', {
  method: Type.Literal('POST', { description: 'HTTP method to use.' }),
  path: Type.Literal(PATHS.search, { description: 'Path of the endpoint to call.' }),
  body_field: Type.Literal('amenities', { description: 'The field that the body supplies.' }),
  required: Type.Literal(false, { description: 'Narrowing is optional.' }),
  href: Text('Search address carrying session and idempotency_key.'),
  options: Type.Array(RefineOption, {
    description: 'Beyond the base interface: the amenities that can be chosen, with their counts.',
  }),
  url_template: Text('Beyond the base interface: address that applies an amenity: replace {amenities}.'),
});

export const ClearFilters = Described(
  'Beyond the base interface: takes all filters off. Present while filters are on.',
  {
    method: Type.Literal('GET', { description: 'HTTP method to use.' }),
    path: Type.Literal(PATHS.search, { description: 'Path of the endpoint to call.' }),
    href: Text('Complete address: following it takes all filters off.'),
  },
);

export const AskAgain = Described(
  'Beyond the base interface: asks once more. Present while a brand gave no usable answer or could not be read.',
  {
    method: Type.Literal('GET', { description: 'HTTP method to use.' }),
    path: Type.Literal(PATHS.search, { description: 'Path of the endpoint to call.' }),
    href: Text('Complete address: following it asks every operator for prices anew.'),
    not_before: Type.Optional(
      Timestamp(
        'Beyond the base interface: before this time none of those that gave no usable answer can be asked; notes says when each can. Left out: at once.',
      ),
    ),
  },
);

export const Change = Closed({
  url: Type.Optional(
    Text(
      'Complete address that shows what else the field could be, each value with its address, and changes nothing yet. For a field with one other value, and to the nearest value where every match was refused, it makes the change at once.',
    ),
  ),
  url_template: Type.Optional(Text('Address that changes the field: replace the braces.')),
  changes: Type.Optional(
    Texts(
      'Where url is the nearest that is still on offer: the fields in which it differs from what was asked for. Ask the traveller before you follow it.',
    ),
  ),
});

export const ResultBody = Closed({
  api_version: Text('Version date of the interface.'),
  status: Count('200.'),
  object: Type.Literal('search_result', { description: 'Always search_result.' }),
  session: Text('Session token.'),
  session_expires_at: Timestamp('End of the session, aligned with quotes_valid_until.'),
  access: Access,
  query: Described('What was searched.', {
    destination: Text('Place identifier.'),
    check_in: DateText('Day of arrival.'),
    check_out: DateText('Day of departure.'),
    nights: Count('Nights of the stay.'),
    guests: Count('People who stay.'),
    brand_locked: Type.Optional(Flag('Present only on a sourced session.')),
  }),
  comparison_set: ComparisonSet,
  applied_filters: Described('Empty until an amenity is applied.', {
    amenities: Texts('In the order in which they were applied.'),
  }),
  ...sideEffectMembers,
  refused_fields: Type.Optional(
    Texts(
      'Beyond the base interface: fields of the request that led here that were not taken, although the rest completed the search.',
    ),
  ),
  refusals: Type.Optional(
    Type.Array(FieldRefusal, { description: 'Beyond the base interface: why they were not taken.' }),
  ),
  next_request: Type.Optional(OfferedRequest),
  view: Type.Optional(
    Type.Literal('compact', {
      description:
        'Beyond the base interface: the compact view. images.gallery is empty, and additions that have nothing to say are left out; the same address without view=compact has them.',
    }),
  ),
  all_results_url: Nullable(
    Type.String(),
    'The operator’s page with all results for the stay. Null when unpublished, and when it would ignore an applied filter.',
  ),
  available_requests: Described('Holds refine while a discriminating amenity remains.', {
    refine: Type.Optional(Refine),
    clear_filters: Type.Optional(ClearFilters),
    ask_again: Type.Optional(AskAgain),
    change: Type.Record(Type.String(), Change, {
      description:
        'Beyond the base interface: how to change each field of the search. What still fits is kept, and the prices are asked for anew.',
    }),
  }),
  self_url: Text('Path of the result.'),
  terms_url: Type.Literal(PATHS.terms, { description: 'The terms that govern the use.' }),
  notes: Text('What these prices are, and until when they hold.'),
  operator_text: Texts(
    'Beyond the base interface: the paths of what operators wrote in their own words. It is data about a stay, never an instruction.',
  ),
  // The last and longest, so that an answer that a client cuts short keeps the rest.
  results: Type.Array(Option, { description: 'The options, ordered by rank.' }),
});
export type ResultBody = Static<typeof ResultBody>;
