import type { Calendar } from '../src/catalogue/calendar.ts';
import { canBook } from '../src/connectors/rate-card/can-book.ts';
import { type PricedStay, priceStay } from '../src/connectors/rate-card/price-stay.ts';
import type { RateCard } from '../src/connectors/rate-card/rate-card.ts';
import { calendarOf } from '../src/connectors/rate-card/rate-card-calendar.ts';
import type { UnavailableReason } from '../src/quotes/booking-system.ts';
import { type Day, formatDay, parseDay } from '../src/stay/day.ts';
import { todayIn } from '../src/stay/time-zone.ts';
import type { Bookings } from './bookings.ts';
import type { Brand } from './brands.ts';
import { earlierBookings } from './earlier-bookings.ts';
import { listingOf } from './listing.ts';
import { type Property, propertiesOf } from './properties.ts';
import { paidBesidesOf, ratesOf } from './rates.ts';

export type RateCardEntry = RateCard['properties'][number];

export type Stay = { readonly checkIn: Day; readonly checkOut: Day; readonly guests: number };

export type Offer =
  | ({ readonly kind: 'quoted'; readonly currency: string } & PricedStay)
  | { readonly kind: 'unavailable'; readonly reason: UnavailableReason };

/** What is free at one operator, and what it costs. Its booking system, rate card and website all use this, so they agree. */
export type Operator = {
  readonly brand: Brand;
  /** Where its website begins, without a slash at the end. */
  readonly site: string;
  readonly properties: readonly Property[];
  property(reference: string): Property | undefined;
  /** The property as a line of the operator's rate card, with all nights that are taken now. */
  entry(property: Property): RateCardEntry;
  today(property: Property): Day;
  offer(property: Property, stay: Stay): Offer;
  /** Nights that have passed, and those too far ahead to be sold yet, are left out. */
  calendar(property: Property, from: Day, nights: number): Calendar;
};

/** How far ahead operators sell. */
const MAX_DAYS_AHEAD = 730;

export function createOperator(dependencies: {
  readonly brand: Brand;
  readonly site: string;
  readonly bookings: Bookings;
  readonly now: () => number;
}): Operator {
  const { brand, site, bookings, now } = dependencies;
  const properties = propertiesOf(brand);
  const byReference = new Map(properties.map((property) => [property.reference, property]));
  const today = (property: Property) => todayIn(property.city.timeZone, now());

  // Computed once a day: it is slow, and changes only with the day.
  const cards = new Map<Property, { readonly day: Day; readonly entry: RateCardEntry }>();
  const cardOf = (property: Property): RateCardEntry => {
    const day = today(property);
    const known = cards.get(property);
    if (known?.day === day) return known.entry;
    const entry = {
      listing: listingOf(property, site),
      rates: ratesOf(property, Number(formatDay(day).slice(0, 4))),
      ...paidBesidesOf(property),
      booked: earlierBookings(property, day).map(({ from, to }) => ({
        from: formatDay(from),
        to: formatDay(to),
      })),
    };
    cards.set(property, { day, entry });
    return entry;
  };

  const entry = (property: Property): RateCardEntry => {
    const card = cardOf(property);
    const earliest = formatDay(today(property));
    const made = bookings
      .of(brand.source, property.reference)
      .filter((booking) => booking.check_out > earliest)
      .map((booking) => ({ from: booking.check_in, to: booking.check_out }));
    if (made.length === 0) return card;
    // Generated stays give way to nights that a guest of this website has booked.
    const others = card.booked.filter((one) => !made.some(({ from, to }) => one.from < to && from < one.to));
    const booked = [...others, ...made].sort((one, other) => (one.from < other.from ? -1 : 1));
    return { ...card, booked };
  };

  return Object.freeze({
    brand,
    site,
    properties,
    property: (reference: string) => byReference.get(reference),
    entry,
    today,
    offer(property: Property, { checkIn, checkOut, guests }: Stay): Offer {
      const { rates, booked, listing } = entry(property);
      const asked = { rates, currency: listing.currency, checkIn, checkOut, guests };
      const firstDay = today(property);
      if (checkOut > firstDay + MAX_DAYS_AHEAD) return { kind: 'unavailable', reason: 'not_offered' };
      const answer = canBook({
        ...asked,
        booked,
        maxGuests: property.maxGuests,
        leadDays: property.leadDays,
        today: firstDay,
      });
      if (answer.kind === 'unavailable') return answer;
      return { kind: 'quoted', currency: listing.currency, ...priceStay(asked) };
    },
    calendar(property: Property, from: Day, nights: number): Calendar {
      const { rates, booked, listing } = entry(property);
      const firstDay = today(property);
      const start = Math.max(from, firstDay);
      const end = Math.min(from + nights, firstDay + MAX_DAYS_AHEAD);
      const horizon = { from: start, nights: Math.max(0, end - start) };
      return calendarOf({ rates, currency: listing.currency, booked, horizon });
    },
  });
}

/** Undefined when the days are not real days in their order. */
export function stayOf(checkIn: string, checkOut: string, guests: number): Stay | undefined {
  const [arrival, departure] = [parseDay(checkIn), parseDay(checkOut)];
  if (arrival === undefined || departure === undefined || departure <= arrival) return undefined;
  if (!Number.isSafeInteger(guests) || guests < 1) return undefined;
  return { checkIn: arrival, checkOut: departure, guests };
}
