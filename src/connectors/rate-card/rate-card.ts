import { type Static, Type } from 'typebox';
import { shownText } from '../../catalogue/rejections/rejected-value.ts';
import { parseDay, WEEKDAY_CODES } from '../../stay/day.ts';
import { parseAmount } from '../../stay/money.ts';
import type { PlacedFault } from '../shared/listings/first-fault.ts';
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

/** The members of an entry besides its listing. */
export const EntryTerms = Type.Object({
  rates: Rates,
  booked: Type.Array(TakenNights, {
    maxItems: 1000,
    description: 'Nights that are taken: from, up to but not including to.',
  }),
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
});
export type EntryTerms = Static<typeof EntryTerms>;

export const MAX_RATE_CARD_PROPERTIES = 10_000;

/** Prices, rules and booked nights, published by an operator without a booking system. */
export const RateCard = Type.Object({
  properties: Type.Array(Type.Object({ listing: Listing, ...EntryTerms.properties }), {
    maxItems: MAX_RATE_CARD_PROPERTIES,
  }),
});
export type RateCard = Static<typeof RateCard>;

/**
 * Faults beyond the schema: days that do not exist, seasons that end before they begin, amounts finer than the currency.
 * Rates without such a fault can be priced, so `priceStay`, `canBook` and `calendarOf` do not check them again.
 */
export function rateFault(
  rates: Rates,
  booked: readonly TakenNights[],
  currency: string,
): PlacedFault | undefined {
  const amounts: readonly (readonly [field: string, amount: string | undefined])[] = [
    ['rates/nightly', rates.nightly],
    ['rates/weekend_nightly', rates.weekend_nightly],
    ['rates/extra_guest/nightly', rates.extra_guest?.nightly],
    ...rates.seasons.flatMap(({ nightly, weekend_nightly }, index) => [
      [`rates/seasons/${index}/nightly`, nightly] as const,
      [`rates/seasons/${index}/weekend_nightly`, weekend_nightly] as const,
    ]),
    ...rates.fees.map(({ amount }, index) => [`rates/fees/${index}/amount`, amount] as const),
    ...rates.taxes.map(
      (tax, index) => [`rates/taxes/${index}/amount`, 'amount' in tax ? tax.amount : undefined] as const,
    ),
  ];
  for (const [field, amount] of amounts) {
    const fault = amountFault(field, amount, currency);
    if (fault) return fault;
  }
  return periodFault('rates/seasons', rates.seasons) ?? periodFault('booked', booked);
}

/** The schema has checked the pattern of the amount, so the reason can repeat it. */
export function amountFault(
  field: string,
  amount: string | undefined,
  currency: string,
): PlacedFault | undefined {
  if (amount === undefined || parseAmount(amount, currency) !== undefined) return undefined;
  const reason = `is ${amount}, finer than ${currency} or too large to be exact`;
  return { field, rule: 'price_too_fine', reason, value: shownText(amount) };
}

function periodFault(
  field: string,
  periods: readonly { readonly from: string; readonly to: string }[],
): PlacedFault | undefined {
  for (const [index, { from, to }] of periods.entries()) {
    for (const [member, text] of [['from', from] as const, ['to', to] as const]) {
      if (parseDay(text) !== undefined) continue;
      const reason = `is ${text}, a day that does not exist`;
      return { field: `${field}/${index}/${member}`, rule: 'no_such_day', reason, value: shownText(text) };
    }
    if (from < to) continue;
    const reason = `runs from ${from} to ${to}: it ends before its first night`;
    return { field: `${field}/${index}`, rule: 'period_backwards', reason, value: `${from} to ${to}` };
  }
  return undefined;
}
