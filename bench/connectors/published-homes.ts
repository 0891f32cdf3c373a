import type { CalendarPeriod } from '../../src/connectors/open/calendar.ts';
import type { RateCard } from '../../src/connectors/rate-card/rate-card.ts';
import type { Listing } from '../../src/connectors/shared/listings/listing.ts';
import { PLAIN_FORMAT, PLAIN_VERSION } from '../../src/connectors/shared/plain/plain-line.ts';
import { type Day, formatDay } from '../../src/stay/day.ts';
import type { EmulatedHome } from '../../test/emulators/homes.ts';
import { bookingsOf, priceInMonth } from './homes.ts';

/** The homes of the emulators, written in Staywire's own formats: the open protocol, a rate card and an imported file. */
export const PUBLISHED_HOST = 'stay.example';

type PublishedNights = { readonly today: Day; readonly nights: number };

export function referenceOf(id: number): string {
  return `home-${id}`;
}

export function listingOf(home: EmulatedHome): Listing {
  const { id, name, city, countryCode, rating, amenities, images, freeCancellationDays } = home;
  const page = `https://${PUBLISHED_HOST}/homes/${referenceOf(id)}`;
  return {
    reference: referenceOf(id),
    name,
    place: city,
    location: `${city}, ${countryCode}`,
    max_guests: home.maxGuests,
    summary: home.description,
    bedrooms: home.bedrooms,
    bathrooms: home.bathrooms,
    amenities: Object.fromEntries(amenities.map((key) => [key, key.split('_').join(' ')])),
    rating: rating && { score: rating.average, scale: 5, review_count: rating.count },
    cancellation: {
      summary: home.cancellation,
      free_until: freeCancellationDays === null ? null : { days_before: freeCancellationDays, time: '18:00' },
    },
    check_in_time: `${home.checkInHour}:00`,
    check_out_time: `${home.checkOutHour}:00`,
    images: images.map(({ path, caption }) => ({
      url: `https://${PUBLISHED_HOST}${path}`,
      alt: caption,
      type: 'other',
    })),
    url: page,
    currency: home.currency,
    booking_mode: 'instant',
  };
}

/** Nights that follow each other with the same rules are one period. */
export function periodsOf(home: EmulatedHome, { today, nights }: PublishedNights): CalendarPeriod[] {
  const taken = new Set(
    bookingsOf(home.id, today, nights).flatMap(({ from, to }) =>
      Array.from({ length: to - from }, (_, night) => from + night),
    ),
  );
  const periods: CalendarPeriod[] = [];
  for (let day = today - 1; day <= today + nights + 1; day += 1) {
    const text = formatDay(day);
    const available = !taken.has(day);
    const price = decimal(home.nightlyPrice(text));
    const last = periods.at(-1);
    if (last && available === last.available && price === last.price) last.to = formatDay(day + 1);
    else {
      periods.push({
        from: text,
        to: formatDay(day + 1),
        available,
        price,
        minimum_stay: home.minimumStay(text),
        ...(home.maximumStay === null ? {} : { maximum_stay: home.maximumStay }),
      });
    }
  }
  return periods;
}

export function rateCardOf(homes: readonly EmulatedHome[], horizon: PublishedNights): RateCard {
  return {
    properties: homes.map((home) => ({
      listing: listingOf(home),
      rates: {
        nightly: '100.00',
        seasons: monthsOf(horizon).map(({ first, month, next }) => {
          const { week, weekend } = priceInMonth(home.id - 1, month);
          return { from: first, to: next, nightly: decimal(week), weekend_nightly: decimal(weekend) };
        }),
        minimum_stay: home.minimumStay(''),
        ...(home.maximumStay === null ? {} : { maximum_stay: home.maximumStay }),
        discounts: [],
        fees: [{ label: 'Cleaning', amount: decimal(home.cleaningFee), per: 'stay' }],
        taxes: [{ label: 'Tax', percent: home.taxPercent }],
      },
      booked: bookingsOf(home.id, horizon.today, horizon.nights).map(({ from, to }) => ({
        from: formatDay(from),
        to: formatDay(to),
      })),
      deposit: { amount: decimal(home.deposit), refundable: true },
    })),
  };
}

export function plainFileOf(homes: readonly EmulatedHome[], horizon: PublishedNights): string {
  const lines = [
    { type: 'header', format: PLAIN_FORMAT, version: PLAIN_VERSION },
    ...homes.flatMap((home) => [
      { type: 'property', ...listingOf(home) },
      { type: 'calendar', property: referenceOf(home.id), periods: periodsOf(home, horizon) },
    ]),
  ];
  return `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`;
}

export function decimal(minorUnits: number): string {
  return (minorUnits / 100).toFixed(2);
}

function monthsOf({ today, nights }: PublishedNights) {
  const [year, month] = formatDay(today - 1)
    .split('-')
    .map(Number);
  const count = Math.ceil(nights / 28) + 2;
  return Array.from({ length: count }, (_, at) => {
    const from = firstOfMonth(year ?? 0, (month ?? 1) - 1 + at);
    return {
      first: from,
      month: ((month ?? 1) - 1 + at) % 12,
      next: firstOfMonth(year ?? 0, (month ?? 1) + at),
    };
  });
}

function firstOfMonth(year: number, month: number): string {
  return new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 10);
}
