import { type Static, Type } from 'typebox';
import { WEEKDAY_CODES } from '../../stay/day.ts';
import { Listing } from '../shared/listings/listing.ts';
import { DepositTerms } from '../shared/prices/quote-parts.ts';

const Day = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' });
const Amount = Type.String({ pattern: '^\\d{1,12}(\\.\\d{1,6})?$' });
/** Without an upper bound, because operators write numbers such as 1125 or 9999 for no limit. */
const Nights = Type.Integer({ minimum: 1 });
const Weekdays = Type.Array(Type.Enum(WEEKDAY_CODES), { maxItems: 7 });
const Per = Type.Enum(['stay', 'night', 'guest', 'guest_night']);

const Season = Type.Object({
  from: Day,
  to: Type.String({
    pattern: '^\\d{4}-\\d{2}-\\d{2}$',
    description: 'The day after the last night of the season.',
  }),
  nightly: Amount,
  weekend_nightly: Type.Optional(Amount),
  minimum_stay: Type.Optional(Nights),
});

export const Rates = Type.Object({
  nightly: Amount,
  weekend_nightly: Type.Optional(
    Type.String({ pattern: '^\\d{1,12}(\\.\\d{1,6})?$', description: 'Friday and Saturday nights.' }),
  ),
  seasons: Type.Array(Season, {
    maxItems: 100,
    description: 'The first season that holds a night decides its price.',
  }),
  minimum_stay: Type.Optional(Nights),
  maximum_stay: Type.Optional(Nights),
  no_arrival_on: Type.Optional(Weekdays),
  no_departure_on: Type.Optional(Weekdays),
  extra_guest: Type.Optional(Type.Object({ above: Type.Integer({ minimum: 1 }), nightly: Amount })),
  discounts: Type.Array(
    Type.Object({
      nights: Type.Integer({ minimum: 2 }),
      percent: Type.Number({ exclusiveMinimum: 0, maximum: 90 }),
      label: Type.String({ maxLength: 200 }),
    }),
    {
      maxItems: 10,
      description: 'The longest stay reached decides; it lowers the nights and the extra guests.',
    },
  ),
  fees: Type.Array(Type.Object({ label: Type.String({ maxLength: 200 }), amount: Amount, per: Per }), {
    maxItems: 20,
  }),
  taxes: Type.Array(
    Type.Union([
      Type.Object({
        label: Type.String({ maxLength: 200 }),
        percent: Type.Number({
          exclusiveMinimum: 0,
          maximum: 100,
          description: 'Of nights, extra guests, discounts and fees.',
        }),
      }),
      Type.Object({
        label: Type.String({ maxLength: 200 }),
        amount: Amount,
        per: Per,
        first_nights: Type.Optional(
          Type.Integer({ minimum: 1, description: 'Charged for at most so many nights.' }),
        ),
      }),
    ]),
    { maxItems: 20 },
  ),
});
export type Rates = Static<typeof Rates>;

export const TakenNights = Type.Object({ from: Day, to: Day });
export type TakenNights = Static<typeof TakenNights>;

const Booked = Type.Array(TakenNights, {
  maxItems: 1000,
  description: 'Nights that are taken: from, up to but not including to.',
});

/** The members of an entry besides its listing. */
export const EntryTerms = Type.Object({ rates: Rates, booked: Booked });

export const DueOnSite = Type.Object(
  { amount: Amount, per: Per },
  { description: 'What is paid at the property besides the price of the stay.' },
);
export type DueOnSite = Static<typeof DueOnSite>;

export const MAX_FEEDS_OF_A_HOME = 5;

const FeedAddress = Type.String({
  maxLength: 2048,
  description: 'Address of an iCalendar feed: https; http only to this machine.',
});

export const MAX_RATE_CARD_PROPERTIES = 10_000;

/** Prices, rules and booked nights, published by an operator without a booking system. */
export const RateCard = Type.Object({
  properties: Type.Array(
    Type.Object({
      listing: Listing,
      rates: Rates,
      booked: Booked,
      availability_feed: Type.Optional(Type.Union([FeedAddress, Type.Null()])),
      availability_feeds: Type.Optional(
        Type.Array(FeedAddress, {
          maxItems: MAX_FEEDS_OF_A_HOME,
          description:
            'Feeds whose events take nights besides those in `booked`, one for each channel; with `availability_feed` at most five.',
        }),
      ),
      deposit: Type.Optional(Type.Union([DepositTerms, Type.Null()])),
      due_on_site: Type.Optional(Type.Union([DueOnSite, Type.Null()])),
    }),
    { maxItems: MAX_RATE_CARD_PROPERTIES },
  ),
});
export type RateCard = Static<typeof RateCard>;
