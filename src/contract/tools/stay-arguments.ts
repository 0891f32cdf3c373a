import { type TObject, type TSchema, Type } from 'typebox';
import { FIELDS, PAYLOAD_FIELDS } from '../payload-fields.ts';
import { Flag } from '../vocabulary.ts';

/** Orders for the options of a set. The set itself is always ranked by total price. */
export const SORTS = ['price', 'rating', 'capacity'] as const;
export type StaySort = (typeof SORTS)[number];

/** A traveller compares a handful; each option costs a model a hundred tokens. */
export const DEFAULT_SHOWN_OPTIONS = 5;
export const MAX_SHOWN_OPTIONS = 20;

/** A remote service applies one in each request, with fresh prices: more would burden its operators. */
export const MAX_AMENITIES_PER_CALL = 8;

const sessionHandle =
  'The handle of a search, from an earlier answer. It ends after a while; an answer says so.';

/**
 * Views select and order options of the current set. They never ask the operators again, and a call without them shows the first
 * options of the set.
 */
const viewArguments = {
  max_total: Type.Optional(
    Type.Number({
      minimum: 0,
      description:
        'Show only options of the set whose total for the whole stay, with what is due besides it, is at most this, in its currency. Like free_cancellation and sort, for this call only.',
    }),
  ),
  free_cancellation: Type.Optional(
    Flag('true: show only options that can still be cancelled free of charge.'),
  ),
  sort: Type.Optional(
    Type.Enum([...SORTS], { description: 'price (lowest total first, the default), rating or capacity.' }),
  ),
  max_options: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_SHOWN_OPTIONS,
      description: `How many options to show; ${DEFAULT_SHOWN_OPTIONS} if left out.`,
    }),
  ),
};

/** The fields of the search, taken from the interface, so that a new field becomes an argument too. */
const stayArguments = Object.fromEntries(
  PAYLOAD_FIELDS.map((field) => {
    const { request, description } = FIELDS[field];
    return [field, Type.Optional(described(request, `${description.meaning} ${description.accepts}`))];
  }),
);

function described(schema: TSchema, description: string): TSchema {
  return { ...schema, description };
}

const amenities = (description: string) =>
  Type.Optional(Type.Array(Type.String(), { maxItems: MAX_AMENITIES_PER_CALL, description }));

/** Allows other members: they are refused by name, with the name that was probably meant. */
export const SearchStaysArguments: TObject = Type.Object({
  session: Type.Optional(
    Type.String({ description: `${sessionHandle} Leave it out to begin a new search.` }),
  ),
  source: Type.Optional(
    Type.String({
      description:
        'Only for a traveller who came from one brand: its source, from describe_network. It counts when a search begins. Leave it out to search every brand.',
    }),
  ),
  ...stayArguments,
  amenities: amenities(
    'What every option must have, such as ["pool", "wifi"]: keys or names. They narrow a stay that is complete.',
  ),
  ...viewArguments,
});

export const RefineStaysArguments = Type.Object({
  session: Type.String({ description: sessionHandle }),
  amenities: amenities('Amenities to narrow the set by, beside those that are applied already.'),
  clear_filters: Type.Optional(Flag('true: take all applied amenities off first.')),
  ...viewArguments,
});

export const ShowStayArguments = Type.Object({
  session: Type.String({ description: sessionHandle }),
  property_id: Type.Optional(Type.String({ description: 'The option’s property_id.' })),
  rank: Type.Optional(
    Type.Integer({ minimum: 1, description: 'Instead of property_id: the option’s rank in the set.' }),
  ),
});

export const DescribeNetworkArguments = Type.Object({
  source: Type.Optional(
    Type.String({ description: 'A brand’s source, to see what can be searched when it is the entry.' }),
  ),
});
