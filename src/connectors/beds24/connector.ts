import { Type } from 'typebox';
import { valid } from '../../parsing/reading.ts';
import { cancellationTextMember, createVendorConnector } from '../shared/vendors/vendor-connector.ts';
import { createBeds24BookingSystem } from './beds24-booking-system.ts';

/** Beds24, through version 2 of its API. */
export const beds24Connector = createVendorConnector({
  kind: 'beds24',
  // A request of Beds24's limits is a credit: most calls cost one, dear ones several.
  defaults: {
    url: 'https://api.beds24.com/v2',
    windows: [{ requests: 100, perMs: 300_000 }],
    limits: { batchSize: 50, concurrency: 1, timeoutMs: 8000 },
  },
  members: {
    property_ids: Type.Optional(
      Type.Array(Type.Integer({ minimum: 1, description: 'A property ID of Beds24.' }), {
        minItems: 1,
        maxItems: 200,
        uniqueItems: true,
        description: 'The properties of this brand. Left out: all that the refresh token can read.',
      }),
    ),
    offer_id: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 16,
        description:
          'The offer that is priced. Left out: the one with the lowest price, and where a room has several for a stay, no cancellation policy is shown for it.',
      }),
    ),
    organization: Type.Optional(
      Type.String({
        pattern: '^[\\x21-\\x7e]{1,100}$',
        description: 'The name of the organization; for integration partners of Beds24 only.',
      }),
    ),
    language: Type.Optional(
      Type.String({
        pattern: '^[a-z]{2}$',
        default: 'en',
        description:
          'Of the names and policies, as Beds24 names its languages. A text that is missing in it is taken in English, or else in the first language that has it.',
      }),
    ),
    picture_url: Type.String({
      pattern: '^https?://[^\\s{}]+(\\{reference\\}[^\\s{}]*)?$',
      maxLength: 500,
      description:
        'Address of the picture of a room type, with {reference} for the room ID: the API of Beds24 describes none. Its host must be one of the brand’s.',
    }),
    cancellation_text: cancellationTextMember(
      'The operator’s cancellation policy in its own words, for properties without one in Beds24.',
    ),
  },
  documentation: {
    title: 'Beds24',
    text: 'For an account at [Beds24](connectors/beds24.md), through version 2 of its API. Each room type is a property to compare.',
  },
  credentials: {
    refresh_token: {
      title: 'Refresh token with the scopes read:inventory and read:properties',
      found:
        'made once from an invite code, which beds24.com/control3.php?pagetype=apiv2 creates; the page of the connector says how',
    },
  },
  // Beds24 does not say whether obligatory extras and taxes are in the price of an offer.
  canStateAllInTotals: false,
  read: (entry, secrets) =>
    valid({
      refreshToken: secrets.refresh_token,
      propertyIds: entry.property_ids ?? null,
      offerId: entry.offer_id === undefined ? null : String(entry.offer_id),
      organization: entry.organization ?? null,
      language: entry.language ?? 'en',
      cancellationText: entry.cancellation_text ?? null,
      pictureUrl: entry.picture_url,
    }),
  connect: createBeds24BookingSystem,
});
