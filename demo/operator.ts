import type { Calendar } from '../src/catalogue/calendar.ts';
import { calendarOf } from '../src/connectors/rate-card/calendar.ts';
import { canBook, type PricedStay, priceStay } from '../src/connectors/rate-card/quote.ts';
import type { RateCard } from '../src/connectors/rate-card/rate-card.ts';
import type { UnavailableReason } from '../src/quotes/booking-system.ts';
import { type Day, formatDay, parseDay } from '../src/stay/day.ts';
import { todayIn } from '../src/stay/time-zone.ts';
import type { Bookings } from './bookings.ts';
import type { Brand } from './brands.ts';
import { listingOf } from './listing.ts';
import { type Property, propertiesOf } from './properties.ts';
import { paidBesidesOf, ratesOf } from './rates.ts';
import { seededBy } from './seeded.ts';

export type RateCardEntry = RateCard['properties'][number];

export type Stay = { readonly checkIn: Day; readonly checkOut: Day; readonly guests: number };

export type Offer =
  | ({ readonly kind: 'quoted'; readonly currency: string } & PricedStay)
  | { readonly kind: 'unavailable'; readonly reason: UnavailableReason };

/** The availability and prices of one operator. Its booking system, rate card and website all use this, so they agree. */
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

  // Cached for a day: it is slow to compute and changes only with the day.
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
    // Bookings on this website replace generated stays.
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

/** Nights from `from` up to, but not including, `to`. */
type BookedNights = { readonly from: Day; readonly to: Day };

const BLOCK_DAYS = 28;
const BOOKED_DAYS_AHEAD = 560;

/**
 * The stays that other guests have booked by `today`. Each has fixed dates and a fixed day of booking, so that new ones
 * appear from day to day and the near future is fuller than the far one.
 */
function earlierBookings(property: Property, today: Day): readonly BookedNights[] {
  const firstBlock = Math.floor((today - BLOCK_DAYS) / BLOCK_DAYS);
  const lastBlock = Math.floor((today + BOOKED_DAYS_AHEAD) / BLOCK_DAYS);
  const booked: BookedNights[] = [];
  for (let block = firstBlock; block <= lastBlock; block++) {
    for (const { from, to, daysAhead } of staysOf(property, block)) {
      if (to > today && from - today <= daysAhead) booked.push({ from, to });
    }
  }
  return booked;
}

function* staysOf(property: Property, block: number) {
  const seeded = seededBy(`${property.brand.source} ${property.reference} block ${block}`);
  const popularity = 0.5 + 0.45 * (property.reviewScore ?? 0.6);
  const end = (block + 1) * BLOCK_DAYS;
  let day = block * BLOCK_DAYS + seeded.integer(0, 5);
  while (day < end) {
    const to = Math.min(end, day + seeded.pick([2, 2, 3, 3, 3, 4, 5, 7, 7, 10]));
    const daysAhead = Math.floor(330 * seeded.fraction() ** 2.4);
    if (seeded.chance(popularity)) yield { from: day, to, daysAhead };
    day = to + seeded.pick([0, 1, 1, 2, 3, 4, 6]);
  }
}
