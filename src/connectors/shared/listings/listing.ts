import { type Static, Type } from 'typebox';
import { IMAGE_TYPES } from '../../../catalogue/catalogue.ts';

/** How an operator describes one property, in the open protocol and in a rate card alike. Every text in it is untrusted. */
export const Reference = Type.String({
  pattern: '^[A-Za-z0-9._-]{1,64}$',
  description: 'What the booking system calls the property.',
});
export const Currency = Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217 code.' });
const TimeOfDay = Type.String({
  pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
  description: 'HH:MM on the property’s clock.',
});
const Nullable = <T extends Parameters<typeof Type.Optional>[0]>(schema: T) =>
  Type.Optional(Type.Union([schema, Type.Null()]));

/** More than any home has had guests. */
const MAX_REVIEWS = 1_000_000;

const ListingImage = Type.Object({
  url: Type.String({
    maxLength: 2048,
    description: 'https, on a host registered for the brand, at most 500 characters.',
  }),
  alt: Type.String({ maxLength: 2000 }),
  type: Type.Enum([...IMAGE_TYPES]),
});

export const Listing = Type.Object({
  reference: Reference,
  name: Type.String({ minLength: 1, maxLength: 2000 }),
  place: Type.String({
    minLength: 1,
    maxLength: 120,
    description: 'The city: its identifier on the network, or a name that the network file maps to one.',
  }),
  location: Type.String({ maxLength: 2000, description: 'Where it is, in words.' }),
  max_guests: Type.Integer({ minimum: 1, maximum: 100 }),
  summary: Type.String({ maxLength: 2000, description: 'The spec line of the listing page.' }),
  bedrooms: Nullable(Type.Integer({ minimum: 0, maximum: 100 })),
  bathrooms: Nullable(Type.Number({ minimum: 0, maximum: 100 })),
  amenities: Nullable(
    Type.Record(
      Type.String({ pattern: '^[a-z0-9_-]{1,40}$' }),
      Type.String({ minLength: 1, maxLength: 200 }),
      {
        description: 'Amenity key to label. Left out or null: not published.',
      },
    ),
  ),
  rating: Nullable(
    Type.Object(
      {
        score: Type.Number({ minimum: 0, maximum: 100 }),
        scale: Type.Number({ minimum: 1, maximum: 100 }),
        review_count: Nullable(Type.Integer({ minimum: 0, maximum: MAX_REVIEWS })),
      },
      { description: 'Null: nobody has rated it yet. Left out: not published.' },
    ),
  ),
  cancellation: Type.Object({
    summary: Type.String({
      minLength: 1,
      maxLength: 20_000,
      description: 'The policy, repeated word for word.',
    }),
    free_until: Nullable(
      Type.Object(
        { days_before: Type.Integer({ minimum: 0, maximum: 365 }), time: TimeOfDay },
        { description: 'Cancelling is free until this time, so many days before check-in.' },
      ),
    ),
    refundable: Nullable(
      Type.Boolean({ description: 'Whether the stay can be cancelled for a refund, in full or in part.' }),
    ),
  }),
  check_in_time: Nullable(TimeOfDay),
  check_out_time: Nullable(TimeOfDay),
  images: Type.Array(ListingImage, {
    minItems: 1,
    maxItems: 500,
    description: 'The first one is the primary image; the first 40 are shown.',
  }),
  url: Type.String({
    maxLength: 2048,
    description: 'The property’s page on the operator’s website, at most 300 characters.',
  }),
  currency: Currency,
  booking_mode: Type.Enum(['instant', 'request']),
  confirmation_hours: Nullable(
    Type.Number({
      exclusiveMinimum: 0,
      maximum: 720,
      description: 'Within how many hours a booking on request is answered.',
    }),
  ),
  lead_days: Type.Optional(Type.Integer({ minimum: 0, maximum: 365, default: 0 })),
});
export type Listing = Static<typeof Listing>;
