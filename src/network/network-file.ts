import { type Static, Type } from 'typebox';

/** The file that describes a network: its places, its brands, and how each brand's booking system is reached. */
const Id = Type.String({ pattern: '^[a-z0-9-]{1,64}$' });

export const PlaceEntry = Type.Object(
  {
    id: Id,
    name: Type.String({ minLength: 1, maxLength: 120 }),
    kind: Type.Enum(['city', 'region', 'country']),
    parent: Type.Optional(Id),
    time_zone: Type.String({ description: 'IANA name, such as Europe/Lisbon.' }),
    currency: Type.String({
      pattern: '^[A-Z]{3}$',
      description: 'The one currency in which a search for this place is compared.',
    }),
  },
  { additionalProperties: false },
);
export type PlaceEntry = Static<typeof PlaceEntry>;

export const OpenEntry = Type.Object(
  {
    kind: Type.Literal('open'),
    url: Type.String({ description: 'Base address of the operator’s server for the open protocol.' }),
    token_variable: Type.Optional(
      Type.String({
        pattern: '^[A-Z][A-Z0-9_]*$',
        description: 'Environment variable that holds the bearer token.',
      }),
    ),
    timeout_ms: Type.Optional(
      Type.Integer({ minimum: 100, maximum: 30_000, default: 4000, description: 'For one quote call.' }),
    ),
    concurrency: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 64, default: 8, description: 'Calls in flight at most.' }),
    ),
    quote_batch: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 50,
        default: 20,
        description: 'Properties in one quote call at most.',
      }),
    ),
  },
  { additionalProperties: false },
);

export const RateCardEntry = Type.Object(
  {
    kind: Type.Literal('rate-card'),
    file: Type.Optional(Type.String({ description: 'Path of the rate card, relative to the network file.' })),
    url: Type.Optional(
      Type.String({ description: 'Address from which the operator publishes the rate card.' }),
    ),
  },
  { additionalProperties: false, description: 'Exactly one of file and url.' },
);

export const BrandEntry = Type.Object(
  {
    source: Id,
    name: Type.String({ minLength: 1, maxLength: 120 }),
    single_location: Type.Optional(
      Type.String({
        pattern: '^[a-z0-9-]{1,64}$',
        description: 'The place of a single-location storefront.',
      }),
    ),
    all_in_totals: Type.Boolean({
      description: 'The operator states that its totals hold every tax and fee.',
    }),
    website: Type.Object(
      {
        hosts: Type.Array(Type.String(), {
          minItems: 1,
          maxItems: 20,
          description: 'host or host:port on which links and images may point.',
        }),
        results_url: Type.Optional(Type.String()),
        stay_parameters: Type.Optional(
          Type.Object(
            {
              check_in: Type.Optional(Type.String()),
              check_out: Type.Optional(Type.String()),
              guests: Type.Optional(Type.String()),
              source: Type.Optional(Type.String()),
              destination: Type.Optional(Type.String()),
            },
            {
              additionalProperties: false,
              description: 'What the website calls the parts of a stay in its query string.',
            },
          ),
        ),
      },
      { additionalProperties: false },
    ),
    places: Type.Optional(
      Type.Record(Type.String(), Id, {
        description: 'What the operator calls a city → its identifier here.',
      }),
    ),
    booking_system: Type.Union([OpenEntry, RateCardEntry]),
  },
  { additionalProperties: false },
);
export type BrandEntry = Static<typeof BrandEntry>;

export const NetworkFile = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 120 }),
    contact: Type.String({
      minLength: 3,
      maxLength: 200,
      description: 'Where assistants and operators can write to; shown in the terms.',
    }),
    refresh_seconds: Type.Optional(
      Type.Integer({
        minimum: 5,
        maximum: 86_400,
        default: 900,
        description: 'How often catalogues and calendars are read anew.',
      }),
    ),
    places: Type.Array(PlaceEntry, { minItems: 1 }),
    brands: Type.Array(BrandEntry, { minItems: 1 }),
  },
  { additionalProperties: false },
);
export type NetworkFile = Static<typeof NetworkFile>;
