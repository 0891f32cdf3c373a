import { type Static, type TSchema, Type } from 'typebox';
import { DEFAULT_BRAND_BUDGET } from '../catalogue/catalogue.ts';
import type { Connector } from '../connectors/connector.ts';
import { CONNECTORS } from '../connectors/connectors.ts';

export const BYTES_PER_MEGABYTE = 1024 * 1024;

const Id = Type.String({ pattern: '^[a-z0-9-]{1,64}$' });

const PlaceName = Type.String({ minLength: 1, maxLength: 120 });

export const PlaceEntry = Type.Object(
  {
    id: Id,
    name: PlaceName,
    aliases: Type.Optional(
      Type.Array(PlaceName, {
        minItems: 1,
        maxItems: 20,
        description: 'Other names by which travellers ask for it, in any language and script.',
      }),
    ),
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

/** A brand whose `booking_system` has this schema. */
export const brandEntryWith = <System extends TSchema>(bookingSystem: System) =>
  Type.Object(
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
      quote_hold_minutes: Type.Optional(
        Type.Integer({
          minimum: 5,
          maximum: 1440,
          description:
            'The operator holds every price this long after it was retrieved, unless its answer names another end.',
        }),
      ),
      rating_scale: Type.Optional(
        Type.Number({
          exclusiveMinimum: 0,
          maximum: 100,
          description: 'The maximum of its ratings, for a brand of which no listing has a score.',
        }),
      ),
      website: Type.Object(
        {
          hosts: Type.Array(Type.String(), {
            minItems: 1,
            maxItems: 20,
            description: 'host or host:port on which links and images may point.',
          }),
          results_url: Type.Optional(Type.String()),
          page_pattern: Type.Optional(
            Type.String({
              maxLength: 300,
              description:
                'How the addresses of its pages are built, such as https://casas.example/homes/{reference}. A listing whose page has another form is held back.',
            }),
          ),
          image_pattern: Type.Optional(
            Type.String({
              maxLength: 300,
              description: 'The same for its pictures. One with another form is left out.',
            }),
          ),
          stay_url: Type.Optional(
            Type.String({
              maxLength: 300,
              description:
                'How the link of a stay is built, where the page with stay_parameters will not do: https://casas.example/book/{reference}?from={check_in}&to={check_out}&people={guests}. Also {nights} and {currency}.',
            }),
          ),
          stay_parameters: Type.Optional(
            Type.Object(
              {
                check_in: Type.Optional(Type.String()),
                check_out: Type.Optional(Type.String()),
                guests: Type.Optional(Type.String()),
                source: Type.Optional(Type.String()),
                destination: Type.Optional(Type.String()),
                quote: Type.Optional(
                  Type.String({
                    description: 'Carries the identifier of the quote. Left out: links do not have it.',
                  }),
                ),
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
      budget: Type.Optional(
        Type.Object(
          {
            listings: Type.Optional(
              Type.Integer({
                minimum: 1,
                maximum: 1_000_000,
                default: DEFAULT_BRAND_BUDGET.listings,
                description: 'Listings at most.',
              }),
            ),
            megabytes: Type.Optional(
              Type.Integer({
                minimum: 1,
                maximum: 4096,
                default: DEFAULT_BRAND_BUDGET.bytes / BYTES_PER_MEGABYTE,
                description: 'Memory for what is kept of them, at most. Four times as much may be sent.',
              }),
            ),
          },
          {
            additionalProperties: false,
            description: 'How large the brand may be. A larger catalogue is not taken; the last one stays.',
          },
        ),
      ),
      booking_system: bookingSystem,
    },
    { additionalProperties: false },
  );
/** Without its booking system, which a connector reads. */
export type BrandEntry = Omit<Static<ReturnType<typeof brandEntryWith<TSchema>>>, 'booking_system'>;

/** The description of a network: its places, its brands, and the access to each brand's booking system. */
export const networkFileWith = <System extends TSchema>(bookingSystem: System) =>
  Type.Object(
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
      brands: Type.Array(brandEntryWith(bookingSystem), { minItems: 1 }),
    },
    { additionalProperties: false },
  );
/** The network file for these connectors. */
const networkFileFor = <const Connectors extends readonly Connector[]>(connectors: Connectors) =>
  networkFileWith(
    Type.Unsafe<Static<Connectors[number]['entry']>>(Type.Union(connectors.map(({ entry }) => entry))),
  );
export type NetworkFileFor<Connectors extends readonly Connector[]> = Static<
  ReturnType<typeof networkFileFor<Connectors>>
>;

export const NetworkFile = networkFileFor(CONNECTORS);
export type NetworkFile = NetworkFileFor<typeof CONNECTORS>;
