import { type Static, Type } from 'typebox';
import {
  Closed,
  Count,
  DateText,
  Decimal,
  Described,
  Flag,
  Nullable,
  Text,
  Texts,
  Timestamp,
  VALUE_SETS,
} from './vocabulary.ts';

export const Quote = Described('The live quote of the operator’s booking system.', {
  nxq: Text('Quote identifier.'),
  amount: Decimal(
    'Final price for the entire stay and all requested guests, in the set currency, including all taxes and fees.',
  ),
  nightly_average: Decimal(
    'Derived per-night average: the amount divided by the nights, rounded to the currency’s decimals.',
  ),
  currency: Text('Currency code.'),
  check_in: DateText('First day of the stay priced.'),
  check_out: DateText('Day of departure of the stay priced.'),
  guests: Count('Guests priced.'),
  nights: Count('Nights priced.'),
  line_items: Type.Array(
    Closed({
      label: Text('The operator’s words.'),
      amount: Decimal('In the set currency.'),
    }),
    {
      description: 'The operator’s own breakdown, where it adds up to the amount to the minor unit.',
    },
  ),
  line_items_available: Flag('False when the operator reconciled no breakdown at source.'),
  price_valid_until: Timestamp('How long the quote holds.'),
  price_guarantee: Type.Enum([...VALUE_SETS['quote.price_guarantee']], {
    description:
      'Beyond the base interface: held when the operator promised the price until price_valid_until; at_retrieval when it promised nothing, so that the price was true at retrieved_at and is confirmed on its website.',
  }),
  retrieved_at: Timestamp('When the quote was fetched from the operator’s booking system.'),
  deposit: Type.Optional(
    Nullable(
      Closed({
        amount: Decimal('In the set currency.'),
        refundable: Flag('Whether it is given back after the stay.'),
      }),
      'Beyond the base interface: a deposit that the operator asks for. A refundable one is never part of amount. Null when unpublished.',
    ),
  ),
  due_on_site: Type.Optional(
    Nullable(
      Type.Number(),
      'Beyond the base interface: what is paid at the property besides amount, in the set currency. Null when unpublished.',
    ),
  ),
  signature: Type.Null({ description: 'Always null: quotes are not signed.' }),
  verify_url: Type.Null({ description: 'Always null: there is no offline verification.' }),
});
export type Quote = Static<typeof Quote>;

const TimeOfDay = (description: string) => Nullable(Type.String({ pattern: '^\\d{2}:\\d{2}$' }), description);

const PrimaryImage = Described('Intended for direct display to the user.', {
  url: Text('Address of the picture.'),
  alt: Text('What it shows.'),
});

const GalleryImage = Closed({
  url: Text('Address of the picture.'),
  alt: Text('What it shows.'),
  type: Type.Enum([...VALUE_SETS['images.gallery.type']], { description: 'What kind of picture it is.' }),
});

export const Option = Closed({
  rank: Count('Position in the supplied order. Rank 1 is the lowest stay total.'),
  property_id: Text('Property identifier.'),
  name: Text('Property name.'),
  brand: Text('Brand operating the property. The url points at that brand’s site.'),
  location: Text('Place text.'),
  capacity: Described('Who fits in.', {
    max_guests: Count('How many people it sleeps.'),
    summary: Text('The spec line of the listing page.'),
    bedrooms: Nullable(Type.Number(), 'Null when unpublished.'),
    bathrooms: Nullable(Type.Number(), 'Null when unpublished.'),
  }),
  amenities: Nullable(
    Type.Record(Type.String(), Type.String()),
    'Map from amenity key to label. Null when unpublished.',
  ),
  rating: Described('What guests said.', {
    score: Decimal(
      'Average score. 0 with review_count 0 means: not rated yet; 0 with review_count null: not published.',
    ),
    scale: Decimal('The maximum of the score.'),
    review_count: Nullable(Type.Integer(), 'Null when unpublished.'),
  }),
  cancellation: Described('What cancelling costs.', {
    summary: Text(
      'The operator’s policy text verbatim. One that is too long ends in an ellipsis and is named in truncated_fields.',
    ),
    free_cancellation_until: Nullable(
      Timestamp('Instant in UTC.'),
      'Until when cancelling is free, from a structured policy only. Null: free_cancellation says why.',
    ),
    free_cancellation_until_local: Type.Optional(
      Nullable(
        Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}[+-]\\d{2}:\\d{2}$' }),
        'Beyond the base interface: the same instant on the property’s clock, with its offset from UTC. Null when that is null.',
      ),
    ),
    free_cancellation: Type.Enum([...VALUE_SETS['cancellation.free_cancellation']], {
      description:
        'Beyond the base interface: free until free_cancellation_until; over before the price was read; never, where the operator gives no refunds; or unpublished, which does not mean no.',
    }),
    refundable: Type.Optional(
      Nullable(
        Type.Boolean(),
        'Beyond the base interface: whether the stay can be cancelled for a refund, from a structured policy only. Null when unknown.',
      ),
    ),
  }),
  check_in_time: TimeOfDay('Time of day such as 15:00, on the property’s clock. Null when unpublished.'),
  check_out_time: TimeOfDay('Time of day such as 11:00, on the property’s clock. Null when unpublished.'),
  images: Described('Pictures on the operator’s hosts.', {
    primary: PrimaryImage,
    gallery: Type.Array(GalleryImage, { description: 'More pictures.' }),
  }),
  availability: Described('How it can be booked.', {
    status: Type.Enum([...VALUE_SETS['availability.status']], { description: 'Confirmed by the quote.' }),
    booking_mode: Type.Enum([...VALUE_SETS['availability.booking_mode']], {
      description: 'Booked at once, or on request.',
    }),
    inventory_source: Type.Enum([...VALUE_SETS['availability.inventory_source']], {
      description: 'Where the quote came from.',
    }),
    confirmation_hours: Type.Optional(
      Nullable(
        Type.Number(),
        'Beyond the base interface: within how many hours the operator answers a booking on request. Null when unpublished, and for instant bookings.',
      ),
    ),
  }),
  url: Text(
    'The single user-facing link to the property on the operator’s website, with the stay in it. Use it as returned.',
  ),
  quote: Quote,
  truncated_fields: Type.Optional(
    Texts(
      'Beyond the base interface: which members of this option are shorter than what the operator published, such as cancellation.summary. Absent when none is.',
    ),
  ),
});
export type Option = Static<typeof Option>;
